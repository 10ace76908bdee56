//! Names and types: from the tree of a text to the tree of a program that makes sense.
//!
//! Types are those that are declared; there are no subclasses, so that a value fits where its own
//! type is asked for, and null fits where any class is. What is thrown away, such as all but the last
//! in a `begin`, need not have a type.

use super::error::{JavaliteError, Place};
use super::syntax;
use super::typed::{
    Class, ClassIndex, Declaration, Expression, Kind, Member, Method, Program, THIS, Type,
    VariableId,
};

type Checked<T> = Result<T, JavaliteError>;

fn refuse<T>(place: Place, what: impl Into<String>, remedy: impl Into<String>) -> Checked<T> {
    Err(JavaliteError::new(place, what, remedy))
}

/// The program, with everything resolved.
pub(super) fn program(program: &syntax::Program) -> Checked<Program> {
    let checker = Checker { classes: declared(program)? };
    let entry = match &program.entry {
        None => None,
        Some((class, method)) => {
            let class = checker.class(class)?;
            Some((class, checker.method(class, method)?.number))
        }
    };
    let mut classes = Vec::new();
    for (index, class) in program.classes.iter().enumerate() {
        let outline = &checker.classes[index];
        let mut methods = Vec::new();
        for (method, signature) in class.methods.iter().zip(&outline.methods) {
            methods.push(checker.body(index, method, signature)?);
        }
        let fields = outline.fields.clone();
        classes.push(Class {
            name: class.name.text.clone(),
            line: class.name.place.line,
            fields,
            methods,
        });
    }
    Ok(Program { classes, entry })
}

/// What classes say about themselves.
struct Outline {
    name: String,
    fields: Vec<(String, Type)>,
    methods: Vec<Signature>,
}

struct Signature {
    name: String,
    result: Type,
    parameter: Type,
}

fn declared(program: &syntax::Program) -> Checked<Vec<Outline>> {
    let mut outlines: Vec<Outline> = Vec::new();
    for syntax::Class { name, .. } in &program.classes {
        unique(name, "class", "there is one", outlines.iter().map(|outline| &outline.name))?;
        let name = name.text.clone();
        outlines.push(Outline { name, fields: Vec::new(), methods: Vec::new() });
    }
    let mut checker = Checker { classes: outlines };
    for (index, class) in program.classes.iter().enumerate() {
        for syntax::Variable { of, name } in &class.fields {
            let of = checker.type_named(of)?;
            let fields = &mut checker.classes[index].fields;
            unique(name, "field", "the class has one", fields.iter().map(|field| &field.0))?;
            fields.push((name.text.clone(), of));
        }
        for syntax::Method { result, name, parameter, .. } in &class.methods {
            let result = checker.type_named(result)?;
            let parameter = checker.type_named(&parameter.of)?;
            let methods = &mut checker.classes[index].methods;
            unique(name, "method", "the class has one", methods.iter().map(|m| &m.name))?;
            methods.push(Signature { name: name.text.clone(), result, parameter });
        }
    }
    Ok(checker.classes)
}

fn unique<'a>(
    name: &syntax::Name,
    kind: &str,
    there: &str,
    mut others: impl Iterator<Item = &'a String>,
) -> Checked<()> {
    if others.any(|other| *other == name.text) {
        let what = format!("a second {kind} `{}`: {there} of this name already", name.text);
        return refuse(name.place, what, "rename one of them");
    }
    Ok(())
}

struct Checker {
    classes: Vec<Outline>,
}

/// What can be seen at some place of a body.
struct Scope {
    /// Innermost last.
    visible: Vec<(String, VariableId, Type)>,
    /// How many variables the method has had so far.
    count: usize,
}

impl Checker {
    fn class(&self, name: &syntax::Name) -> Checked<ClassIndex> {
        match self.classes.iter().position(|outline| outline.name == name.text) {
            Some(index) => Ok(index),
            None => {
                let what = format!("there is no class `{}`", name.text);
                let names = spelled(self.classes.iter().map(|outline| outline.name.as_str()));
                refuse(name.place, what, format!("declare it in this file, which has {names}"))
            }
        }
    }

    fn type_named(&self, name: &syntax::Name) -> Checked<Type> {
        if name.text == "bool" { Ok(Type::Bool) } else { self.class(name).map(Type::Class) }
    }

    fn field(&self, class: ClassIndex, name: &syntax::Name) -> Checked<Member> {
        let outline = &self.classes[class];
        match outline.fields.iter().position(|field| field.0 == name.text) {
            Some(number) => Ok(Member { class, number }),
            None => {
                let what = format!("class `{}` has no field `{}`", outline.name, name.text);
                let names = spelled(outline.fields.iter().map(|field| field.0.as_str()));
                refuse(name.place, what, format!("declare it, or correct the name; it has {names}"))
            }
        }
    }

