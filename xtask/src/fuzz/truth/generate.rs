//! Random Java: groups of methods that share a few classes.
//!
//! A group is one source file: a class with nested classes for a small heap, static fields, and the
//! methods that are checked. Everything comes from the seed and the number of the group or method, so
//! that a method is the same whatever else is generated. What is written compiles, and what loops or
//! recurses without a bound of its own burns fuel (`Fuel.java`).

mod asserts;
mod classes;
mod expressions;
mod library;
mod references;
mod statements;

use crate::random::Random;
use classes::Design;
use std::collections::BTreeSet;
use std::fmt::Write;

/// How many methods a group has.
pub const METHODS: u64 = 10;

/// What a variable, a field or an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Long,
    Short,
    Byte,
    Char,
    Float,
    Double,
    Boolean,
    Text,
    /// `Integer`.
    Boxed,
    /// `Long`.
    BoxedLong,
    Ints,
    Longs,
    Chars,
    Texts,
    /// `int[][]`.
    Rows,
    /// A class with a field of its own type.
    Node,
    /// A class below `Node`.
    Sub,
    Nodes,
    /// An interface.
    Shape,
    /// Two classes that implement it.
    Square,
    Wrap,
    Shapes,
    /// An enum.
    Color,
    /// A record.
    Point,
    /// A functional interface.
    Op,
    /// A generic class, with `Integer` as its argument.
    Cell,
    /// Containers of the library that static fields hold, with nodes or arrays in them.
    NodeList,
    NodeMap,
    NodeSlot,
    IntsList,
    Object,
}

impl Type {
    /// As the source spells it.
    pub fn spelled(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Long => "long",
            Self::Short => "short",
            Self::Byte => "byte",
            Self::Char => "char",
            Self::Float => "float",
            Self::Double => "double",
            Self::Boolean => "boolean",
            Self::Text => "String",
            Self::Boxed => "Integer",
            Self::BoxedLong => "Long",
            Self::Ints => "int[]",
            Self::Longs => "long[]",
            Self::Chars => "char[]",
            Self::Texts => "String[]",
            Self::Rows => "int[][]",
            Self::Node => "Node",
            Self::Sub => "Sub",
            Self::Nodes => "Node[]",
            Self::Shape => "Shape",
            Self::Square => "Square",
            Self::Wrap => "Wrap",
            Self::Shapes => "Shape[]",
            Self::Color => "Color",
            Self::Point => "Point",
            Self::Op => "Op",
            Self::Cell => "Cell<Integer>",
            Self::NodeList => "java.util.List<Node>",
            Self::NodeMap => "java.util.Map<String, Node>",
            Self::NodeSlot => "java.util.concurrent.atomic.AtomicReference<Node>",
            Self::IntsList => "java.util.List<int[]>",
            Self::Object => "Object",
        }
    }

    pub fn is_primitive(self) -> bool {
        matches!(
            self,
            Self::Int
                | Self::Long
                | Self::Short
                | Self::Byte
                | Self::Char
                | Self::Float
                | Self::Double
                | Self::Boolean
        )
    }
}

/// Numbers and texts that stand in the source: inputs near them reach more of it.
#[derive(Clone, Default)]
pub struct Literals {
    pub numbers: BTreeSet<i64>,
    pub texts: BTreeSet<String>,
}

/// What bounds inputs, on both sides alike.
#[derive(Clone, Copy)]
pub struct Limits {
    pub array: u32,
    pub string: u32,
    /// The most objects of each class, if that is bounded.
    pub objects: Option<u32>,
    /// Whether static fields that methods write to hold anything when a method begins.
    pub statics: bool,
}

/// A method that is checked.
pub struct Method {
    pub case: u64,
    /// Unlike any other in its group.
    pub name: String,
    /// The internal name of its class.
    pub class: String,
    pub text: String,
}

/// Methods that share their classes.
pub struct Group {
    pub name: String,
    pub source: String,
    pub methods: Vec<Method>,
    pub literals: Literals,
    pub limits: Limits,
    /// Static fields that some method writes to.
    pub written: BTreeSet<&'static str>,
    /// Static fields that keep their object, into which some method writes.
    pub stirred: Vec<&'static str>,
}

