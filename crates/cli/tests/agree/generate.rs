//! Random small programs over heaps: one class with a subclass, and a method that reads and writes
//! fields and elements, tests references and types, compares numbers, loops a little and calls.
//!
//! A seed gives one program, always the same. Every program compiles and ends: loops have a bound of
//! their own, and calls do not recurse.

use crate::random::Random;
use std::fmt::Write;

/// What a field, parameter or local variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Boolean,
    /// The class itself.
    Node,
    Object,
    Ints,
    Nodes,
    /// An `Integer`.
    Box,
    /// A `String`.
    Text,
}

/// A generated program: the class, its source, and what its method takes.
pub struct Generated {
    pub class: String,
    pub source: String,
    pub fields: Vec<(String, Kind)>,
    pub parameters: Vec<(String, Kind)>,
}

impl Generated {
    /// Whether it is about boxes and strings.
    pub fn has_values(&self) -> bool {
        self.parameters.iter().any(|(_, kind)| matches!(kind, Kind::Box | Kind::Text))
    }

    pub fn subclass(&self) -> String {
        format!("{}Sub", self.class)
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    let mut random = Random::new(seed);
    let class = format!("G{seed}");
    let fields = fields(&mut random);
    let parameters = parameters(&mut random);
    let mut writer = Writer {
        random: &mut random,
        class: class.clone(),
        fields: fields.clone(),
        variables: parameters.clone(),
        text: String::new(),
        depth: 2,
        loops: 0,
    };
    writer.variables.push(("this".to_owned(), Kind::Node));
    let source = writer.class();
    Generated { class, source, fields, parameters }
}

fn fields(random: &mut Random) -> Vec<(String, Kind)> {
    let mut fields = vec![("a".to_owned(), Kind::Int), ("next".to_owned(), Kind::Node)];
    for name in ["b", "c"] {
        let kind = match random.below(5) {
            0 => Kind::Int,
            1 => Kind::Boolean,
            2 => Kind::Node,
            3 => Kind::Object,
            _ => continue,
        };
        fields.push((name.to_owned(), kind));
    }
    fields
}

fn parameters(random: &mut Random) -> Vec<(String, Kind)> {
    let count = 1 + random.below(3);
    let kind = |random: &mut Random| match random.below(10) {
        0..=2 => Kind::Node,
        3..=5 => Kind::Int,
        6 => Kind::Boolean,
        7 => Kind::Object,
        8 => Kind::Ints,
        _ => Kind::Nodes,
    };
    (0..count).map(|place| (format!("p{place}"), kind(random))).collect()
}

struct Writer<'a> {
    random: &'a mut Random,
    class: String,
    fields: Vec<(String, Kind)>,
    /// What can be read here.
    variables: Vec<(String, Kind)>,
    text: String,
    depth: usize,
    loops: usize,
}