    fn method(&self, class: ClassIndex, name: &syntax::Name) -> Checked<Member> {
        let outline = &self.classes[class];
        match outline.methods.iter().position(|method| method.name == name.text) {
            Some(number) => Ok(Member { class, number }),
            None => {
                let what = format!("class `{}` has no method `{}`", outline.name, name.text);
                let names = spelled(outline.methods.iter().map(|method| method.name.as_str()));
                refuse(name.place, what, format!("declare it, or correct the name; it has {names}"))
            }
        }
    }

    fn show(&self, of: Type) -> String {
        match of {
            Type::Bool => "bool".to_owned(),
            Type::Class(index) => self.classes[index].name.clone(),
            Type::Null => "null".to_owned(),
            Type::Nothing => "no value".to_owned(),
        }
    }

    fn body(
        &self,
        class: ClassIndex,
        method: &syntax::Method,
        signature: &Signature,
    ) -> Checked<Method> {
        let parameter = method.parameter.name.text.clone();
        let visible = vec![
            ("this".to_owned(), THIS, Type::Class(class)),
            (parameter.clone(), THIS + 1, signature.parameter),
        ];
        let mut scope = Scope { visible, count: 2 };
        let body = self.value(&method.body, &mut scope)?;
        let what = format!("the body of method `{}`", method.name.text);
        self.fits(method.body.place, &what, body.of, signature.result)?;
        Ok(Method {
            name: method.name.text.clone(),
            place: method.name.place,
            result: signature.result,
            parameter: (parameter, signature.parameter),
            body,
        })
    }

    /// Refuses a value that is not of the type that is needed.
    fn fits(&self, place: Place, what: &str, given: Type, needed: Type) -> Checked<()> {
        let null = given == Type::Null && matches!(needed, Type::Class(_));
        if given == needed || null {
            return Ok(());
        }
        let (given, needed) = (self.show(given), self.show(needed));
        refuse(
            place,
            format!("{what} is of type {given}, and {needed} is needed"),
            format!("write an expression of type {needed}, or change the declared type"),
        )
    }

    /// An expression whose value is used.
    fn value(&self, expression: &syntax::Expression, scope: &mut Scope) -> Checked<Expression> {
        self.expression(expression, scope, true)
    }

    fn expression(
        &self,
        expression: &syntax::Expression,
        scope: &mut Scope,
        used: bool,
    ) -> Checked<Expression> {
        let place = expression.place;
        let (of, kind) = match &expression.kind {
            syntax::Kind::Null => (Type::Null, Kind::Null),
            syntax::Kind::True => (Type::Bool, Kind::Truth(true)),
            syntax::Kind::False => (Type::Bool, Kind::Truth(false)),
            syntax::Kind::Read(name) => {
                let (variable, of) = scope.find(name)?;
                (of, Kind::Read(variable))
            }
            syntax::Kind::New(name) => {
                let class = self.class(name)?;
                (Type::Class(class), Kind::New(class))
            }
            syntax::Kind::Field(object, name) => {
                let object = self.value(object, scope)?;
                let field = self.field(self.object(place, object.of, "fields")?, name)?;
                let of = self.classes[field.class].fields[field.number].1;
                (of, Kind::Field(Box::new(object), field))
            }
            syntax::Kind::Write(object, name, value) => {
                let (variable, of) = scope.find(object)?;
                let field = self.field(self.object(object.place, of, "fields")?, name)?;
                let of = self.classes[field.class].fields[field.number].1;
                let given = self.value(value, scope)?;
                let what = format!("what is assigned to field `{}`", name.text);
                self.fits(value.place, &what, given.of, of)?;
                (of, Kind::Write(variable, field, Box::new(given)))
            }
            syntax::Kind::Equals(left, right) => {
                let left = self.value(left, scope)?;
                let right = self.value(right, scope)?;
                if (left.of == Type::Bool) != (right.of == Type::Bool) {
                    let (left, right) = (self.show(left.of), self.show(right.of));
                    let what = format!("a value of type {left} is compared with one of {right}");
                    let remedy = "compare two values of type bool, or two references";
                    return refuse(place, what, remedy);
                }
                (Type::Bool, Kind::Equals(Box::new(left), Box::new(right)))
            }
            syntax::Kind::If(parts) => self.branches(place, parts, scope, used)?,
            syntax::Kind::Declare(declared, value, body) => {
                self.declaration(declared, value, body, scope, used)?
            }
            syntax::Kind::Call(object, name, argument) => {
                let receiver = self.value(object, scope)?;
                let method = self.method(self.object(place, receiver.of, "methods")?, name)?;
                let signature = &self.classes[method.class].methods[method.number];
                let given = self.value(argument, scope)?;
                let what = format!("the argument of `{}`", name.text);
                self.fits(argument.place, &what, given.of, signature.parameter)?;
                (signature.result, Kind::Call(Box::new(receiver), method, Box::new(given)))
            }
            syntax::Kind::Assign(name, value) => {
                let given = self.value(value, scope)?;
                let (variable, of) = scope.find(name)?;
                let what = format!("what is assigned to `{}`", name.text);
                self.fits(value.place, &what, given.of, of)?;
                (of, Kind::Assign(variable, Box::new(given)))
            }
            syntax::Kind::Begin(parts) => self.sequence(place, parts, scope, used)?,
        };
        Ok(Expression { line: place.line, of: if used { of } else { Type::Nothing }, kind })
    }

