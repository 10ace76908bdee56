//! Conditions for asserts: some always hold, some fail for a few inputs only, some are random.

use super::{Type, Writer};

impl Writer<'_> {
    /// A condition to be asserted.
    pub(super) fn asserted(&mut self) -> String {
        match self.draw(11, |number| match number {
            5 => Some(Type::Node),
            6 => Some(Type::Text),
            7 => Some(Type::Float),
            _ => None,
        }) {
            0 | 10 => self.condition(2),
            1..=3 if !self.held.is_empty() => {
                let place = self.random.below(self.held.len());
                self.held[place].clone()
            }
            4 => self.rare(),
            5 => self.about_references(),
            6 => self.about_texts(),
            7 => self.about_floats(),
            _ => self.about_ints(),
        }
    }

    /// Fails for one value, if at all.
    fn rare(&mut self) -> String {
        let condition = self.condition(1);
        format!("{} != {} || {condition}", self.int(1), self.literal())
    }

    fn about_ints(&mut self) -> String {
        let x = self.variable(Type::Int).unwrap_or_else(|| self.int(0));
        let y = self.int(1);
        let small = 2 + self.random.below(6);
        match self.random.below(20) {
            0 => format!("{x} <= Math.max({x}, {y})"),
            1 => format!("({x} & {small}) <= {small}"),
            2 => format!("{x} % {small} < {small}"),
            3 => format!("{x} % {small} >= 0"),
            4 => format!("{x} - {small} + {small} == {x}"),
            5 => format!("({x} ^ {y} ^ {y}) == {x}"),
            6 => format!("{x} + 1 > {x}"),
            7 => format!("(long) {x} + 1 > {x}"),
            8 => format!("Math.abs({x}) >= 0"),
            9 => format!("-{x} != {x} || {x} == 0"),
            10 => format!("{x} / {small} * {small} + {x} % {small} == {x}"),
            11 => format!("Math.floorMod({x}, {small}) >= 0"),
            12 => format!("{x} >> 31 == 0 || {x} < 0"),
            13 => format!("(byte) {x} == {x} || {x} > 127 || {x} < -128"),
            14 => format!("{x} * 2 / 2 == {x} || {x} > 1073741823 || {x} < -1073741824"),
            15 => format!("({x} < {y}) == ({y} > {x})"),
            16 => format!("{x} < {y} || {x} >= {y}"),
            17 => format!("(char) {x} >= 0"),
            18 => format!("Integer.compare({x}, {y}) == Integer.signum(Integer.compare({x}, {y}))"),
            _ => format!("(int) (long) {x} == {x}"),
        }
    }

    fn about_floats(&mut self) -> String {
        let float = self.float(1);
        let (x, y) = (self.float(0), self.float(0));
        let d = self.double(0);
        match self.random.below(9) {
            0 => format!("{x} == {x}"),
            1 => format!("{x} == {x} || Float.isNaN({x})"),
            2 => format!("!({x} < {y}) || !({y} < {x})"),
            3 => format!("{x} <= {y} || {x} >= {y} || {x} != {x} || {y} != {y}"),
            4 => format!("-(-{x}) == {x} || {x} != {x}"),
            5 => format!("(int) {x} <= {x} || {x} < 0 || {x} != {x}"),
            6 => format!("(float) (double) {x} == {x} || {x} != {x}"),
            7 => format!("{d} != {d} || Math.abs({d}) >= 0"),
            _ => format!("{float} != 1f || {x} != {y}"),
        }
    }

    fn about_texts(&mut self) -> String {
        let text = self.owner(Type::Text);
        let other = self.owner(Type::Text);
        let (known, _) = self.two_texts();
        match self.random.below(8) {
            0 => format!("{text}.length() >= 0"),
            1 => format!("!{text}.equals({known}) || {text}.length() == {known}.length()"),
            2 => format!("({text} + {other}).length() >= 2"),
            3 => format!("!{text}.startsWith({known}) || {text}.length() >= {known}.length()"),
            4 => format!("{text} != {other} || {text} == null || {text}.equals({other})"),
            5 => format!("{text} == null || {text}.concat({known}).endsWith({known})"),
            6 => format!("{text} == null || !{text}.equals({known}) || {text} == {known}"),
            _ => format!("{text}.isEmpty() == ({text}.length() == 0)"),
        }
    }

    fn about_references(&mut self) -> String {
        let (p, q) = (self.owner(Type::Node), self.owner(Type::Node));
        let shape = self.owner(Type::Shape);
        let color = self.owner(Type::Color);
        let boxed = self.owner(Type::Boxed);
        let object = self.owner(Type::Object);
        match self.draw(11, |number| match number {
            0..=2 | 9 => Some(Type::Node),
            3 => Some(Type::Shape),
            4 | 5 => Some(Type::Color),
            6 | 7 => Some(Type::Boxed),
            _ => Some(Type::Object),
        }) {
            0 => format!("{p} != {q} || {p} == null || {p}.a == {q}.a"),
            1 => format!("{p} == null || {p}.next != {p}"),
            2 => format!("!({p} instanceof Sub) || {p} != null"),
            3 => format!("{shape} == null || {shape} instanceof Square || {shape} instanceof Wrap"),
            4 => format!("{color} == null || {color}.ordinal() < 3"),
            5 => format!("{color} == Color.RED || {color} != Color.values()[0]"),
            6 => format!("{boxed} == null || {boxed}.equals({boxed}.intValue())"),
            7 => format!("{boxed} == null || {boxed} == Integer.valueOf({boxed})"),
            8 => format!("!({object} instanceof Sub) || {object} instanceof Node"),
            9 => format!("{p} == null || {q} == null || {p}.next == null || {p}.next != {q}"),
            _ => format!("(Object) {p} != {object} || {p} == null || {object} instanceof Node"),
        }
    }
}