impl Writer<'_> {
    fn class(mut self) -> String {
        let class = self.class.clone();
        let _ = writeln!(self.text, "class {class} {{");
        for (name, kind) in self.fields.clone() {
            let kind = self.spelled(kind);
            self.line(&format!("{kind} {name};"));
        }
        self.line("int size() { return a; }");
        self.helper();
        self.method();
        self.text.push_str("}\n");
        let bodies = ["next == null ? extra : next.a", "extra + 1", "a + extra"];
        let size = self.random.pick(&bodies);
        let _ = writeln!(
            self.text,
            "class {class}Sub extends {class} {{ int extra; int size() {{ return {size}; }} }}"
        );
        self.text
    }

    fn helper(&mut self) {
        let class = self.class.clone();
        let bodies = [
            "if (n == null) return x; return n.a > x ? 1 : n.a;",
            "if (x < 0) return -x; return n.a;",
            "if (n.next == n) n.a = x; return n.size();",
            "n.next = null; return x + 1;",
        ];
        let body = self.random.pick(&bodies);
        self.line(&format!("static int help({class} n, int x) {{ {body} }}"));
    }

    fn method(&mut self) {
        let list: Vec<String> = self
            .variables
            .iter()
            .filter(|v| v.0 != "this")
            .map(|(name, kind)| format!("{} {name}", self.spelled(*kind)))
            .collect();
        self.line(&format!("int run({}) {{", list.join(", ")));
        self.depth += 1;
        self.line("int i = 1;");
        self.variables.push(("i".to_owned(), Kind::Int));
        let first = self.node();
        let class = self.class.clone();
        self.line(&format!("{class} r = {first};"));
        self.variables.push(("r".to_owned(), Kind::Node));
        let count = 3 + self.random.below(4);
        for _ in 0..count {
            self.statement(2);
        }
        let result = self.int(1);
        self.line(&format!("return {result};"));
        self.depth -= 1;
        self.line("}");
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 2 * self.depth);
    }

    fn block(&mut self, head: &str, depth: usize) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        for _ in 0..=self.random.below(2) {
            self.statement(depth);
        }
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 10 } else { 18 }) {
            0 | 1 => {
                let value = self.int(2);
                self.line(&format!("i = {value};"));
            }
            2 | 3 => {
                let value = self.node();
                self.line(&format!("r = {value};"));
            }
            4..=6 => self.store(),
            7 => self.element(),
            8 => {
                let (node, value) = (self.node(), self.int(1));
                self.line(&format!("i = help({node}, {value});"));
            }
            9 => {
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) return i;"));
            }
            10..=14 => {
                let condition = self.condition(2);
                self.block(&format!("if ({condition})"), depth - 1);
                if self.random.below(3) == 0 {
                    self.block("else", depth - 1);
                }
            }
            15 | 16 => self.repeat(depth),
            _ => {
                self.block("try", depth - 1);
                self.line("catch (RuntimeException e) { i = -1; }");
            }
        }
    }

    /// A loop along `next`, or a counted one.
    fn repeat(&mut self, depth: usize) {
        let counter = format!("k{}", self.loops);
        self.loops += 1;
        let most = 1 + self.random.below(2);
        let along = self.random.below(2) == 0;
        let walk = if along { " && r != null" } else { "" };
        self.line(&format!("for (int {counter} = 0; {counter} < {most}{walk}; {counter}++) {{"));
        self.depth += 1;
        self.variables.push((counter, Kind::Int));
        self.statement(depth - 1);
        if along {
            self.line("if (r != null) r = r.next;");
        }
        self.variables.pop();
        self.depth -= 1;
        self.line("}");
    }

    fn store(&mut self) {
        let owner = self.owner();
        let place = self.random.below(self.fields.len());
        let (name, kind) = self.fields[place].clone();
        let value = self.value(kind);
        self.line(&format!("{owner}.{name} = {value};"));
    }

    fn element(&mut self) {
        let index = self.int(0);
        if let Some(array) = self.variable(Kind::Ints) {
            let value = self.int(1);
            self.line(&format!("{array}[{index}] = {value};"));
        } else if let Some(array) = self.variable(Kind::Nodes) {
            let value = self.node();
            self.line(&format!("{array}[{index}] = {value};"));
        } else {
            self.line("i = i + 1;");
        }
    }

    fn value(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Int => self.int(1),
            Kind::Boolean => self.condition(0),
            Kind::Node => self.node(),
            _ => self.object(),
        }
    }

    /// Something to take a field of; it may be null.
    fn owner(&mut self) -> String {
        let variable = self.variable(Kind::Node).unwrap_or_else(|| "this".to_owned());
        if self.random.below(4) == 0 { format!("{variable}.next") } else { variable }
    }

    fn node(&mut self) -> String {
        let class = self.class.clone();
        match self.random.below(12) {
            0 => "null".to_owned(),
            1 => format!("new {class}()"),
            2 => format!("new {class}Sub()"),
            3 => match self.variable(Kind::Nodes) {
                Some(array) => format!("{array}[{}]", self.int(0)),
                None => self.owner(),
            },
            4 => {
                let node = self.owner();
                format!("({class}Sub) {node}")
            }
            5 => format!("({class}) {}", self.object()),
            6 | 7 => {
                let owner = self.owner();
                let nodes: Vec<String> =
                    self.fields.iter().filter(|f| f.1 == Kind::Node).map(|f| f.0.clone()).collect();
                format!("{owner}.{}", nodes[self.random.below(nodes.len())])
            }
            _ => self.owner(),
        }
    }

    fn object(&mut self) -> String {
        if self.random.below(3) > 0 {
            if let Some(variable) = self.variable(Kind::Object) {
                return variable;
            }
            if let Some((name, _)) = self.fields.iter().find(|f| f.1 == Kind::Object).cloned() {
                return format!("{}.{name}", self.owner());
            }
        }
        if self.random.below(8) == 0 { "new Object()".to_owned() } else { self.owner() }
    }

    fn int(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 5 } else { 12 }) {
            0 | 1 => (self.random.below(5) as i32 - 1).to_string(),
            2 | 3 => self.variable(Kind::Int).unwrap_or_else(|| "i".to_owned()),
            4 | 5 => format!("{}.a", self.owner()),
            6 => match self.variable(Kind::Ints) {
                Some(array) if self.random.below(2) == 0 => format!("{array}.length"),
                Some(array) => format!("{array}[{}]", self.int(0)),
                None => format!("{}.size()", self.owner()),
            },
            7 => format!("{}.size()", self.owner()),
            8 | 9 => format!("({} + {})", self.int(depth - 1), self.int(depth - 1)),
            10 => format!("({} - {})", self.int(depth - 1), self.int(depth - 1)),
            _ => format!("({} * {})", self.int(depth - 1), 2 + self.random.below(2)),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 9 } else { 12 }) {
            0..=2 => {
                let sign = ["<", ">", "==", "!=", "<=", ">="][self.random.below(6)];
                format!("{} {sign} {}", self.int(1), self.int(0))
            }
            3 | 4 => {
                let sign = ["==", "!="][self.random.below(2)];
                format!("{} {sign} null", self.owner())
            }
            5 => {
                let sign = ["==", "!="][self.random.below(2)];
                format!("{} {sign} {}", self.owner(), self.object())
            }
            6 => {
                let types = [self.class.clone(), format!("{}Sub", self.class), "int[]".to_owned()];
                format!("(Object) {} instanceof {}", self.object(), types[self.random.below(3)])
            }
            7 | 8 => match self.variable(Kind::Boolean) {
                Some(variable) => variable,
                None => format!("{} instanceof {}Sub", self.owner(), self.class),
            },
            9 => format!("!({})", self.condition(depth - 1)),
            10 => format!("{} && {}", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
        }
    }

    /// Some variable of a kind.
    fn variable(&mut self, kind: Kind) -> Option<String> {
        let fitting: Vec<String> =
            self.variables.iter().filter(|v| v.1 == kind).map(|v| v.0.clone()).collect();
        if fitting.is_empty() {
            None
        } else {
            Some(fitting[self.random.below(fitting.len())].clone())
        }
    }

    fn spelled(&self, kind: Kind) -> String {
        match kind {
            Kind::Int => "int".to_owned(),
            Kind::Boolean => "boolean".to_owned(),
            Kind::Node => self.class.clone(),
            Kind::Object => "Object".to_owned(),
            Kind::Ints => "int[]".to_owned(),
            Kind::Nodes => format!("{}[]", self.class),
            Kind::Box => "Integer".to_owned(),
            Kind::Text => "String".to_owned(),
        }
    }
}
