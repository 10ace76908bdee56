//! The papers' machine on concrete heaps: Javalite evaluated rule by rule ("Precise Heap Summaries",
//! Fig. 5), from the text and without any code of ours that translates it.
//!
//! It trusts that programs are well formed. Where a rule does not apply because an object is null, a
//! run ends with [`Stuck`].

use dalang_explore::{Witness, WitnessBody, WitnessValue};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Truth(bool),
    /// The number of an object.
    Object(usize),
}

/// A null reference was used as an object.
#[derive(Debug)]
pub struct Stuck;

#[derive(Debug)]
enum Form {
    Atom(String),
    List(Vec<Form>),
}

impl Form {
    fn text(&self) -> &str {
        match self {
            Self::Atom(text) => text,
            Self::List(_) => "",
        }
    }

    fn parts(&self) -> &[Form] {
        match self {
            Self::Atom(_) => &[],
            Self::List(parts) => parts,
        }
    }
}

fn read(text: &str) -> Form {
    let spaced = text.replace(['(', '['], " ( ").replace([')', ']'], " ) ");
    let mut open: Vec<Vec<Form>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = Form::List(open.pop().unwrap());
                open.last_mut().unwrap().push(list);
            }
            _ => open.last_mut().unwrap().push(Form::Atom(word.to_owned())),
        }
    }
    open.pop().unwrap().pop().unwrap()
}

struct Object {
    class: String,
    fields: HashMap<String, Value>,
}

/// A program and its store.
struct Machine<'t> {
    classes: &'t [Form],
    store: Vec<Object>,
}

type Environment = HashMap<String, Value>;

/// What the entry of a program gives on an input.
pub fn run(text: &str, input: &Witness) -> Result<Value, Stuck> {
    let program = read(text);
    let [classes, entry] = program.parts() else { panic!("no entry in {text}") };
    let mut machine = Machine { classes: classes.parts(), store: Vec::new() };
    for object in &input.objects {
        machine.allocate(&object.class);
        let WitnessBody::Fields(fields) = &object.body else { panic!("{object:?}") };
        let created = machine.store.last_mut().unwrap();
        for (name, given) in fields {
            created.fields.insert(name.clone(), value(given));
        }
    }
    let method = machine.lookup(entry.parts()[0].text(), entry.parts()[1].text());
    let mut environment: Environment =
        input.inputs.iter().map(|(name, given)| (name.clone(), value(given))).collect();
    machine.evaluate(&method[3], &mut environment)
}

fn value(given: &WitnessValue) -> Value {
    match given {
        WitnessValue::Null => Value::Null,
        WitnessValue::Boolean(truth) => Value::Truth(*truth),
        WitnessValue::Object(number) => Value::Object(*number as usize - 1),
        other => panic!("Javalite has no {other:?}"),
    }
}

impl<'t> Machine<'t> {
    fn class(&self, name: &str) -> &'t [Form] {
        let found = self.classes.iter().find(|class| class.parts()[1].text() == name);
        found.unwrap().parts()
    }

    fn lookup(&self, class: &str, method: &str) -> &'t [Form] {
        let methods = self.class(class)[3].parts();
        methods.iter().find(|own| own.parts()[1].text() == method).unwrap().parts()
    }

    /// NEW: fields of classes are null, and those of type `bool` false.
    fn allocate(&mut self, class: &str) -> Value {
        let initial = |field: &Form| {
            let of = field.parts()[0].text();
            let value = if of == "bool" { Value::Truth(false) } else { Value::Null };
            (field.parts()[1].text().to_owned(), value)
        };
        let fields = self.class(class)[2].parts().iter().map(initial).collect();
        self.store.push(Object { class: class.to_owned(), fields });
        Value::Object(self.store.len() - 1)
    }

    fn object(&mut self, value: Value) -> Result<&mut Object, Stuck> {
        match value {
            Value::Object(number) => Ok(&mut self.store[number]),
            _ => Err(Stuck),
        }
    }

    fn evaluate(&mut self, form: &'t Form, environment: &mut Environment) -> Result<Value, Stuck> {
        let parts = match form {
            Form::Atom(text) => {
                return Ok(match text.as_str() {
                    "null" => Value::Null,
                    "true" => Value::Truth(true),
                    "false" => Value::Truth(false),
                    variable => environment[variable],
                });
            }
            Form::List(parts) => parts,
        };
        match (parts[0].text(), parts.get(1).map_or("", Form::text)) {
            ("new", class) => Ok(self.allocate(class)),
            ("if", _) => {
                let condition = self.evaluate(&parts[1], environment)?;
                let branch = if condition == Value::Truth(true) { 2 } else { 4 };
                self.evaluate(&parts[branch], environment)
            }
            ("var", _) => {
                let value = self.evaluate(&parts[4], environment)?;
                // The environment of the declaration comes back with `pop`, all of it.
                let mut inner = environment.clone();
                inner.insert(parts[2].text().to_owned(), value);
                self.evaluate(&parts[6], &mut inner)
            }
            ("begin", _) => {
                let mut last = Value::Null;
                for part in &parts[1..] {
                    last = self.evaluate(part, environment)?;
                }
                Ok(last)
            }
            (_, "=") => {
                let left = self.evaluate(&parts[0], environment)?;
                let right = self.evaluate(&parts[2], environment)?;
                Ok(Value::Truth(left == right))
            }
            (variable, ":=") => {
                let value = self.evaluate(&parts[2], environment)?;
                environment.insert(variable.to_owned(), value);
                Ok(value)
            }
            (variable, "$") if parts.len() == 5 => {
                let value = self.evaluate(&parts[4], environment)?;
                let object = self.object(environment[variable])?;
                object.fields.insert(parts[2].text().to_owned(), value);
                Ok(value)
            }
            (_, "$") => {
                let object = self.evaluate(&parts[0], environment)?;
                Ok(self.object(object)?.fields[parts[2].text()])
            }
            (_, "@") => {
                let object = self.evaluate(&parts[0], environment)?;
                let argument = self.evaluate(&parts[3], environment)?;
                let class = self.object(object)?.class.clone();
                let method = self.lookup(&class, parts[2].text());
                let mut inner = environment.clone();
                inner.insert("this".to_owned(), object);
                inner.insert(method[2].parts()[1].text().to_owned(), argument);
                self.evaluate(&method[3], &mut inner)
            }
            _ => panic!("{form:?} is no expression"),
        }
    }
}
