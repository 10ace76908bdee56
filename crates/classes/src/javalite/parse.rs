//! From nested lists to the tree of a program: which form is which.
//!
//! A list that is no form is refused with the form that it resembles most: by its first word, or by
//! the sign in its second place.

use super::error::{JavaliteError, Place};
use super::reader::{Content, Form};
use super::syntax::{Class, Expression, Kind, Method, Name, Program, Variable};

/// Words of the language; they are no names.
const RESERVED: [&str; 15] = [
    "bool", "class", "new", "if", "else", "var", "in", "begin", "this", "null", "true", "false",
    "$", "@", "=",
];

const PROGRAM: &str = "write `((class C (fields) (methods)) ...)`, with the entry as \
                       `(((class ...) ...) (C m))`";
const CLASS: &str = "write `(class C ([T f] ...) (method ...))`";
const FIELD: &str = "write `[T f]`, a type and a name";
const METHOD: &str = "write `(T m [T x] e)`: type, name, one parameter, one expression";
const EXPRESSIONS: &str = "write x, null, true, false, (new C), (e $ f), (x $ f := e), (e = e), \
                           (if e e else e), (var T x := e in e), (e @ m e), (x := e) or \
                           (begin e ...)";

type Parsed<T> = Result<T, JavaliteError>;

fn refuse<T>(place: Place, what: impl Into<String>, remedy: &str) -> Parsed<T> {
    Err(JavaliteError::new(place, what, remedy))
}

/// The program that a form is.
pub(super) fn program(form: &Form) -> Parsed<Program> {
    let Some(parts) = list(form) else {
        return refuse(form.place, "this is no program", PROGRAM);
    };
    if parts.is_empty() {
        return refuse(form.place, "the program has no class", PROGRAM);
    }
    if atom(&parts[0]).is_some() {
        let what = "a program begins with its list of classes";
        return refuse(form.place, what, PROGRAM);
    }
    if is_headed(&parts[0], "class") {
        return Ok(Program { classes: classes(parts)?, entry: None });
    }
    let [declared, last] = parts else {
        return refuse(form.place, "this is neither classes nor classes and an entry", PROGRAM);
    };
    let Some(declared) = list(declared) else {
        return refuse(declared.place, "a program begins with its list of classes", PROGRAM);
    };
    if declared.is_empty() {
        return refuse(form.place, "the program has no class", PROGRAM);
    }
    let Some([class, method]) = list(last) else {
        return refuse(last.place, "this is no entry", "write `(C m)`, a class and its method");
    };
    let entry = Some((name(class, "a class")?, name(method, "a method")?));
    Ok(Program { classes: classes(declared)?, entry })
}

fn classes(forms: &[Form]) -> Parsed<Vec<Class>> {
    forms.iter().map(class).collect()
}

fn class(form: &Form) -> Parsed<Class> {
    let Some([word, class_name, fields, methods]) = list(form) else {
        return refuse(form.place, "this is no class", CLASS);
    };
    if atom(word) != Some("class") {
        return refuse(form.place, "this is no class", CLASS);
    }
    let Some(fields) = list(fields) else {
        return refuse(fields.place, "the fields of a class are a list", CLASS);
    };
    let Some(methods) = list(methods) else {
        return refuse(methods.place, "the methods of a class are a list", CLASS);
    };
    let field = |form: &Form| variable(form, "a field");
    Ok(Class {
        name: name(class_name, "a class")?,
        fields: fields.iter().map(field).collect::<Parsed<_>>()?,
        methods: methods.iter().map(method).collect::<Parsed<_>>()?,
    })
}

fn variable(form: &Form, what: &str) -> Parsed<Variable> {
    let Some([of, own]) = list(form) else {
        return refuse(form.place, format!("this is not {what}"), FIELD);
    };
    Ok(Variable { of: type_name(of)?, name: name(own, what)? })
}

fn method(form: &Form) -> Parsed<Method> {
    let Some([result, own, parameter, body]) = list(form) else {
        return refuse(form.place, "this is no method", METHOD);
    };
    Ok(Method {
        result: type_name(result)?,
        name: name(own, "a method")?,
        parameter: variable(parameter, "a parameter")?,
        body: expression(body)?,
    })
}

fn expression(form: &Form) -> Parsed<Expression> {
    let kind = match &form.content {
        Content::Atom(text) => simple(form, text)?,
        Content::List(parts) => compound(form, parts)?,
    };
    Ok(Expression { place: form.place, kind })
}

fn simple(form: &Form, text: &str) -> Parsed<Kind> {
    Ok(match text {
        "null" => Kind::Null,
        "true" => Kind::True,
        "false" => Kind::False,
        _ => Kind::Read(place_name(form)?),
    })
}

