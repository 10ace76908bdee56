//! More of the language and the library than the heap needs: builders, boxes, bits, floats, casts of
//! numbers, collections, copies of arrays, resources, classes inside others.

use super::{Type, Use, Writer};

impl Writer<'_> {
    /// A number by way of bits, characters, floats or mixed conversions.
    pub(super) fn odd_int(&mut self, depth: usize) -> String {
        let (a, b) = (self.int(depth), self.int(0));
        match self.random.below(22) {
            0 => format!("({a} << {b})"),
            1 => format!("({a} >>> {b})"),
            2 => format!("Integer.bitCount({a})"),
            3 => format!("Integer.numberOfLeadingZeros({a})"),
            4 => format!("Integer.highestOneBit({a})"),
            5 => format!("Integer.reverse({a})"),
            6 => format!("Integer.rotateLeft({a}, {b})"),
            7 => format!("Math.round({})", self.float(0)),
            8 => format!("Float.compare({}, {})", self.float(0), self.float(0)),
            9 => format!("Float.floatToIntBits({})", self.float(0)),
            10 => format!("Character.toUpperCase({})", self.expression(Type::Char, 0)),
            11 => format!("({} ? {a} : '{}')", self.condition(0), self.letter()),
            12 => format!("({} ? {a} : (byte) {b})", self.condition(0)),
            13 => format!("(int) ({} ? {} : {})", self.condition(0), self.int(0), self.long(0)),
            14 => format!("(int) (char) (byte) {a}"),
            15 => format!("(int) (long) {}", self.double(0)),
            16 => format!("(short) {a}"),
            17 => format!("Math.multiplyExact({} & 255, 3)", self.int(0)),
            18 => format!("Integer.divideUnsigned({a}, {})", 2 + self.random.below(5)),
            19 => format!("Integer.remainderUnsigned({a}, {})", 2 + self.random.below(5)),
            20 => format!("Long.hashCode({})", self.long(0)),
            _ => format!("(int) Math.floor({})", self.double(0)),
        }
    }

    /// A number that strings, boxes, enums or arrays have.
    pub(super) fn held_int(&mut self, depth: usize) -> String {
        match self.draw(16, |number| match number {
            0..=4 => Some(Type::Text),
            5 | 6 => Some(Type::Boxed),
            7 | 8 => Some(Type::Color),
            9 | 10 => Some(Type::Ints),
            11 => Some(Type::Point),
            12 => Some(Type::Object),
            13 => Some(Type::Sub),
            _ => None,
        }) {
            0 => format!("{}.hashCode()", self.owner(Type::Text)),
            1 => format!("{}.compareTo({})", self.owner(Type::Text), self.owner(Type::Text)),
            2 => format!("{}.lastIndexOf('{}')", self.owner(Type::Text), self.letter()),
            3 => format!("{}.indexOf({})", self.owner(Type::Text), self.two_texts().0),
            4 => format!("{}.trim().length()", self.owner(Type::Text)),
            5 => format!("{}.compareTo({})", self.owner(Type::Boxed), self.owner(Type::Boxed)),
            6 => format!("{}.hashCode()", self.owner(Type::Boxed)),
            7 => format!("{}.compareTo({})", self.owner(Type::Color), self.owner(Type::Color)),
            8 => format!("{}.name().length()", self.owner(Type::Color)),
            9 => format!("java.util.Arrays.hashCode({})", self.owner(Type::Ints)),
            10 => format!("{}.clone().length", self.owner(Type::Ints)),
            11 => format!("{}.label().length()", self.owner(Type::Point)),
            12 => {
                let owner = self.owner(Type::Object);
                let class = self.random.pick(&["Node", "Sub", "String", "int[]", "Integer"]);
                format!("({owner}.getClass() == {class}.class ? 1 : {})", self.int(0))
            }
            13 => format!("((Node) {}).a", self.owner(Type::Sub)),
            14 => format!("many({}, {})", self.int(depth), self.int(0)),
            _ => format!("new Order({}).compareTo(new Order({}))", self.int(depth), self.int(0)),
        }
    }

    pub(super) fn odd_condition(&mut self) -> String {
        let text = self.owner(Type::Text);
        match self.draw(12, |number| match number {
            0..=4 => Some(Type::Text),
            5 | 6 => Some(Type::Boxed),
            7 => Some(Type::Ints),
            8 | 9 => Some(Type::Object),
            _ => None,
        }) {
            0 => format!("{text}.equalsIgnoreCase({})", self.two_texts().0),
            1 => format!("{text}.endsWith({})", self.two_texts().1),
            2 => format!("{text} == {text}.trim()"),
            3 => format!("{text}.replace('a', 'b').equals({})", self.two_texts().1),
            4 => format!("({text} + ({})).equals(\"atrue\")", self.condition(0)),
            5 => format!("{} == {}", self.owner(Type::Boxed), self.reference(Type::Boxed, 0)),
            6 => format!(
                "{}.equals({})",
                self.owner(Type::Boxed),
                self.reference(Type::BoxedLong, 0)
            ),
            7 => format!(
                "java.util.Arrays.equals({}, {})",
                self.owner(Type::Ints),
                self.reference(Type::Ints, 0)
            ),
            8 => {
                format!("{}.equals({})", self.owner(Type::Object), self.reference(Type::Object, 0))
            }
            9 => format!("{}.getClass().isArray()", self.owner(Type::Object)),
            10 => format!("Character.isLetter({})", self.expression(Type::Char, 0)),
            _ => format!("Double.compare({}, {}) > 0", self.double(0), self.double(0)),
        }
    }

    /// A text made by concatenation or a builder.
    pub(super) fn built(&mut self, depth: usize) -> String {
        let text = self.owner(Type::Text);
        match self.random.below(8) {
            0 => format!("new StringBuilder({text}).append({}).toString()", self.int(depth.min(1))),
            1 => format!("new StringBuilder({text}).reverse().toString()"),
            2 => format!("(\"\" + {text} + {})", self.expression(Type::Char, 0)),
            3 => format!("String.valueOf({} & 15)", self.int(0)),
            4 => format!("{text}.substring({}, {})", self.index(), self.index()),
            5 => format!("(\"x\" + {})", self.reference(Type::Boxed, 0)),
            6 => format!("{text}.toUpperCase()"),
            _ => format!("({text} + ({}) + {})", self.condition(0), self.owner(Type::Color)),
        }
    }

    /// A statement about copies, resources, collections or boxes.
    pub(super) fn odd_statement(&mut self, depth: usize) {
        match self.draw(13, |number| match number {
            0 | 1 => Some(Type::Ints),
            2 => Some(Type::Nodes),
            3 => Some(Type::Boxed),
            9 => Some(Type::Node),
            _ => None,
        }) {
            0 => {
                let kind = [Type::Ints, Type::Ints, Type::Longs, Type::Nodes][self.random.below(4)];
                let (from, to) = (self.owner(kind), self.owner(kind));
                let (a, b, count) = (self.index(), self.index(), self.index());
                self.line(&format!("System.arraycopy({from}, {a}, {to}, {b}, {count});"));
            }
            1 => {
                let (array, value) = (self.owner(Type::Ints), self.int(1));
                let range = match self.random.below(2) {
                    0 => format!("{}, {}, ", self.index(), self.index()),
                    _ => String::new(),
                };
                self.line(&format!("java.util.Arrays.fill({array}, {range}{value});"));
            }
            2 => {
                let (array, value) = (self.owner(Type::Nodes), self.owner(Type::Object));
                let index = self.index();
                self.line(&format!("((Object[]) {array})[{index}] = {value};"));
            }
            3 => match self.target(Type::Boxed) {
                Some(target) => self.line(&format!("{target}++;")),
                None => self.line("i++;"),
            },
            4 => self.collection(),
            11 | 12 => self.kept(),
            5 => self.resource(depth),
            6 => self.inner(),
            7 => self.counted_down(depth),
            8 => {
                let name = self.fresh("o");
                let value = self.int(1);
                self.line(&format!(
                    "Op {name} = new Op() {{ public int apply(int x) {{ return x - 1; }} }};"
                ));
                self.line(&format!("i = {name}.apply({value});"));
                self.declare(&name, Type::Op, Use::Fixed);
            }
            9 => {
                let (node, value) = (self.owner(Type::Node), self.int(0));
                self.line(&format!("synchronized ({node}) {{ i = {value}; }}"));
            }
            _ => {
                let name = self.fresh("g");
                let value = self.int(1);
                self.line(&format!(
                    "java.util.function.Function<Integer, Integer> {name} = v -> v == null ? 0 : v + 1;"
                ));
                self.line(&format!("i = {name}.andThen({name}).apply(0 + {value});"));
            }
        }
    }

    /// Changes what a container holds that a static field keeps.
    fn kept(&mut self) {
        let node = self.owner(Type::Node);
        let line = match self.random.below(5) {
            0 => self.static_field(Type::NodeList).map(|list| format!("{list}.add({node});")),
            1 => self.static_field(Type::NodeList).map(|list| format!("{list}.set(0, {node});")),
            2 => self.static_field(Type::NodeMap).map(|map| format!("{map}.put(\"a\", {node});")),
            3 => self.static_field(Type::NodeSlot).map(|slot| format!("{slot}.set({node});")),
            _ => {
                let array = self.owner(Type::Ints);
                self.static_field(Type::IntsList).map(|list| format!("{list}.add({array});"))
            }
        };
        match line {
            Some(line) => self.line(&line),
            None => self.collection(),
        }
    }

    fn collection(&mut self) {
        let name = self.fresh("c");
        let (a, b, index) = (self.int(1), self.reference(Type::Boxed, 0), self.index());
        match self.random.below(4) {
            0 => {
                self.line(&format!(
                    "java.util.List<Integer> {name} = new java.util.ArrayList<>();"
                ));
                self.line(&format!("{name}.add(0 + {a});"));
                self.line(&format!("{name}.add({b});"));
                self.line(&format!("for (Integer x : {name}) i += x;"));
                self.line(&format!("i -= {name}.get({index});"));
            }
            1 => {
                self.line(&format!(
                    "java.util.Deque<Integer> {name} = new java.util.ArrayDeque<>();"
                ));
                self.line(&format!("{name}.push(0 + {a});"));
                let more = self.int(0);
                self.line(&format!("{name}.push(0 + {more});"));
                self.line(&format!("i = {name}.pop() - {name}.size();"));
            }
            2 => {
                let key = self.owner(Type::Color);
                self.line(&format!(
                    "java.util.Map<Color, Integer> {name} = new java.util.EnumMap<>(Color.class);"
                ));
                self.line(&format!("{name}.put(Color.RED, 0 + {a});"));
                self.line(&format!("Integer {name}x = {name}.get({key});"));
                self.declare(&format!("{name}x"), Type::Boxed, Use::Fixed);
            }
            _ => {
                self.line(&format!(
                    "java.util.Optional<Integer> {name} = java.util.Optional.ofNullable({b});"
                ));
                self.line(&format!("i = {name}.map(v -> v + 1).orElse(0 + {a});"));
            }
        }
    }

    fn resource(&mut self, depth: usize) {
        let name = self.fresh("r");
        let value = self.int(0);
        self.line(&format!("try (Gate {name} = new Gate({value})) {{"));
        self.block(depth.min(1), 1);
        self.line(&format!("    if ({name}.left == 1) throw new Oops(1);"));
        self.line("} catch (Oops e) {");
        self.line("    i = e.code;");
        self.line("}");
    }

    fn inner(&mut self) {
        let name = self.fresh("n");
        let owner = self.owner(Type::Node);
        self.line(&format!("Node.Inner {name} = {owner}.new Inner();"));
        self.line(&format!("i = {name}.seen();"));
    }

    fn counted_down(&mut self, depth: usize) {
        let name = self.fresh("w");
        let start = self.int(0);
        self.line(&format!("int {name} = {start} & 3;"));
        let before = self.scope.len();
        self.declare(&name, Type::Int, Use::Counter);
        let label = self.fresh("l");
        self.line(&format!("{label}: do {{"));
        self.loops += 1;
        let rest = std::mem::replace(&mut self.budget, 1);
        self.block(depth.min(1), 1);
        self.budget = rest.saturating_sub(1);
        self.loops -= 1;
        let condition = self.condition(0);
        self.line(&format!("    for (int z = 0; z < 2; z++) if ({condition}) break {label};"));
        self.line(&format!("}} while (--{name} > 0);"));
        self.scope.truncate(before);
    }
}