/// The group of a number.
pub fn group(seed: u64, number: u64) -> Group {
    let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
    let name = format!("G{number}");
    let limits = Limits {
        array: 2 + random.below(2) as u32,
        string: 2 + random.below(2) as u32,
        objects: [None, Some(1), Some(2), Some(3)][random.below(4)],
        statics: random.below(2) == 0,
    };
    let mut literals = Literals::default();
    let mut written = BTreeSet::new();
    let design = Design::new(&mut random);
    let mut writer = Writer::new(&mut random, &design, &mut literals, &mut written);
    let classes = writer.classes();
    let mut inside = String::new();
    let mut outside = String::new();
    let mut methods = Vec::new();
    for case in number * METHODS..(number + 1) * METHODS {
        let mut random = Random::new(seed.wrapping_mul(1_000_003) ^ (case + 1).rotate_left(32));
        let is_inside = random.below(4) == 0;
        let mut writer = Writer::new(&mut random, &design, &mut literals, &mut written);
        let text = writer.method(case, is_inside).replace("@GROUP@", &name);
        if is_inside { &mut inside } else { &mut outside }.push_str(&text);
        let class = if is_inside { format!("{name}$Node") } else { name.clone() };
        methods.push(Method { case, name: format!("m{case}"), class, text });
    }
    let mut source = String::new();
    let _ = writeln!(source, "@SuppressWarnings({{\"removal\", \"unchecked\"}})\nclass {name} {{");
    source.push_str(&classes.replace("@METHODS@", &inside));
    source.push_str(&outside);
    source.push_str("}\n");
    let source = source.replace("@GROUP@", &name);
    let stirred = design.stirred().map(|item| item.name).collect();
    Group { name, source, methods, literals, limits, written, stirred }
}

/// The classes with fields that are read and written.
const OWNERS: [Type; 5] = [Type::Node, Type::Sub, Type::Square, Type::Wrap, Type::Cell];

/// What may be done with a variable besides reading it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It may be assigned, and so cannot be read in a lambda.
    Assigned,
    /// Its loop assigns it: nobody else may, and no lambda can read it.
    Counter,
    /// Nobody assigns it: a lambda can read it.
    Fixed,
}

/// A variable that can be read.
#[derive(Clone)]
struct Variable {
    name: String,
    kind: Type,
    allows: Use,
}

/// Writes one body after the other.
struct Writer<'a> {
    random: &'a mut Random,
    design: &'a Design,
    literals: &'a mut Literals,
    written: &'a mut BTreeSet<&'static str>,
    scope: Vec<Variable>,
    /// Conditions that held when the enclosing blocks were entered.
    held: Vec<String>,
    text: String,
    indent: usize,
    names: usize,
    /// How many loops are around.
    loops: usize,
    /// How many branches and loops may still be written.
    budget: usize,
    /// Whether this is a lambda's body.
    frozen: bool,
}

impl<'a> Writer<'a> {
    fn new(
        random: &'a mut Random,
        design: &'a Design,
        literals: &'a mut Literals,
        written: &'a mut BTreeSet<&'static str>,
    ) -> Self {
        Self {
            random,
            design,
            literals,
            written,
            scope: Vec::new(),
            held: Vec::new(),
            text: String::new(),
            indent: 1,
            names: 0,
            loops: 0,
            budget: 7,
            frozen: false,
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 4 * self.indent);
    }

    /// True once in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.random.below(times) == 0
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Declares a variable from here to the end of the block.
    fn declare(&mut self, name: &str, kind: Type, allows: Use) {
        self.scope.push(Variable { name: name.to_owned(), kind, allows });
    }

    /// Some variable of a type.
    fn variable(&mut self, kind: Type) -> Option<String> {
        let frozen = self.frozen;
        let fits = |v: &&Variable| v.kind == kind && (!frozen || v.allows == Use::Fixed);
        let fitting: Vec<&Variable> = self.scope.iter().filter(fits).collect();
        if fitting.is_empty() {
            None
        } else {
            Some(fitting[self.random.below(fitting.len())].name.clone())
        }
    }

    /// Whether there is something of a type here that is not made on the spot.
    fn has(&self, kind: Type) -> bool {
        let is_there = |kind: Type| {
            self.scope.iter().any(|v| v.kind == kind && (!self.frozen || v.allows == Use::Fixed))
        };
        is_there(kind)
            || self.design.statics.iter().any(|item| item.kind == kind)
            || OWNERS.iter().any(|&owner| {
                is_there(owner) && self.design.fields_of(owner).iter().any(|f| f.kind == kind)
            })
    }

    /// A number below a bound; one whose need is not met is mostly drawn again.
    fn draw(&mut self, bound: usize, need: fn(usize) -> Option<Type>) -> usize {
        for _ in 0..6 {
            let number = self.random.below(bound);
            if need(number).is_none_or(|kind| self.has(kind)) {
                return number;
            }
        }
        self.random.below(bound)
    }

    /// Some variable of a type that may be assigned here.
    fn target(&mut self, kind: Type) -> Option<String> {
        if self.frozen {
            return None;
        }
        let fits = |v: &&Variable| v.kind == kind && v.allows == Use::Assigned;
        let fitting: Vec<&Variable> = self.scope.iter().filter(fits).collect();
        if fitting.is_empty() {
            None
        } else {
            Some(fitting[self.random.below(fitting.len())].name.clone())
        }
    }
}
