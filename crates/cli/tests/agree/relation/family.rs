//! Random small Java programs over a family of classes: one, and two that extend it, with fields of
//! each other's types, and a method that reads, writes and compares references and asks for classes.
//!
//! A seed gives one program, always the same. It has no loops and no calls, and no condition without
//! an effect that differs, so that paths of the program are told apart by their branches.

use crate::random::Random;

/// The classes of a seed: that of the method, the general one, and the special ones.
pub fn classes(seed: u64) -> [String; 4] {
    ["F", "P", "L", "R"].map(|name| format!("{name}{seed}"))
}

/// The program of a seed; its method is `run` of the first class.
pub fn program(seed: u64) -> String {
    let [main, parent, left, right] = classes(seed);
    let mut random = Random::new(seed);
    let mut variables = vec![("a".to_owned(), random.kin()), ("b".to_owned(), random.kin())];
    if random.below(3) > 0 {
        variables.push(("c".to_owned(), random.kin()));
    }
    let parameters: Vec<String> =
        variables.iter().map(|(name, of)| format!("{} {name}", spelled(*of, seed))).collect();
    let mut writer = Writer { random: &mut random, seed, variables, declared: 0 };
    let size = 3 + writer.random.below(3);
    let body: Vec<String> = (0..size).map(|_| writer.statement(2)).collect();
    let result = writer.condition();
    format!(
        "class {parent} {{ boolean flag; {parent} next; {left} left; {right} right; }}\n\
         class {left} extends {parent} {{ {parent} up; }}\n\
         class {right} extends {parent} {{ boolean on; }}\n\
         class {main} {{\n  static boolean run({}) {{\n    {}\n    if ({result}) return true;\n    \
         return false;\n  }}\n}}\n",
        parameters.join(", "),
        body.join("\n    "),
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Parent,
    Left,
    Right,
}

impl Random {
    fn kin(&mut self) -> Type {
        [Type::Parent, Type::Parent, Type::Left, Type::Right][self.below(4)]
    }
}

impl Type {
    /// The fields that are references: their names and types.
    fn references(self) -> &'static [(&'static str, Self)] {
        const ALL: [(&str, Type); 4] = [
            ("next", Type::Parent),
            ("left", Type::Left),
            ("right", Type::Right),
            ("up", Type::Parent),
        ];
        if self == Self::Left { &ALL } else { &ALL[..3] }
    }

    /// The fields that are truth values.
    fn truths(self) -> &'static [&'static str] {
        if self == Self::Right { &["flag", "on"] } else { &["flag"] }
    }

    /// Whether every object of this type is one of another.
    fn is(self, other: Self) -> bool {
        self == other || other == Self::Parent
    }
}

fn spelled(of: Type, seed: u64) -> String {
    let [_, parent, left, right] = classes(seed);
    match of {
        Type::Parent => parent,
        Type::Left => left,
        Type::Right => right,
    }
}

struct Writer<'a> {
    random: &'a mut Random,
    seed: u64,
    variables: Vec<(String, Type)>,
    declared: usize,
}

impl Writer<'_> {
    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random.below(from.len())].clone()
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0..=2 => {
                let (object, of) = self.variable();
                let (field, kind) = self.pick(of.references());
                format!("{object}.{field} = {};", self.value(kind))
            }
            3 => {
                let (object, of) = self.variable();
                let field = self.pick(of.truths());
                format!("{object}.{field} = {};", self.truth())
            }
            4 => {
                let (variable, of) = self.variable();
                format!("{variable} = {};", self.value(of))
            }
            5 if depth > 0 => {
                let of = self.random.kin();
                let value = self.value(of);
                self.declared += 1;
                let name = format!("v{}", self.declared);
                self.variables.push((name.clone(), of));
                format!("{} {name} = {value};", spelled(of, self.seed))
            }
            5 => {
                let (object, of) = self.variable();
                let field = self.pick(of.truths());
                format!("{object}.{field} = true;")
            }
            _ => {
                let condition = self.condition();
                // What is declared inside is not there outside.
                let outside = self.variables.clone();
                let yes = self.statement(depth - 1);
                self.variables.clone_from(&outside);
                let no = self.statement(depth - 1);
                self.variables = outside;
                if self.random.below(2) == 0 {
                    format!("if ({condition}) {{ {yes} }}")
                } else {
                    format!("if ({condition}) {{ {yes} }} else {{ {no} }}")
                }
            }
        }
    }

    fn variable(&mut self) -> (String, Type) {
        let all = self.variables.clone();
        self.pick(&all)
    }

    /// A condition that the program decides: constants would be decided by the compiler.
    fn condition(&mut self) -> String {
        let (object, of) = self.variable();
        match self.random.below(8) {
            0 => format!("{object} == null"),
            1 => {
                let field = self.pick(of.truths());
                format!("{object}.{field}")
            }
            2 if of == Type::Parent => {
                let kin = self.pick(&[Type::Left, Type::Right]);
                format!("{object} instanceof {}", spelled(kin, self.seed))
            }
            _ => {
                // Java compares references only where one type is below the other.
                let other = if of == Type::Parent { self.random.kin() } else { of };
                let other = self.reference(other).unwrap_or_else(|| "null".to_owned());
                format!("{object} == {other}")
            }
        }
    }

    fn truth(&mut self) -> String {
        let (object, of) = self.variable();
        match self.random.below(4) {
            0 => "true".to_owned(),
            1 => "false".to_owned(),
            _ => {
                let field = self.pick(of.truths());
                format!("{object}.{field}")
            }
        }
    }

    /// A variable or a field of one, of a type.
    fn reference(&mut self, of: Type) -> Option<String> {
        let mut all = Vec::new();
        for (name, kind) in &self.variables {
            if kind.is(of) {
                // Variables twice, so that fields do not crowd them out.
                all.extend([name.clone(), name.clone()]);
            }
            let fields = kind.references().iter().filter(|field| field.1.is(of));
            all.extend(fields.map(|field| format!("{name}.{}", field.0)));
        }
        if all.is_empty() { None } else { Some(self.pick(&all)) }
    }

    fn value(&mut self, of: Type) -> String {
        let (class, parent) = (spelled(of, self.seed), spelled(Type::Parent, self.seed));
        match self.random.below(12) {
            0 => "null".to_owned(),
            1 => format!("new {class}()"),
            2 if of != Type::Parent => match self.reference(Type::Parent) {
                Some(value) => format!("({class}) ({parent}) {value}"),
                None => "null".to_owned(),
            },
            _ => self.reference(of).unwrap_or_else(|| "null".to_owned()),
        }
    }
}