    /// The class of an object whose members are used.
    fn object(&self, place: Place, of: Type, members: &str) -> Checked<ClassIndex> {
        match of {
            Type::Class(class) => Ok(class),
            _ => {
                let what = format!("a value of type {} has no {members}", self.show(of));
                refuse(place, what, "use an object of a class here")
            }
        }
    }

    fn branches(
        &self,
        place: Place,
        [condition, yes, no]: &[syntax::Expression; 3],
        scope: &mut Scope,
        used: bool,
    ) -> Checked<(Type, Kind)> {
        let tested = self.value(condition, scope)?;
        self.fits(condition.place, "the condition", tested.of, Type::Bool)?;
        let yes = self.expression(yes, scope, used)?;
        let no = self.expression(no, scope, used)?;
        let of = match (yes.of, no.of) {
            (yes, no) if yes == no => yes,
            (Type::Null, class @ Type::Class(_)) | (class @ Type::Class(_), Type::Null) => class,
            (yes, no) => {
                let (yes, no) = (self.show(yes), self.show(no));
                return refuse(
                    place,
                    format!("the two branches are of the types {yes} and {no}"),
                    "give both one type; where the value is thrown away, they may differ",
                );
            }
        };
        Ok((of, Kind::If(Box::new([tested, yes, no]))))
    }

    fn declaration(
        &self,
        declared: &syntax::Variable,
        value: &syntax::Expression,
        body: &syntax::Expression,
        scope: &mut Scope,
        used: bool,
    ) -> Checked<(Type, Kind)> {
        let of = self.type_named(&declared.of)?;
        let given = self.value(value, scope)?;
        let name = declared.name.text.clone();
        self.fits(value.place, &format!("what `{name}` begins with"), given.of, of)?;
        let variable = scope.count;
        scope.count += 1;
        scope.visible.push((name.clone(), variable, of));
        let body = self.expression(body, scope, used)?;
        scope.visible.pop();
        let typed = |&id: &VariableId| {
            let outer = scope.visible.iter().find(|(_, other, _)| *other == id);
            outer.map(|(_, _, of)| (id, *of))
        };
        let assigned = body.assigned_below(variable).iter().filter_map(typed).collect();
        let result = body.of;
        let declaration = Declaration { variable, name, of, value: given, body, assigned };
        Ok((result, Kind::Declare(Box::new(declaration))))
    }

    fn sequence(
        &self,
        place: Place,
        parts: &[syntax::Expression],
        scope: &mut Scope,
        used: bool,
    ) -> Checked<(Type, Kind)> {
        if parts.is_empty() && used {
            let what = "an empty `begin` has no value";
            return refuse(place, what, "write an expression in it, or use no value of it");
        }
        let mut checked = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let is_last = number + 1 == parts.len();
            checked.push(self.expression(part, scope, used && is_last)?);
        }
        let of = checked.last().map_or(Type::Nothing, |last| last.of);
        Ok((of, Kind::Begin(checked)))
    }
}

impl Scope {
    fn find(&self, name: &syntax::Name) -> Checked<(VariableId, Type)> {
        match self.visible.iter().rev().find(|(own, _, _)| *own == name.text) {
            Some(&(_, variable, of)) => Ok((variable, of)),
            None => {
                let what = format!("there is no variable `{}` here", name.text);
                let names = spelled(self.visible.iter().map(|(own, _, _)| own.as_str()));
                refuse(name.place, what, format!("declare it with `var`, or use one of {names}"))
            }
        }
    }
}

/// Names as a message lists them.
fn spelled<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
