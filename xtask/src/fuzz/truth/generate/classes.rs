//! The classes of a group: what they are made of, and their text.

use super::{Type, Use, Writer};
use crate::random::Random;
use std::fmt::Write;

/// A field.
#[derive(Clone)]
pub struct Field {
    pub name: String,
    pub kind: Type,
}

/// A static field of the group's class.
pub struct Static {
    pub name: &'static str,
    pub kind: Type,
    pub is_final: bool,
    initial: &'static str,
}

impl Static {
    /// A store into what the field keeps, of `x`, at a place that `at` chooses.
    fn stirring(&self) -> Option<String> {
        let name = self.name;
        let way = match self.kind {
            _ if !self.is_final => return None,
            Type::Node => format!("{name}.a"),
            Type::Ints => format!("{name}[at]"),
            Type::NodeList => format!("{name}.get(at).a"),
            Type::NodeMap => format!("{name}.get(\"a\").a"),
            Type::NodeSlot => format!("{name}.get().a"),
            Type::IntsList => format!("{name}.get(at & 1)[at >> 1]"),
            _ => return None,
        };
        Some(format!("{way} = x;"))
    }
}

/// What differs between the classes of groups.
pub struct Design {
    pub node: Vec<Field>,
    pub sub: Vec<Field>,
    pub statics: Vec<Static>,
    /// Whether `Sub` has a field that hides one of `Node`.
    pub hides: bool,
}

/// The static fields that a group may have.
const STATICS: [(&str, Type, bool, &[&str]); 13] = [
    ("count", Type::Int, false, &["1", "0", "3"]),
    ("LIMIT", Type::Int, true, &["4", "Integer.parseInt(\"3\")"]),
    ("total", Type::Long, false, &["0L", "7L"]),
    ("label", Type::Text, false, &["\"ab\"", "null", "\"\""]),
    ("root", Type::Node, false, &["new Node()", "null", "new Sub()"]),
    ("table", Type::Ints, false, &["{1, 2}", "null", "new int[2]"]),
    ("FIXED", Type::Ints, true, &["{1}", "{0, 5}"]),
    ("HEAD", Type::Node, true, &["new Node()", "new Sub()"]),
    ("mood", Type::Color, false, &["Color.RED", "null", "Color.BLUE"]),
    (
        "NODES",
        Type::NodeList,
        true,
        &[
            "new java.util.ArrayList<>(java.util.List.of(new Node(), new Sub()))",
            "new java.util.LinkedList<>(java.util.List.of(new Sub(), new Node()))",
        ],
    ),
    (
        "NAMED",
        Type::NodeMap,
        true,
        &[
            "new java.util.HashMap<>(java.util.Map.of(\"a\", new Node()))",
            "new java.util.TreeMap<>(java.util.Map.of(\"a\", new Sub()))",
        ],
    ),
    (
        "SLOT",
        Type::NodeSlot,
        true,
        &[
            "new java.util.concurrent.atomic.AtomicReference<>(new Node())",
            "new java.util.concurrent.atomic.AtomicReference<>(null)",
        ],
    ),
    (
        "ARRAYS",
        Type::IntsList,
        true,
        &[
            "new java.util.ArrayList<>(java.util.List.of(new int[] {1}, new int[2]))",
            "new java.util.LinkedList<>(java.util.List.of(new int[] {3}))",
        ],
    ),
];

const EXTRA: [Type; 14] = [
    Type::Int,
    Type::Long,
    Type::Boolean,
    Type::Char,
    Type::Byte,
    Type::Short,
    Type::Float,
    Type::Text,
    Type::Boxed,
    Type::Node,
    Type::Object,
    Type::Ints,
    Type::Shape,
    Type::Color,
];

fn fields(random: &mut Random, names: &[&str], most: usize) -> Vec<Field> {
    let count = random.below(most + 1);
    let field = |name: &&str, random: &mut Random| Field {
        name: (*name).to_owned(),
        kind: EXTRA[random.below(EXTRA.len())],
    };
    names.iter().take(count).map(|name| field(name, random)).collect()
}

impl Design {
    pub fn new(random: &mut Random) -> Self {
        let mut node = vec![
            Field { name: "a".to_owned(), kind: Type::Int },
            Field { name: "next".to_owned(), kind: Type::Node },
        ];
        node.extend(fields(random, &["b", "c"], 2));
        let sub = fields(random, &["d", "e"], 2);
        let mut statics = Vec::new();
        for (name, kind, is_final, initials) in STATICS {
            if random.below(5) < 2 {
                let initial = initials[random.below(initials.len())];
                statics.push(Static { name, kind, is_final, initial });
            }
        }
        Self { node, sub, statics, hides: random.below(5) == 0 }
    }

    /// The static fields that keep objects into which `stir` writes.
    pub fn stirred(&self) -> impl Iterator<Item = &Static> {
        self.statics.iter().filter(|item| item.stirring().is_some())
    }

    /// The fields that an expression of a type has.
    pub fn fields_of(&self, owner: Type) -> Vec<Field> {
        let field = |name: &str, kind| Field { name: name.to_owned(), kind };
        match owner {
            Type::Node => self.node.clone(),
            Type::Sub => {
                let mut all = self.node.clone();
                all.extend(self.sub.clone());
                if self.hides {
                    // The name means the subclass's own.
                    all[0].kind = Type::Long;
                }
                all
            }
            Type::Square => vec![field("side", Type::Int)],
            Type::Wrap => vec![field("inner", Type::Shape), field("data", Type::Boxed)],
            Type::Cell => vec![field("value", Type::Boxed)],
            _ => Vec::new(),
        }
    }
}

