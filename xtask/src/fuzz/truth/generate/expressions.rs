//! Expressions of primitive types.
//!
//! Arithmetic is kept to what a solver does in a moment: products have a small factor, floats are
//! mostly added and compared.

use super::{OWNERS, Type, Writer};

impl Writer<'_> {
    /// An expression of a type.
    pub(super) fn expression(&mut self, kind: Type, depth: usize) -> String {
        match kind {
            Type::Int => self.int(depth),
            Type::Long => self.long(depth),
            Type::Short | Type::Byte | Type::Char => self.narrow(kind, depth),
            Type::Float => self.float(depth),
            Type::Double => self.double(depth),
            Type::Boolean => self.condition(depth),
            _ => self.reference(kind, depth),
        }
    }

    /// A variable, a field or a static field of a type.
    fn stored(&mut self, kind: Type) -> Option<String> {
        match self.random.below(6) {
            0 => self.static_field(kind).or_else(|| self.variable(kind)),
            1 | 2 => self.field(kind).or_else(|| self.variable(kind)),
            _ => self.variable(kind).or_else(|| self.field(kind)),
        }
    }

    pub(super) fn static_field(&mut self, kind: Type) -> Option<String> {
        let fitting = self.design.statics.iter().filter(|item| item.kind == kind);
        let names: Vec<&'static str> = fitting.map(|item| item.name).collect();
        if names.is_empty() {
            return None;
        }
        Some(format!("@GROUP@.{}", self.random.pick(&names)))
    }

    /// A field of some object.
    pub(super) fn field(&mut self, kind: Type) -> Option<String> {
        let start = self.random.below(OWNERS.len());
        for turn in 0..OWNERS.len() {
            let owner = OWNERS[(start + turn) % OWNERS.len()];
            let fields = self.design.fields_of(owner);
            let fitting: Vec<_> = fields.iter().filter(|field| field.kind == kind).collect();
            if fitting.is_empty() {
                continue;
            }
            if let Some(variable) = self.variable(owner) {
                let field = &fitting[self.random.below(fitting.len())].name;
                return Some(format!("{variable}.{field}"));
            }
        }
        None
    }

    pub(super) fn number(&mut self) -> i64 {
        let value = match self.random.below(24) {
            0 => i64::from(i32::MAX),
            1 => i64::from(i32::MIN),
            2 => 100,
            3 => 127,
            4 => 128,
            5 => 65535,
            6 => 1000 + self.random.below(1000) as i64,
            small => small as i64 % 9 - 2,
        };
        self.literals.numbers.insert(value);
        value
    }

    pub(super) fn literal(&mut self) -> String {
        let number = self.number();
        if number < 0 { format!("({number})") } else { number.to_string() }
    }

    fn simple_int(&mut self) -> String {
        if self.once_in(4) {
            return self.literal();
        }
        match self.stored(Type::Int) {
            Some(stored) => stored,
            None => self.literal(),
        }
    }

    pub(super) fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple_int();
        }
        let less = depth - 1;
        match self.draw(40, |number| match number {
            16 | 17 => Some(Type::Ints),
            19 | 20 => Some(Type::Text),
            21 => Some(Type::Long),
            22 => Some(Type::Float),
            24 => Some(Type::Boxed),
            26 => Some(Type::Color),
            29 => Some(Type::Op),
            32 => Some(Type::Point),
            33 => Some(Type::Rows),
            34 => Some(Type::Cell),
            _ => None,
        }) {
            0..=4 => self.simple_int(),
            5..=9 => {
                let sign = self.random.pick(&["+", "-", "+", "-", "&", "|", "^"]);
                format!("({} {sign} {})", self.int(less), self.int(less))
            }
            10 => format!("({} * {})", self.int(less), 2 + self.random.below(6)),
            11 => format!("({} / {})", self.int(less), self.divisor()),
            12 => format!("({} % {})", self.int(less), self.divisor()),
            13 => {
                let sign = self.random.pick(&["<<", ">>", ">>>"]);
                format!("({} {sign} {})", self.int(less), self.random.below(34))
            }
            14 => format!("({}{})", self.random.pick(&["-", "~"]), self.int(less)),
            15 => {
                let condition = self.condition(less);
                format!("({condition} ? {} : {})", self.int(less), self.int(less))
            }
            16 | 17 => self.element(Type::Ints),
            18 => self.length(),
            19 | 20 => self.text_number(less),
            21 => format!("(int) {}", self.long(less)),
            22 => format!("(int) {}", self.float(less)),
            23 => {
                let kind = [Type::Char, Type::Byte, Type::Short][self.random.below(3)];
                format!("({} + {})", self.narrow(kind, 0), self.int(less))
            }
            24 => format!("({} + {})", self.reference(Type::Boxed, less), self.int(less)),
            25 => self.library(less),
            26 => {
                let color = self.owner(Type::Color);
                format!("{color}.{}", self.random.pick(&["ordinal()", "rank()", "weight"]))
            }
            27 | 28 => self.call(less),
            29 => format!("{}.apply({})", self.owner(Type::Op), self.int(less)),
            30 => self.switch_expression(less),
            31 => self.effect(less),
            32 => {
                let point = self.owner(Type::Point);
                format!("{point}.{}", self.random.pick(&["x()", "sum()"]))
            }
            33 => {
                let rows = self.owner(Type::Rows);
                format!("{rows}[{}][{}]", self.int(0), self.int(0))
            }
            34 => format!("(0 + {}.get())", self.owner(Type::Cell)),
            35 | 36 => self.odd_int(less),
            37 | 38 => self.held_int(less),
            _ => self.nested(less),
        }
    }

    /// Mostly not zero.
    fn divisor(&mut self) -> String {
        match self.random.below(4) {
            0 => self.simple_int(),
            1 => "(-1)".to_owned(),
            _ => (2 + self.random.below(5)).to_string(),
        }
    }

    fn element(&mut self, array: Type) -> String {
        let owner = self.owner(array);
        format!("{owner}[{}]", self.index())
    }

    /// An index: often a small constant or a variable.
    pub(super) fn index(&mut self) -> String {
        match self.random.below(4) {
            0 | 1 => self.random.below(3).to_string(),
            2 => self.simple_int(),
            _ => format!("({} & 1)", self.simple_int()),
        }
    }

    fn length(&mut self) -> String {
        let kinds = [Type::Ints, Type::Nodes, Type::Texts, Type::Chars, Type::Longs, Type::Rows];
        let present: Vec<Type> = kinds.into_iter().filter(|&kind| self.has(kind)).collect();
        if present.is_empty() {
            return self.simple_int();
        }
        let kind = present[self.random.below(present.len())];
        format!("{}.length", self.owner(kind))
    }

    fn text_number(&mut self, depth: usize) -> String {
        let text = self.owner(Type::Text);
        match self.random.below(7) {
            0..=2 => format!("{text}.length()"),
            3 | 4 => format!("{text}.charAt({})", self.index()),
            5 => format!("{text}.indexOf('{}')", self.letter()),
            _ => format!("{text}.concat({}).length()", self.reference(Type::Text, depth)),
        }
    }

    /// A letter for a literal.
    pub(super) fn letter(&mut self) -> char {
        let letter = ['a', 'b', '0', '7', ' ', 'Z'][self.random.below(6)];
        self.literals.numbers.insert(letter as i64);
        letter
    }

    fn library(&mut self, depth: usize) -> String {
        let (a, b) = (self.int(depth), self.int(depth));
        match self.random.below(9) {
            0 => format!("Math.max({a}, {b})"),
            1 => format!("Math.min({a}, {b})"),
            2 => format!("Math.abs({a})"),
            3 => format!("Math.floorMod({a}, {})", 2 + self.random.below(5)),
            4 => format!("Math.floorDiv({a}, {})", 2 + self.random.below(5)),
            5 => format!("Integer.compare({a}, {b})"),
            6 => format!("Integer.signum({a})"),
            7 => format!("Integer.compareUnsigned({a}, {b})"),
            _ => format!("Long.compare({}, {b})", self.long(depth)),
        }
    }

    /// A call of one of the group's own methods.
    fn call(&mut self, depth: usize) -> String {
        match self.draw(10, |number| match number {
            0 | 1 | 4..=6 => Some(Type::Node),
            2 | 3 => Some(Type::Shape),
            7 => Some(Type::Ints),
            _ => None,
        }) {
            0 | 1 => format!("{}.size()", self.owner(Type::Node)),
            2 => format!("{}.area()", self.owner(Type::Shape)),
            3 => format!("{}.twice()", self.owner(Type::Shape)),
            4 => format!("{}.plus({})", self.owner(Type::Node), self.int(depth)),
            5 => format!("walk({}, {})", self.reference(Type::Node, 0), 1 + self.random.below(3)),
            6 => format!("depth({})", self.reference(Type::Node, 0)),
            7 => format!("sum({})", self.reference(Type::Ints, 0)),
            8 => format!("fold({}, {})", self.random.below(4), self.int(depth)),
            _ => format!("fold({} & 3, {})", self.int(0), self.int(0)),
        }
    }

    fn switch_expression(&mut self, depth: usize) -> String {
        match self.draw(3, |number| [None, Some(Type::Color), Some(Type::Text)][number]) {
            0 => {
                let value = self.int(depth);
                let first = self.random.below(3) as i64;
                self.literals.numbers.extend([first, first + 1, first + 7]);
                let arms = (self.int(0), self.int(0), self.int(0));
                format!(
                    "(switch ({value}) {{ case {first}, {} -> {}; case {} -> {}; default -> {}; }})",
                    first + 1,
                    arms.0,
                    first + 7,
                    arms.1,
                    arms.2
                )
            }
            1 => {
                let value = self.owner(Type::Color);
                let arms = (self.int(0), self.int(0));
                format!(
                    "(switch ({value}) {{ case RED -> {}; case GREEN, BLUE -> {}; }})",
                    arms.0, arms.1
                )
            }
            _ => {
                let value = self.owner(Type::Text);
                let (a, b) = self.two_texts();
                let arms = (self.int(0), self.int(0), self.int(0));
                format!(
                    "(switch ({value}) {{ case {a} -> {}; case {b} -> {{ yield {}; }} default -> {}; }})",
                    arms.0, arms.1, arms.2
                )
            }
        }
    }

    /// Two different texts.
    pub(super) fn two_texts(&mut self) -> (String, String) {
        // "Aa" and "BB" have the same hash code.
        let (a, b) =
            [("", "a"), ("a", "b"), ("ab", "a"), ("Aa", "BB"), ("07", "7")][self.random.below(5)];
        self.literals.texts.extend([a.to_owned(), b.to_owned()]);
        (format!("\"{a}\""), format!("\"{b}\""))
    }

    /// An expression that changes something.
    fn effect(&mut self, depth: usize) -> String {
        let Some(target) = self.target(Type::Int) else { return self.simple_int() };
        match self.random.below(4) {
            0 => format!("({target}++)"),
            1 => format!("(--{target})"),
            2 => format!("({target} += {})", self.int(depth)),
            _ => format!("({target} = {})", self.int(depth)),
        }
    }

    /// An object or array made on the spot.
    fn nested(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => format!("new int[] {{{}, {}}}[{}]", self.int(depth), self.int(0), self.index()),
            1 => format!("new Point({}, {}).sum()", self.int(depth), self.reference(Type::Text, 0)),
            2 => format!("new int[{}].length", self.random.below(4)),
            _ => format!("(int) (Integer) (Object) {}", self.reference(Type::Boxed, depth)),
        }
    }

    pub(super) fn long(&mut self, depth: usize) -> String {
        if depth == 0 || self.once_in(3) {
            let stored = self.stored(Type::Long);
            let literal = self.literal();
            return stored.unwrap_or_else(|| format!("{}L", literal.trim_matches(['(', ')'])));
        }
        let less = depth - 1;
        match self.random.below(10) {
            0..=3 => {
                let sign = self.random.pick(&["+", "-", "&", "|", "^"]);
                format!("({} {sign} {})", self.long(less), self.long(less))
            }
            4 => format!("({} * {}L)", self.long(less), 2 + self.random.below(3)),
            5 => format!("({} >>> {})", self.long(less), self.random.below(66)),
            6 => format!("(long) {}", self.int(less)),
            7 => format!("({} + {})", self.reference(Type::BoxedLong, less), self.long(less)),
            8 => self.element(Type::Longs),
            _ => format!("({} - {})", self.int(less), self.long(less)),
        }
    }

    fn narrow(&mut self, kind: Type, depth: usize) -> String {
        if self.once_in(3) && kind == Type::Char {
            return match self.random.below(3) {
                0 => format!("'{}'", self.letter()),
                1 => self.element(Type::Chars),
                _ => format!("{}.charAt({})", self.owner(Type::Text), self.index()),
            };
        }
        if self.random.below(3) > 0
            && let Some(stored) = self.stored(kind)
        {
            return stored;
        }
        format!("({}) ({})", kind.spelled(), self.int(depth.min(1)))
    }

    pub(super) fn float(&mut self, depth: usize) -> String {
        const LITERALS: [&str; 8] =
            ["0f", "1f", "-0f", "0.5f", "Float.NaN", "1e10f", "Float.POSITIVE_INFINITY", "-2f"];
        if depth == 0 || self.once_in(2) {
            let stored = self.stored(Type::Float);
            let literal = format!("({})", self.random.pick(&LITERALS));
            return stored.unwrap_or(literal);
        }
        match self.random.below(5) {
            0 => format!("({} + {})", self.float(0), self.float(0)),
            1 => format!("({} - {})", self.float(0), self.float(0)),
            2 => format!("({} * 2f)", self.float(0)),
            3 => format!("(float) {}", self.int(0)),
            _ => format!("(-{})", self.float(0)),
        }
    }

    pub(super) fn double(&mut self, depth: usize) -> String {
        const LITERALS: [&str; 6] = ["0.0", "1.0", "-0.0", "0.5", "Double.NaN", "1e300"];
        if depth == 0 || self.once_in(2) {
            let stored = self.stored(Type::Double);
            let literal = format!("({})", self.random.pick(&LITERALS));
            return stored.unwrap_or(literal);
        }
        match self.random.below(5) {
            0 => format!("({} + {})", self.double(0), self.double(0)),
            1 => format!("(double) {}", self.int(0)),
            2 => format!("(double) {}", self.float(0)),
            3 => format!("Math.abs({})", self.double(0)),
            _ => format!("(-{})", self.double(0)),
        }
    }

    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.once_in(4) {
            let less = depth - 1;
            return match self.random.below(5) {
                0 => format!("!({})", self.condition(less)),
                1 | 2 => format!("({} && {})", self.condition(less), self.condition(less)),
                3 => format!("({} || {})", self.condition(less), self.condition(less)),
                _ => format!("(({}) ^ ({}))", self.condition(0), self.condition(0)),
            };
        }
        let less = depth.saturating_sub(1);
        let sign = self.random.pick(&["<", ">", "==", "!=", "<=", ">="]);
        let same = self.random.pick(&["==", "!="]);
        match self.draw(20, |number| match number {
            5 => Some(Type::Long),
            6 | 16 => Some(Type::Float),
            7 => Some(Type::Double),
            8 => Some(Type::Char),
            13 | 14 => Some(Type::Text),
            _ => None,
        }) {
            0..=4 => format!("{} {sign} {}", self.int(depth), self.int(0)),
            5 => format!("{} {sign} {}", self.long(less), self.long(0)),
            6 => format!("{} {sign} {}", self.float(less), self.float(0)),
            7 => format!("{} {sign} {}", self.double(less), self.double(0)),
            8 => format!("{} {sign} {}", self.narrow(Type::Char, 0), self.narrow(Type::Char, 0)),
            9 | 10 => {
                let kind = self.some_reference();
                format!("{} {same} null", self.owner(kind))
            }
            11 => {
                let kind = self.some_reference();
                format!("{} {same} {}", self.owner(kind), self.reference(kind, 0))
            }
            12 => self.type_test(),
            13 | 14 => self.text_test(less),
            15 => {
                self.stored(Type::Boolean).unwrap_or_else(|| format!("even({} & 3)", self.int(0)))
            }
            16 => {
                let test = self.random.pick(&["isNaN", "isInfinite"]);
                format!("Float.{test}({})", self.float(less))
            }
            17 | 18 => self.odd_condition(),
            _ => {
                let kind = [Type::Boxed, Type::Point, Type::Object][self.random.below(3)];
                let pair = (self.reference(kind, 0), self.reference(kind, 0));
                match self.random.below(2) {
                    0 if kind != Type::Object => {
                        format!("java.util.Objects.equals({}, {})", pair.0, pair.1)
                    }
                    _ if kind == Type::Object => format!("{} {same} {}", pair.0, pair.1),
                    _ => format!("{}.equals({})", self.owner(kind), pair.1),
                }
            }
        }
    }

    fn text_test(&mut self, depth: usize) -> String {
        let (known, _) = self.two_texts();
        let text = self.owner(Type::Text);
        match self.random.below(8) {
            0..=2 => format!("{known}.equals({text})"),
            3 => format!("{text}.isEmpty()"),
            4 => format!("{text}.startsWith({known})"),
            5 => format!("{text}.contains({known})"),
            6 => format!("{text}.equals({})", self.reference(Type::Text, depth)),
            _ => format!("Character.isDigit({})", self.narrow(Type::Char, 0)),
        }
    }
}
