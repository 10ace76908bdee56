//! Expressions of reference types, and tests of types.

use super::{Type, Writer};

impl Writer<'_> {
    /// Some type of references that variables here often have.
    pub(super) fn some_reference(&mut self) -> Type {
        const KINDS: [Type; 10] = [
            Type::Node,
            Type::Node,
            Type::Sub,
            Type::Text,
            Type::Boxed,
            Type::Ints,
            Type::Shape,
            Type::Color,
            Type::Object,
            Type::Point,
        ];
        let present: Vec<Type> =
            self.scope.iter().map(|v| v.kind).filter(|kind| !kind.is_primitive()).collect();
        if present.is_empty() || self.once_in(5) {
            return KINDS[self.random.below(KINDS.len())];
        }
        present[self.random.below(present.len())]
    }

    /// Something to take a member of: it may be null, but is not the literal.
    pub(super) fn owner(&mut self, kind: Type) -> String {
        if let Some(variable) = self.variable(kind)
            && self.random.below(6) > 0
        {
            return variable;
        }
        match self.random.below(5) {
            0 => self.static_field(kind),
            1 | 2 => self.field(kind),
            3 => self.taken(kind),
            _ => None,
        }
        .unwrap_or_else(|| self.made(kind, 0))
    }

    /// An expression of a reference type.
    pub(super) fn reference(&mut self, kind: Type, depth: usize) -> String {
        match self.random.below(12) {
            0 => format!("({}) null", kind.spelled()),
            1 => self.made(kind, depth),
            2 => self.static_field(kind).unwrap_or_else(|| self.owner(kind)),
            3 | 4 => self.field(kind).unwrap_or_else(|| self.owner(kind)),
            5 if depth > 0 => {
                let condition = self.condition(depth - 1);
                format!("({condition} ? {} : {})", self.owner(kind), self.owner(kind))
            }
            6 | 7 => self.derived(kind, depth),
            _ => self.owner(kind),
        }
    }

    /// What comes out of another object: an element, a cast, a call.
    fn derived(&mut self, kind: Type, depth: usize) -> String {
        if self.once_in(3)
            && let Some(taken) = self.taken(kind)
        {
            return taken;
        }
        match kind {
            Type::Node => match self.random.below(4) {
                0 => format!("{}[{}]", self.owner(Type::Nodes), self.index()),
                1 => format!("((Node) {})", self.owner(Type::Object)),
                2 => self.owner(Type::Sub),
                _ => format!("{}.next", self.owner(Type::Node)),
            },
            Type::Sub => match self.random.below(2) {
                0 => format!("((Sub) {})", self.owner(Type::Node)),
                _ => format!("((Sub) {})", self.owner(Type::Object)),
            },
            Type::Shape => match self.random.below(4) {
                0 => format!("{}[{}]", self.owner(Type::Shapes), self.index()),
                1 => self.owner(Type::Square),
                2 => self.owner(Type::Wrap),
                _ => format!("((Shape) {})", self.owner(Type::Object)),
            },
            Type::Square | Type::Wrap => {
                format!("(({}) {})", kind.spelled(), self.owner(Type::Shape))
            }
            Type::Boxed => match self.random.below(4) {
                0 => format!("Integer.valueOf({})", self.int(depth)),
                1 => format!("{}.get()", self.owner(Type::Cell)),
                2 => format!("((Integer) {})", self.owner(Type::Object)),
                _ => format!("(Integer) (int) ({})", self.int(depth)),
            },
            Type::BoxedLong => format!("Long.valueOf({})", self.long(depth)),
            Type::Text => self.derived_text(depth),
            Type::Object => {
                let kind =
                    [Type::Node, Type::Text, Type::Boxed, Type::Ints, Type::Shape, Type::Color]
                        [self.random.below(6)];
                format!("((Object) {})", self.owner(kind))
            }
            Type::Ints => match self.random.below(4) {
                0 => format!("{}[{}]", self.owner(Type::Rows), self.index()),
                1 => format!("{}.clone()", self.owner(Type::Ints)),
                2 => {
                    let (owner, length) = (self.owner(Type::Ints), self.int(0));
                    format!("java.util.Arrays.copyOf({owner}, {length} & 15)")
                }
                _ => format!("((int[]) {})", self.owner(Type::Object)),
            },
            Type::Color => format!("Color.values()[{}]", self.index()),
            Type::Chars => format!("{}.toCharArray()", self.owner(Type::Text)),
            _ => self.owner(kind),
        }
    }

    /// What a container of the library holds that a static field keeps.
    pub(super) fn taken(&mut self, kind: Type) -> Option<String> {
        match kind {
            Type::Node => match self.random.below(3) {
                0 => self
                    .static_field(Type::NodeList)
                    .map(|list| format!("{list}.get({})", self.index())),
                1 => self.static_field(Type::NodeMap).map(|map| format!("{map}.get(\"a\")")),
                _ => self.static_field(Type::NodeSlot).map(|slot| format!("{slot}.get()")),
            },
            Type::Ints => self
                .static_field(Type::IntsList)
                .map(|list| format!("{list}.get({})", self.index())),
            _ => None,
        }
    }

    fn derived_text(&mut self, depth: usize) -> String {
        if self.once_in(3) {
            return self.built(depth);
        }
        let owner = self.owner(Type::Text);
        match self.random.below(7) {
            0 => format!("({owner} + {})", self.owner(Type::Text)),
            1 => format!("({owner} + '{}')", self.letter()),
            2 => format!("{owner}.substring({})", self.random.below(3)),
            3 => format!("{}[{}]", self.owner(Type::Texts), self.index()),
            4 => format!("{}.label()", self.owner(Type::Point)),
            5 => format!("({owner} + ({} & 7))", self.int(depth.min(1))),
            _ => format!("((String) {})", self.owner(Type::Object)),
        }
    }

    /// A new object, or a constant.
    pub(super) fn made(&mut self, kind: Type, depth: usize) -> String {
        match kind {
            // The compiler refuses comparisons that it can answer, so the type is the one that is asked for.
            Type::Node => ["new Node()", "((Node) new Sub())"][self.random.below(2)].to_owned(),
            Type::Sub => "new Sub()".to_owned(),
            Type::Shape => {
                ["((Shape) new Square())", "((Shape) new Wrap())"][self.random.below(2)].to_owned()
            }
            Type::Square => "new Square()".to_owned(),
            Type::Wrap => "new Wrap()".to_owned(),
            Type::Text => self.two_texts().0,
            Type::Boxed => match self.random.below(3) {
                0 => format!("new Integer({})", self.literal()),
                _ => format!("Integer.valueOf({})", self.literal()),
            },
            Type::BoxedLong => format!("Long.valueOf({})", self.long(0)),
            Type::Ints => match self.random.below(4) {
                0 => format!("(new int[] {{{}, {}}})", self.int(depth), self.int(0)),
                2 => format!("(new int[{} & 15])", self.int(0)),
                1 => format!("(new int[{}])", self.random.below(4)),
                _ => format!("(new int[] {{{}}})", self.literal()),
            },
            Type::Longs => format!("(new long[] {{{}, {}}})", self.long(0), self.long(0)),
            Type::Chars => format!("(new char[] {{'{}', '{}'}})", self.letter(), self.letter()),
            Type::Texts => format!("(new String[] {{{}, null}})", self.two_texts().0),
            Type::Rows => {
                ["(new int[2][1])", "(new int[][] {{1}, {2, 3}})"][self.random.below(2)].to_owned()
            }
            Type::Nodes => match self.random.below(3) {
                0 => "(new Node[2])".to_owned(),
                1 => "((Node[]) new Sub[1])".to_owned(),
                _ => format!("(new Node[] {{{}}})", self.owner(Type::Node)),
            },
            Type::Shapes => {
                ["(new Shape[2])", "((Shape[]) new Square[1])"][self.random.below(2)].to_owned()
            }
            Type::Color => {
                ["Color.RED", "Color.GREEN", "Color.BLUE"][self.random.below(3)].to_owned()
            }
            Type::Point => format!("new Point({}, {})", self.int(0), self.two_texts().0),
            Type::Op => "new Inc()".to_owned(),
            Type::Cell => format!("new Cell<Integer>({})", self.literal()),
            Type::Object => "new Object()".to_owned(),
            _ => self.expression(kind, 0),
        }
    }

    pub(super) fn type_test(&mut self) -> String {
        let (owner, class) = self.tested();
        format!("{owner} instanceof {class}")
    }

    /// An expression, and a type that it can be tested for.
    pub(super) fn tested(&mut self) -> (String, &'static str) {
        match self
            .draw(3, |number| [Some(Type::Node), Some(Type::Shape), Some(Type::Object)][number])
        {
            0 => (self.owner(Type::Node), "Sub"),
            1 => (self.owner(Type::Shape), self.random.pick(&["Square", "Wrap"])),
            _ => {
                let class = self.random.pick(&[
                    "Node", "Sub", "String", "Integer", "int[]", "Shape", "Color", "Point",
                    "Node[]", "Square",
                ]);
                (self.owner(Type::Object), class)
            }
        }
    }
}
