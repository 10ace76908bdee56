//! Random small Javalite programs: two classes that refer to each other, with a method to begin
//! with and two that it calls.
//!
//! A seed gives one text, always the same. Every program is well typed and ends: no method calls
//! itself or one that calls it. Its classes are named after the seed, so that many programs fit into
//! one namespace, and its last line names the entry, `run` of the first class.

use crate::random::Random;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let classes = [format!("A{seed}"), format!("B{seed}")];
    let mut fields = vec![
        vec![("flag", Type::Bool), ("next", Type::A), ("item", Type::B)],
        vec![("on", Type::Bool), ("back", Type::A)],
    ];
    let extra = [Type::Bool, Type::A, Type::B][random.below(3)];
    fields[random.below(2)].push(("extra", extra));
    // A truth value tells more about a run than whether an object comes back.
    let last = if random.below(3) == 0 { random.reference() } else { Type::Bool };
    let results = [random.kind(), random.kind(), last];
    let parameters = [random.kind(), random.kind(), random.reference()];
    // The last is the entry; each can call those before it.
    let methods: Vec<Method> = ["help", "assist", "run"]
        .into_iter()
        .enumerate()
        .map(|(number, name)| Method {
            name,
            owner: if number == 1 { Type::B } else { Type::A },
            result: results[number],
            parameter: parameters[number],
        })
        .collect();
    let mut bodies = Vec::new();
    for (number, method) in methods.iter().enumerate() {
        let mut writer = Writer {
            random: &mut random,
            classes: &classes,
            fields: &fields,
            methods: &methods[..number],
            variables: vec![("this".to_owned(), method.owner), ("x".to_owned(), method.parameter)],
            declared: 0,
            calls: 0,
        };
        let size = if number == 2 { 3 + writer.random.below(3) } else { 1 + number };
        bodies.push(writer.body(method, size));
    }
    let class = |number: usize, owner: Type| {
        let spelled = |of: Type| spelled(of, &classes);
        let fields: Vec<String> =
            fields[number].iter().map(|(name, of)| format!("[{} {name}]", spelled(*of))).collect();
        let own = methods.iter().zip(&bodies).filter(|(method, _)| method.owner == owner);
        let own: Vec<String> = own
            .map(|(method, body)| {
                let (result, parameter) = (spelled(method.result), spelled(method.parameter));
                format!("\n    ({result} {} [{parameter} x]\n      {body})", method.name)
            })
            .collect();
        format!("(class {}\n   ({})\n   ({}))", classes[number], fields.join(" "), own.concat())
    };
    format!("(({}\n  {})\n ({} run))\n", class(0, Type::A), class(1, Type::B), classes[0])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Bool,
    A,
    B,
}

struct Method {
    name: &'static str,
    owner: Type,
    result: Type,
    parameter: Type,
}

impl Random {
    fn reference(&mut self) -> Type {
        if self.below(3) == 0 { Type::B } else { Type::A }
    }

    fn kind(&mut self) -> Type {
        if self.below(3) == 0 { Type::Bool } else { self.reference() }
    }
}

fn spelled(of: Type, classes: &[String; 2]) -> &str {
    match of {
        Type::Bool => "bool",
        Type::A => &classes[0],
        Type::B => &classes[1],
    }
}

struct Writer<'a> {
    random: &'a mut Random,
    classes: &'a [String; 2],
    fields: &'a [Vec<(&'static str, Type)>],
    /// Those that can be called.
    methods: &'a [Method],
    variables: Vec<(String, Type)>,
    declared: usize,
    calls: usize,
}

