//! Methods and their statements. Nothing is unreachable: jumps stand below an `if`.

use super::{OWNERS, Type, Use, Writer};

/// What parameters are, the frequent ones several times.
const PARAMETERS: [Type; 34] = [
    Type::Int,
    Type::Int,
    Type::Int,
    Type::Int,
    Type::Long,
    Type::Short,
    Type::Byte,
    Type::Char,
    Type::Float,
    Type::Double,
    Type::Boolean,
    Type::Text,
    Type::Text,
    Type::Text,
    Type::Boxed,
    Type::BoxedLong,
    Type::Ints,
    Type::Ints,
    Type::Longs,
    Type::Chars,
    Type::Texts,
    Type::Rows,
    Type::Node,
    Type::Node,
    Type::Node,
    Type::Sub,
    Type::Nodes,
    Type::Shape,
    Type::Square,
    Type::Color,
    Type::Point,
    Type::Op,
    Type::Cell,
    Type::Object,
];

impl Writer<'_> {
    /// The text of a method that is checked.
    pub(super) fn method(&mut self, case: u64, is_inside: bool) -> String {
        self.indent = if is_inside { 2 } else { 1 };
        let mut list = Vec::new();
        for place in 0..2 + self.random.below(3) {
            let kind = PARAMETERS[self.random.below(PARAMETERS.len())];
            let name = format!("p{place}");
            list.push(format!("{} {name}", kind.spelled()));
            let allows = if self.once_in(3) { Use::Assigned } else { Use::Fixed };
            self.declare(&name, kind, allows);
        }
        let word = if is_inside { "" } else { "static " };
        if is_inside {
            self.declare("this", Type::Node, Use::Fixed);
        }
        self.line(&format!("{word}int m{case}({}) {{", list.join(", ")));
        self.indent += 1;
        self.guards();
        let initial = self.int(1);
        self.line(&format!("int i = {initial};"));
        self.declare("i", Type::Int, Use::Assigned);
        let guarded = self.random.below(10) < 3;
        if guarded {
            self.line("try {");
            self.indent += 1;
        }
        let before = self.scope.len();
        for _ in 0..2 + self.random.below(4) {
            self.statement(2);
        }
        self.assertion();
        if guarded {
            self.scope.truncate(before);
            self.indent -= 1;
            let class = self.random.pick(&["RuntimeException", "NullPointerException | Oops"]);
            self.line(&format!("}} catch ({class} e) {{"));
            self.line("    i = -9;");
            self.line("}");
            if self.once_in(3) {
                self.assertion();
            }
        }
        let result = self.int(1);
        self.line(&format!("return {result};"));
        self.indent -= 1;
        self.line("}");
        std::mem::take(&mut self.text)
    }

    /// Leaves early on null, so that what follows is reached.
    fn guards(&mut self) {
        for variable in self.scope.clone() {
            if variable.kind.is_primitive() || variable.name == "this" || self.once_in(3) {
                continue;
            }
            let name = &variable.name;
            self.line(&format!("if ({name} == null) return 0;"));
            if self.once_in(2) {
                match variable.kind {
                    Type::Ints | Type::Nodes | Type::Texts | Type::Longs | Type::Chars => {
                        self.line(&format!("if ({name}.length < 2) return 1;"));
                    }
                    Type::Text => self.line(&format!("if ({name}.length() < 1) return 1;")),
                    _ => {}
                }
            }
        }
    }

    fn assertion(&mut self) {
        let condition = self.asserted();
        self.line(&format!("assert {condition};"));
    }

    pub(super) fn block(&mut self, depth: usize, count: usize) {
        let before = self.scope.len();
        self.indent += 1;
        for _ in 0..count {
            self.statement(depth);
        }
        self.indent -= 1;
        self.scope.truncate(before);
    }

    fn statement(&mut self, depth: usize) {
        let compound = depth > 0 && self.budget > 0;
        match self.random.below(if compound { 29 } else { 14 }) {
            0 | 1 => self.assign(),
            2 | 3 => self.local(),
            4 | 5 => self.store(),
            6 => self.compound(),
            7 => self.lambda(),
            8 | 13 => self.jump(),
            9 | 10 => self.assertion(),
            11 => {
                let value = self.int(2);
                self.line(&format!("i = {value};"));
            }
            12 => self.static_store(),
            other => {
                self.budget -= 1;
                match other {
                    14..=18 => self.branch(depth - 1),
                    19 => self.pattern(depth - 1),
                    20 => self.old_switch(depth - 1),
                    21..=23 => self.repeat(depth - 1),
                    24..=26 => self.odd_statement(depth - 1),
                    _ => self.attempt(depth - 1),
                }
            }
        }
    }

    fn local(&mut self) {
        let mut kind = PARAMETERS[self.random.below(PARAMETERS.len())];
        if !self.has(kind) && self.random.below(4) > 0 {
            let place = self.random.below(self.scope.len());
            kind = self.scope[place].kind;
        }
        let value = self.expression(kind, 1);
        let name = self.fresh("v");
        self.line(&format!("{} {name} = {value};", kind.spelled()));
        let allows = if self.once_in(2) { Use::Assigned } else { Use::Fixed };
        self.declare(&name, kind, allows);
    }

    fn assign(&mut self) {
        let kinds: Vec<Type> =
            self.scope.iter().filter(|v| v.allows == Use::Assigned).map(|v| v.kind).collect();
        let kind = if kinds.is_empty() { Type::Int } else { kinds[self.random.below(kinds.len())] };
        let value = self.expression(kind, 1);
        match self.target(kind) {
            Some(target) => self.line(&format!("{target} = {value};")),
            None => self.local(),
        }
    }

    /// A store into a field or an element.
    fn store(&mut self) {
        let arrays = [
            (Type::Ints, Type::Int),
            (Type::Nodes, Type::Node),
            (Type::Texts, Type::Text),
            (Type::Longs, Type::Long),
            (Type::Chars, Type::Char),
            (Type::Rows, Type::Ints),
            (Type::Shapes, Type::Shape),
        ];
        if self.once_in(2) {
            let present = |(array, _): &&(Type, Type)| self.scope.iter().any(|v| v.kind == *array);
            let present: Vec<_> = arrays.iter().filter(present).copied().collect();
            if !present.is_empty() {
                let (array, kind) = present[self.random.below(present.len())];
                let (owner, index) = (self.owner(array), self.index());
                let value = self.expression(kind, 1);
                self.line(&format!("{owner}[{index}] = {value};"));
                return;
            }
        }
        let owner = OWNERS[self.random.below(OWNERS.len())];
        if !self.scope.iter().any(|v| v.kind == owner) {
            return self.assign();
        }
        let fields = self.design.fields_of(owner);
        let field = fields[self.random.below(fields.len())].clone();
        let owner = self.owner(owner);
        let value = self.expression(field.kind, 1);
        self.line(&format!("{owner}.{} = {value};", field.name));
    }

    fn compound(&mut self) {
        let kinds = [Type::Int, Type::Long, Type::Byte, Type::Short, Type::Char, Type::Float];
        let kind = kinds[self.random.below(kinds.len())];
        let sign = self.random.pick(&["+=", "-=", "^=", "*="]);
        let sign = if kind == Type::Float { "+=" } else { sign };
        let value = if sign == "*=" { "3".to_owned() } else { self.int(1) };
        match self.target(kind) {
            Some(target) => self.line(&format!("{target} {sign} {value};")),
            None => match self.variable(Type::Ints) {
                Some(array) => {
                    let index = self.index();
                    self.line(&format!("{array}[{index}] {sign} {value};"));
                }
                None => self.line(&format!("i {sign} {value};")),
            },
        }
    }

    fn static_store(&mut self) {
        let open: Vec<_> = self.design.statics.iter().filter(|item| !item.is_final).collect();
        if open.is_empty() {
            return self.local();
        }
        let item = open[self.random.below(open.len())];
        let value = self.expression(item.kind, 1);
        self.written.insert(item.name);
        self.line(&format!("@GROUP@.{} = {value};", item.name));
    }

    fn lambda(&mut self) {
        let name = self.fresh("f");
        let body = match self.random.below(9) {
            0 => "Math::abs".to_owned(),
            1 => format!("{}::plus", self.owner(Type::Node)),
            2 => format!("{}::apply", self.owner(Type::Op)),
            3 => "new Inc()::apply".to_owned(),
            4 => "(x) -> { if (x == 3) throw new Oops(x); return x + 1; }".to_owned(),
            _ => {
                let was = std::mem::replace(&mut self.frozen, true);
                self.declare("x", Type::Int, Use::Fixed);
                let body = self.int(2);
                self.scope.pop();
                self.frozen = was;
                format!("x -> {body}")
            }
        };
        self.line(&format!("Op {name} = {body};"));
        self.declare(&name, Type::Op, Use::Fixed);
    }

    fn jump(&mut self) {
        let condition = self.condition(1);
        let jump = match self.random.below(6) {
            0 | 1 if self.loops > 0 => "break;".to_owned(),
            2 if self.loops > 0 => "continue;".to_owned(),
            0 | 3 => format!("throw new Oops({});", self.int(0)),
            _ => format!("return {};", self.int(1)),
        };
        self.line(&format!("if ({condition}) {jump}"));
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition(2);
        self.line(&format!("if ({condition}) {{"));
        self.held.push(condition.clone());
        let count = 1 + self.random.below(2);
        self.block(depth, count);
        self.held.pop();
        if self.once_in(2) {
            self.line("} else {");
            self.held.push(format!("!({condition})"));
            self.block(depth, 1);
            self.held.pop();
        }
        self.line("}");
    }

    fn pattern(&mut self, depth: usize) {
        let (owner, class) = self.tested();
        let kind = match class {
            "Node" => Type::Node,
            "Sub" => Type::Sub,
            "String" => Type::Text,
            "Integer" => Type::Boxed,
            "int[]" => Type::Ints,
            "Shape" => Type::Shape,
            "Color" => Type::Color,
            "Point" => Type::Point,
            "Node[]" => Type::Nodes,
            "Wrap" => Type::Wrap,
            _ => Type::Square,
        };
        let name = self.fresh("q");
        self.line(&format!("if ({owner} instanceof {class} {name}) {{"));
        let before = self.scope.len();
        self.declare(&name, kind, Use::Fixed);
        self.block(depth, 2);
        self.scope.truncate(before);
        self.line("}");
    }

    fn old_switch(&mut self, depth: usize) {
        let kind = self.draw(3, |number| [Some(Type::Color), Some(Type::Text), None][number]);
        let (value, labels) = match kind {
            0 => (self.owner(Type::Color), ["RED".to_owned(), "BLUE".to_owned()]),
            1 => {
                let (a, b) = self.two_texts();
                (self.owner(Type::Text), [a, b])
            }
            _ => {
                let first = self.random.below(4) as i64;
                let step = [1, 100][self.random.below(2)];
                self.literals.numbers.extend([first, first + step]);
                (self.int(1), [first.to_string(), (first + step).to_string()])
            }
        };
        self.line(&format!("switch ({value}) {{"));
        // A `break` ends the switch, which is no loop.
        let loops = std::mem::take(&mut self.loops);
        for label in labels {
            self.line(&format!("    case {label}:"));
            self.indent += 1;
            self.block(depth, 1);
            if self.random.below(3) > 0 {
                self.line("    break;");
            }
            self.indent -= 1;
        }
        if self.once_in(2) {
            self.line("    default:");
            self.indent += 1;
            self.block(depth, 1);
            self.indent -= 1;
        }
        self.loops = loops;
        self.line("}");
    }

    fn repeat(&mut self, depth: usize) {
        let counter = self.fresh("k");
        let before = self.scope.len();
        match self.draw(7, |number| match number {
            2 | 4 => Some(Type::Ints),
            3 => Some(Type::Nodes),
            5 => Some(Type::Node),
            6 => Some(Type::Text),
            _ => None,
        }) {
            0 | 1 => {
                let most = 1 + self.random.below(3);
                self.line(&format!("for (int {counter} = 0; {counter} < {most}; {counter}++) {{"));
                self.declare(&counter, Type::Int, Use::Counter);
            }
            2 => {
                let array = self.owner(Type::Ints);
                self.line(&format!("for (int {counter} : {array}) {{"));
                self.declare(&counter, Type::Int, Use::Fixed);
            }
            3 => {
                let array = self.owner(Type::Nodes);
                self.line(&format!("for (Node {counter} : {array}) {{"));
                self.declare(&counter, Type::Node, Use::Fixed);
            }
            4 => {
                let array = self.owner(Type::Ints);
                self.line(&format!(
                    "for (int {counter} = 0; {counter} < {array}.length; {counter}++) {{"
                ));
                self.line("    Fuel.burn();");
                self.declare(&counter, Type::Int, Use::Counter);
            }
            5 => {
                let node = self.owner(Type::Node);
                self.line(&format!(
                    "for (Node {counter} = {node}; {counter} != null; {counter} = {counter}.next) {{"
                ));
                self.line("    Fuel.burn();");
                self.declare(&counter, Type::Node, Use::Counter);
            }
            _ => {
                let text = self.owner(Type::Text);
                self.line(&format!("for (char {counter} : {text}.toCharArray()) {{"));
                self.declare(&counter, Type::Char, Use::Fixed);
            }
        }
        self.loops += 1;
        let rest = std::mem::replace(&mut self.budget, 1);
        let count = 1 + self.random.below(2);
        self.block(depth.min(1), count);
        self.budget = rest.saturating_sub(1);
        self.loops -= 1;
        self.scope.truncate(before);
        self.line("}");
    }

    fn attempt(&mut self, depth: usize) {
        self.line("try {");
        let count = 1 + self.random.below(2);
        self.block(depth, count);
        let form = self.random.below(4);
        if form > 0 {
            let class = self.random.pick(&[
                "RuntimeException",
                "NullPointerException",
                "IndexOutOfBoundsException",
                "ArithmeticException | ClassCastException",
                "Oops",
                "Throwable",
            ]);
            let name = self.fresh("e");
            self.line(&format!("}} catch ({class} {name}) {{"));
            self.block(depth.min(1), 1);
            match self.random.below(5) {
                0 if class != "Throwable" => self.line(&format!("    if (i > 0) throw {name};")),
                1 if class == "Oops" => self.line(&format!("    i = {name}.code;")),
                _ => {}
            }
        }
        if form < 2 {
            self.line("} finally {");
            let loops = std::mem::take(&mut self.loops);
            self.block(0, 1);
            self.loops = loops;
        }
        self.line("}");
    }
}