/// Classes that every group has alike.
const ALIKE: &str = "\
    interface Shape {
        int area();
        default int twice() { return area() * 2; }
    }
    interface Op {
        int apply(int x);
    }
    static class Inc implements Op {
        int by;
        public int apply(int x) { return x + by; }
    }
    static final class Neg implements Op {
        public int apply(int x) { return -x; }
    }
    static class Cell<T> {
        T value;
        Cell(T value) { this.value = value; }
        T get() { return value; }
    }
    static class Oops extends RuntimeException {
        final int code;
        Oops(int code) { super(null, null, false, false); this.code = code; }
    }
    static class Gate implements AutoCloseable {
        int left;
        Gate(int left) { this.left = left; if (left == 2) throw new Oops(2); }
        @Override public void close() { if (left > 7) throw new Oops(left); left--; }
    }
    record Order(int rank) implements Comparable<Order> {
        @Override public int compareTo(Order other) { return Integer.compare(rank, other.rank); }
    }
    static int many(int... all) { return all.length == 2 ? all[0] - all[1] : 0; }
    static int walk(Node n, int most) {
        int steps = 0;
        while (n != null && steps < most) {
            steps++;
            n = n.next;
        }
        return steps;
    }
    static int depth(Node n) {
        Fuel.burn();
        return n == null ? 0 : 1 + depth(n.next);
    }
    static int sum(int[] a) {
        int s = 0;
        for (int x : a) s += x;
        return s;
    }
    static int fold(int n, int x) {
        return n <= 0 ? x : fold(n - 1, x + n);
    }
    static boolean even(int n) { return n <= 0 ? n == 0 : odd(n - 1); }
    static boolean odd(int n) { return n <= 0 ? false : even(n - 1); }
    static Object mention(String s, Integer i, Long l, int[] a, Node[] n, Shape[] t) { return s; }
";

impl Writer<'_> {
    /// The text of the classes; methods of `Node` that are checked go where `@METHODS@` is.
    pub(super) fn classes(&mut self) -> String {
        let mut text = ALIKE.to_owned();
        for item in &self.design.statics {
            let last = if item.is_final { "final " } else { "" };
            let (kind, name, initial) = (item.kind.spelled(), item.name, item.initial);
            let _ = writeln!(text, "    static {last}{kind} {name} = {initial};");
        }
        text.push_str("    static void stir(int which, int at, int x) {\n");
        for (number, store) in self.design.stirred().filter_map(Static::stirring).enumerate() {
            let _ = writeln!(text, "        if (which == {number}) {store}");
        }
        text.push_str("    }\n    static class Node {\n");
        text.push_str(&declarations(&self.design.node));
        let size = self.within(Type::Node);
        let _ = writeln!(text, "        int size() {{ return {size}; }}");
        text.push_str(
            "        int plus(int x) { return a + x; }\n        \
             class Inner { int seen() { return a; } }\n@METHODS@    }\n",
        );
        text.push_str("    static class Sub extends Node {\n");
        text.push_str(&declarations(&self.design.sub));
        if self.design.hides {
            text.push_str("        long a;\n");
        }
        let size = self.within(Type::Sub);
        let base = if self.once_in(3) { "super.size() + " } else { "" };
        let _ = writeln!(text, "        @Override int size() {{ return {base}{size}; }}\n    }}");
        let area = self.within(Type::Square);
        let _ = writeln!(
            text,
            "    static class Square implements Shape {{\n        int side;\n        \
             public int area() {{ return {area}; }}\n    }}"
        );
        let area = self.within(Type::Wrap);
        let _ = writeln!(
            text,
            "    static class Wrap implements Shape {{\n        Shape inner;\n        Integer data;\n        \
             public int area() {{ return {area}; }}"
        );
        if self.once_in(2) {
            text.push_str("        @Override public int twice() { return data; }\n");
        }
        text.push_str("    }\n");
        self.color(&mut text);
        text.push_str("    record Point(int x, String label) {\n");
        text.push_str(
            "        int sum() { return label == null ? x : x + label.length(); }\n    }\n",
        );
        text
    }

    fn color(&mut self, text: &mut String) {
        let rank = ["ordinal()", "ordinal() * 2", "weight"][self.random.below(3)];
        let body = if self.once_in(2) { " { @Override int rank() { return 7; } }" } else { "" };
        let last = if self.once_in(2) { "final " } else { "" };
        let _ = writeln!(
            text,
            "    enum Color {{\n        RED(1), GREEN(2){body}, BLUE(5);\n        {last}int weight;\n        \
             Color(int weight) {{ this.weight = weight; }}\n        int rank() {{ return {rank}; }}\n    }}"
        );
    }

    /// A number made of the fields of an object, written inside its class.
    fn within(&mut self, owner: Type) -> String {
        self.scope.clear();
        for field in self.design.fields_of(owner) {
            self.declare(&field.name, field.kind, Use::Fixed);
        }
        // Calls of methods that are overridden here would not end.
        self.frozen = true;
        let expression = self.int(1);
        self.frozen = false;
        self.scope.clear();
        if expression.contains("area()")
            || expression.contains("size()")
            || expression.contains("twice()")
        {
            return "3".to_owned();
        }
        expression
    }
}

fn declarations(fields: &[Field]) -> String {
    let mut text = String::new();
    for Field { name, kind } in fields {
        let _ = writeln!(text, "        {} {name};", kind.spelled());
    }
    text
}