impl Writer<'_> {
    fn body(&mut self, method: &Method, size: usize) -> String {
        let mut parts: Vec<String> = (0..size).map(|_| self.effect(2)).collect();
        parts.push(self.value(method.result, 2));
        format!("(begin\n        {})", parts.join("\n        "))
    }

    /// An expression whose value is thrown away.
    fn effect(&mut self, depth: usize) -> String {
        let of = self.random.kind();
        match self.random.below(if depth == 0 { 5 } else { 9 }) {
            0..=2 => self.write(of, depth.saturating_sub(1)).unwrap_or_else(|| self.value(of, 0)),
            3 | 4 => self.assign(of, depth.saturating_sub(1)),
            5 | 6 => {
                let condition = self.condition(depth - 1);
                let yes = self.effect(depth - 1);
                let no = if self.random.below(2) == 0 {
                    "(begin)".to_owned()
                } else {
                    self.effect(depth - 1)
                };
                format!("(if {condition} {yes} else {no})")
            }
            7 => self.declaration(of, depth, |writer| {
                let (first, second) = (writer.effect(depth - 1), writer.effect(depth - 1));
                format!("(begin {first} {second})")
            }),
            _ => self.value(of, depth),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if self.random.below(4) == 0 {
            return self.value(Type::Bool, depth);
        }
        let of = self.random.reference();
        let left = self.object(of);
        // Objects of two classes can be compared, too: they are the same if both are null.
        let other = if self.random.below(8) == 0 { self.random.reference() } else { of };
        let right = if self.random.below(3) == 0 {
            "null".to_owned()
        } else {
            self.value(other, depth.saturating_sub(1))
        };
        format!("({left} = {right})")
    }

    /// An expression of a type.
    fn value(&mut self, of: Type, depth: usize) -> String {
        if depth == 0 {
            return self.simple(of);
        }
        match self.random.below(12) {
            0..=3 => self.simple(of),
            4 | 5 => self.read(of).unwrap_or_else(|| self.simple(of)),
            6 => {
                let condition = self.condition(depth - 1);
                let (yes, no) = (self.value(of, depth - 1), self.value(of, depth - 1));
                format!("(if {condition} {yes} else {no})")
            }
            7 => self.call(of, depth).unwrap_or_else(|| self.simple(of)),
            8 => self.assign(of, depth - 1),
            9 => self.write(of, depth - 1).unwrap_or_else(|| self.simple(of)),
            10 => {
                let kind = self.random.kind();
                self.declaration(kind, depth, |writer| writer.value(of, depth - 1))
            }
            _ if of == Type::Bool => self.condition(depth - 1),
            _ => {
                let (effect, value) = (self.effect(0), self.value(of, depth - 1));
                format!("(begin {effect} {value})")
            }
        }
    }

    fn simple(&mut self, of: Type) -> String {
        let known: Vec<String> =
            self.variables.iter().filter(|v| v.1 == of).map(|v| v.0.clone()).collect();
        let choice = self.random.below(8);
        match of {
            _ if choice >= 3 && !known.is_empty() => known[self.random.below(known.len())].clone(),
            Type::Bool => ["true", "false"][choice % 2].to_owned(),
            _ if choice == 0 => "null".to_owned(),
            _ if choice == 1 => format!("(new {})", spelled(of, self.classes)),
            _ => self.read(of).unwrap_or_else(|| "null".to_owned()),
        }
    }

    /// An object whose members are used: a variable, or a field of one.
    fn object(&mut self, of: Type) -> String {
        let known: Vec<String> =
            self.variables.iter().filter(|v| v.1 == of).map(|v| v.0.clone()).collect();
        if known.is_empty() || self.random.below(3) == 0 {
            return self.read(of).unwrap_or_else(|| format!("(new {})", spelled(of, self.classes)));
        }
        known[self.random.below(known.len())].clone()
    }

    /// A variable of a class that has a field of a type, and that field.
    fn place(&mut self, of: Type) -> Option<(String, &'static str)> {
        let mut places = Vec::new();
        for (variable, kind) in &self.variables {
            let fields = match kind {
                Type::Bool => continue,
                Type::A => &self.fields[0],
                Type::B => &self.fields[1],
            };
            let fit = fields.iter().filter(|field| field.1 == of);
            places.extend(fit.map(|field| (variable.clone(), field.0)));
        }
        let count = places.len();
        (count > 0).then(|| places.swap_remove(self.random.below(count)))
    }

    fn read(&mut self, of: Type) -> Option<String> {
        let (variable, field) = self.place(of)?;
        Some(format!("({variable} $ {field})"))
    }

    fn write(&mut self, of: Type, depth: usize) -> Option<String> {
        let (variable, field) = self.place(of)?;
        let value = self.value(of, depth);
        Some(format!("({variable} $ {field} := {value})"))
    }

    fn assign(&mut self, of: Type, depth: usize) -> String {
        let known: Vec<String> =
            self.variables.iter().filter(|v| v.1 == of).map(|v| v.0.clone()).collect();
        let value = self.value(of, depth);
        if known.is_empty() {
            return value;
        }
        format!("({} := {value})", known[self.random.below(known.len())])
    }

    fn declaration(
        &mut self,
        of: Type,
        depth: usize,
        body: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let value = self.value(of, depth - 1);
        // Now and then a name is used again: the inner variable hides the outer one.
        let name = if self.random.below(6) == 0 {
            "x".to_owned()
        } else {
            self.declared += 1;
            format!("v{}", self.declared)
        };
        let hidden = self.variables.clone();
        self.variables.retain(|variable| variable.0 != name);
        self.variables.push((name.clone(), of));
        let body = body(self);
        self.variables = hidden;
        format!("(var {} {name} := {value} in {body})", spelled(of, self.classes))
    }

    /// Few calls, because each multiplies the paths.
    fn call(&mut self, of: Type, depth: usize) -> Option<String> {
        if self.calls == 2 {
            return None;
        }
        let method = self.methods.iter().find(|method| method.result == of)?;
        self.calls += 1;
        let (object, argument) =
            (self.object(method.owner), self.value(method.parameter, depth - 1));
        Some(format!("({object} @ {} {argument})", method.name))
    }
}