fn compound(form: &Form, parts: &[Form]) -> Parsed<Kind> {
    let boxed = |form: &Form| Ok(Box::new(expression(form)?));
    match (parts.first().and_then(atom), parts.get(1).and_then(atom)) {
        (Some("new"), _) => match parts {
            [_, class] => Ok(Kind::New(name(class, "a class")?)),
            _ => refuse(form.place, "`new` takes one class", "write `(new C)`"),
        },
        (Some("if"), _) => match parts {
            [_, condition, yes, word, no] if atom(word) == Some("else") => {
                let parts = [expression(condition)?, expression(yes)?, expression(no)?];
                Ok(Kind::If(Box::new(parts)))
            }
            _ => refuse(form.place, "this is no `if`", "write `(if e e else e)`"),
        },
        (Some("var"), _) => match parts {
            [_, of, own, sign, value, word, body]
                if atom(sign) == Some(":=") && atom(word) == Some("in") =>
            {
                let declared = Variable { of: type_name(of)?, name: name(own, "a variable")? };
                Ok(Kind::Declare(declared, boxed(value)?, boxed(body)?))
            }
            _ => refuse(form.place, "this is no `var`", "write `(var T x := e in e)`"),
        },
        (Some("begin"), _) => {
            Ok(Kind::Begin(parts[1..].iter().map(expression).collect::<Parsed<_>>()?))
        }
        (_, Some("$")) => match parts {
            [object, _, field] => Ok(Kind::Field(boxed(object)?, name(field, "a field")?)),
            [object, _, field, sign, value] if atom(sign) == Some(":=") => {
                if list(object).is_some() {
                    let what = "only a field of a variable can be assigned to";
                    let remedy = "name the object first: `(var T x := e in (x $ f := e))`";
                    return refuse(object.place, what, remedy);
                }
                let (object, field) = (place_name(object)?, name(field, "a field")?);
                Ok(Kind::Write(object, field, boxed(value)?))
            }
            _ => refuse(
                form.place,
                "this neither reads nor writes a field",
                "write `(e $ f)` or `(x $ f := e)`",
            ),
        },
        (_, Some("=")) => match parts {
            [left, _, right] => Ok(Kind::Equals(boxed(left)?, boxed(right)?)),
            _ => refuse(form.place, "`=` compares two values", "write `(e = e)`"),
        },
        (_, Some("@")) => match parts {
            [object, _, called, argument] => {
                Ok(Kind::Call(boxed(object)?, name(called, "a method")?, boxed(argument)?))
            }
            _ => refuse(
                form.place,
                "a call has an object, a method and one argument",
                "write `(e @ m e)`; where nothing is to be passed, pass null or true",
            ),
        },
        (_, Some(":=")) => match parts {
            [target, _, value] => Ok(Kind::Assign(place_name(target)?, boxed(value)?)),
            _ => refuse(form.place, "this is no assignment", "write `(x := e)`"),
        },
        _ => refuse(form.place, "this is no expression", EXPRESSIONS),
    }
}

fn list(form: &Form) -> Option<&[Form]> {
    match &form.content {
        Content::List(parts) => Some(parts),
        Content::Atom(_) => None,
    }
}

fn atom(form: &Form) -> Option<&str> {
    match &form.content {
        Content::Atom(text) => Some(text),
        Content::List(_) => None,
    }
}

fn is_headed(form: &Form, word: &str) -> bool {
    list(form).and_then(<[Form]>::first).and_then(atom) == Some(word)
}

/// The name that something is to have.
fn name(form: &Form, of: &str) -> Parsed<Name> {
    let Some(text) = atom(form) else {
        let remedy = "write a word of letters, digits and `_`";
        return refuse(form.place, format!("here the name of {of} is expected"), remedy);
    };
    if text.starts_with(|first: char| first.is_numeric()) {
        return refuse(
            form.place,
            format!("`{text}` cannot be the name of {of}"),
            "names do not begin with a digit",
        );
    }
    if RESERVED.contains(&text) || text == ":=" {
        return refuse(
            form.place,
            format!("`{text}` is a word of the language and cannot be the name of {of}"),
            "choose another name",
        );
    }
    Ok(Name { text: text.to_owned(), place: form.place })
}

/// A type: a class or `bool`.
fn type_name(form: &Form) -> Parsed<Name> {
    match atom(form) {
        Some("bool") => Ok(Name { text: "bool".to_owned(), place: form.place }),
        _ => name(form, "a type"),
    }
}

/// A variable where it is used, `this` included.
fn place_name(form: &Form) -> Parsed<Name> {
    let text = atom(form).unwrap_or_default();
    if text.starts_with(|first: char| first.is_numeric()) {
        return refuse(
            form.place,
            format!("`{text}`: numbers are references of the papers' machine, not of programs"),
            "write a variable, null or (new C)",
        );
    }
    match text {
        "this" => Ok(Name { text: text.to_owned(), place: form.place }),
        _ => name(form, "a variable"),
    }
}
