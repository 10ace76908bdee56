//! Inputs: the values a method is given before it runs, each named by the way to it.
//!
//! An input is a parameter, a static field, a field or element of an input object, the length of an
//! input array, or a value that the program asks for. It has one symbol, and the same way gives the same symbol in
//! every state of a worker, so that states share terms and the solver meets old acquaintances. What
//! a state has found out about an input is not here but in [`Knowledge`](crate::Knowledge).

use crate::value::Value;
use dalang_classes::{ClassId, FieldId, Name, Primitive, Program, ValueType};
use dalang_term::{Pool, Sort, SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The number of an input within its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputId(u32);

impl InputId {
    /// The dense number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How an input is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// It is a parameter, by its place; the receiver is the first.
    Parameter(u16),
    /// It is a static field.
    Static(FieldId),
    /// It is a field of the object that an input leads to.
    Field(InputId, FieldId),
    /// It is an element of the array that an input leads to, at this index: of this primitive type, or
    /// a reference. What an input of a general type leads to is on one path an array of `char` and on
    /// another one of `short`, and no symbol can stand for the elements of both.
    Element(InputId, TermId, Option<Primitive>),
    /// It is the length of the array that an input leads to.
    Length(InputId),
    /// It is a character of the string that an input leads to, by its place.
    Character(InputId, u32),
    /// It is the length of the string that an input leads to.
    Characters(InputId),
    /// It is the class of the object that an input leads to.
    Class(InputId),
    /// It is what `getClass` gives of the object that an input leads to.
    Mirror(InputId),
    /// It tells the object that an input leads to, which is of a value class, from others of the same
    /// value. It is zero for the one that the library keeps, in a cache of boxes or as an interned
    /// string.
    Identity(InputId),
    /// It is the length of standard input.
    Supply,
    /// It is a byte of standard input, by its place.
    Supplied(u32),
    /// The program has asked for it: the number of the request on its path, and what it asked for.
    Asked(u32, Request),
}

/// What a program asks for. Two paths may ask for different things at the same time of their lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// What the value is called.
    pub label: Name,
    /// Its type.
    pub value: ValueType,
}

/// An input.
#[derive(Clone, Debug)]
pub struct Input {
    /// The way to it, for people: `this.root.left.key`.
    pub name: Rc<str>,
    /// The way to it.
    pub step: Step,
    /// Its declared type.
    pub declared: ValueType,
    /// The class of that; none if it is primitive, or if it cannot be loaded: then nothing in view
    /// can be it.
    pub class: Option<ClassId>,
    /// Its primitive type; none if it is a reference.
    pub primitive: Option<Primitive>,
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its value as the operand stack holds it: small types are extended to an `int`.
    pub term: TermId,
    /// How many fields and elements are on the way to it.
    pub depth: u32,
}

/// All inputs that a worker has met.
#[derive(Default)]
pub struct Inputs {
    known: Vec<Input>,
    by_step: FxHashMap<Step, InputId>,
    /// By the number of the symbol.
    by_symbol: Vec<Option<InputId>>,
    names: FxHashSet<Rc<str>>,
    has_mirrors: bool,
    fields: FxHashMap<(InputId, ClassId), Rc<[Value]>>,
    texts: FxHashMap<InputId, Vec<InputId>>,
}

impl Inputs {
    /// The input with this number.
    pub fn get(&self, id: InputId) -> &Input {
        &self.known[id.index()]
    }

    /// The input whose symbol a term is.
    #[inline]
    pub fn of_term(&self, pool: &Pool, term: TermId) -> Option<InputId> {
        self.of_symbol(pool.as_symbol(term)?)
    }

    /// The input of a symbol.
    #[inline]
    pub fn of_symbol(&self, symbol: SymbolId) -> Option<InputId> {
        self.by_symbol.get(symbol.index() as usize).copied().flatten()
    }

    /// Whether an input is a static field, or reached from one by fields and elements.
    pub fn is_global(&self, mut input: InputId) -> bool {
        loop {
            match self.get(input).step {
                Step::Static(_) => return true,
                Step::Field(owner, _) | Step::Element(owner, ..) | Step::Character(owner, _) => {
                    input = owner;
                }
                _ => return false,
            }
        }
    }

    /// The input whose value a term is, as the operand stack holds it.
    pub fn of_held(&self, pool: &Pool, term: TermId) -> Option<InputId> {
        let symbol = pool.symbols_of(term).first().copied()?;
        self.of_symbol(symbol).filter(|&input| self.get(input).term == term)
    }

    /// The input that is reached in this way, if it was met before.
    pub fn find(&self, step: Step) -> Option<InputId> {
        self.by_step.get(&step).copied()
    }

    /// A parameter.
    pub fn parameter(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        place: u16,
        name: &str,
        value: ValueType,
    ) -> Option<InputId> {
        self.make(program, pool, Step::Parameter(place), name, value, 0)
    }

    /// A static field, named by its class: `p.C.counter`.
    pub fn global(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        field: FieldId,
    ) -> Option<InputId> {
        let step = Step::Static(field);
        if let Some(known) = self.find(step) {
            return Some(known);
        }
        let declared = program.field(field);
        let class = program.java_name(declared.class);
        let name = format!("{class}.{}", program.names().text(declared.name));
        self.make(program, pool, step, &name, declared.value, 0)
    }

    /// A value that the program asks for, under a name of its own.
    pub fn asked(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        number: u32,
        name: &str,
        value: ValueType,
    ) -> Option<InputId> {
        let request = Request { label: program.names().intern(name), value };
        self.make(program, pool, Step::Asked(number, request), name, value, 0)
    }

    /// An input of a primitive type, reached in a way that nothing else is said of.
    pub fn plain(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        step: Step,
        name: &str,
        primitive: Primitive,
    ) -> InputId {
        match self.make(program, pool, step, name, ValueType::Primitive(primitive), 0) {
            Some(input) => input,
            None => unreachable!("a primitive type has no class that could fail to load"),
        }
    }

    /// An element of an input array.
    pub fn element(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        array: InputId,
        index: TermId,
        value: ValueType,
    ) -> Option<InputId> {
        let step = Step::Element(array, index, primitive(value));
        if let Some(known) = self.find(step) {
            return Some(known);
        }
        let shown = match pool.bits(index) {
            Some(bits) => (bits as u32 as i32).to_string(),
            None => pool.infix(index).to_string(),
        };
        let name = format!("{}[{shown}]", self.array_name(program, array, value));
        let depth = self.get(array).depth + 1;
        self.make(program, pool, step, &name, value, depth)
    }

    /// The way to an array of such elements. An input of a general type is cast, as for
    /// [fields](Self::field_name): it can be arrays of several primitive types.
    fn array_name(&self, program: &Program, array: InputId, element: ValueType) -> String {
        let owner = self.get(array);
        let is_array = owner.class.is_none_or(|class| program.class(class).is_array());
        match primitive(element) {
            Some(primitive) if !is_array => format!("(({}[]) {})", primitive.keyword(), owner.name),
            _ => owner.name.to_string(),
        }
    }

    /// A character of an input string.
    pub fn character(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        string: InputId,
        place: usize,
    ) -> InputId {
        let step = Step::Character(string, place as u32);
        let name = format!("{}.charAt({place})", self.get(string).name);
        let (value, depth) = (ValueType::Primitive(Primitive::Char), self.get(string).depth + 1);
        match self.make(program, pool, step, &name, value, depth) {
            Some(input) => {
                let text = self.texts.entry(string).or_default();
                if text.len() == place {
                    text.push(input);
                }
                input
            }
            None => unreachable!("a char has no class that could fail to load"),
        }
    }

    /// The characters of an input string, from the first to the last that it can have.
    pub fn text(&self, string: InputId) -> &[InputId] {
        self.texts.get(&string).map_or(&[], Vec::as_slice)
    }

    /// The length of an input string.
    pub fn characters(&mut self, program: &Program, pool: &mut Pool, string: InputId) -> InputId {
        let name = format!("{}.length()", self.get(string).name);
        let (value, depth) = (ValueType::Primitive(Primitive::Int), self.get(string).depth + 1);
        match self.make(program, pool, Step::Characters(string), &name, value, depth) {
            Some(input) => input,
            None => unreachable!("an int has no class that could fail to load"),
        }
    }

    /// The length of an input array.
    pub fn length(&mut self, program: &Program, pool: &mut Pool, array: InputId) -> InputId {
        let name = format!("{}.length", self.get(array).name);
        let (value, depth) = (ValueType::Primitive(Primitive::Int), self.get(array).depth + 1);
        match self.make(program, pool, Step::Length(array), &name, value, depth) {
            Some(input) => input,
            None => unreachable!("an int has no class that could fail to load"),
        }
    }

    /// The class of the object that an input leads to, as a number.
    pub fn class(&mut self, program: &Program, pool: &mut Pool, object: InputId) -> InputId {
        let name = format!("{}.getClass()", self.get(object).name);
        let (value, depth) = (ValueType::Primitive(Primitive::Int), self.get(object).depth);
        match self.make(program, pool, Step::Class(object), &name, value, depth) {
            Some(input) => input,
            None => unreachable!("an int has no class that could fail to load"),
        }
    }

    /// What `getClass` gives of the object that an input leads to, as a reference that is never null.
    pub fn mirror(&mut self, program: &Program, pool: &mut Pool, object: InputId) -> InputId {
        let name = format!("{}.getClass()", self.get(object).name);
        let class = ValueType::Reference(program.names().intern("java/lang/Class"));
        let depth = self.get(object).depth;
        self.has_mirrors = true;
        match self.make(program, pool, Step::Mirror(object), &name, class, depth) {
            Some(input) => input,
            None => unreachable!("a symbol was just made"),
        }
    }

    /// The input whose class a reference without ites stands for.
    #[inline]
    pub fn mirrored(&self, pool: &Pool, term: TermId) -> Option<InputId> {
        if !self.has_mirrors {
            return None;
        }
        match self.get(self.of_term(pool, term)?).step {
            Step::Mirror(object) => Some(object),
            _ => None,
        }
    }

    /// Whether there is a reference that stands for the class of an input.
    pub fn has_mirrors(&self) -> bool {
        self.has_mirrors
    }

    /// What tells the object of a value class that an input leads to from others of the same value.
    pub fn identity(&mut self, program: &Program, pool: &mut Pool, object: InputId) -> InputId {
        let name = format!("{}.identity", self.get(object).name);
        let (value, depth) = (ValueType::Primitive(Primitive::Int), self.get(object).depth + 1);
        match self.make(program, pool, Step::Identity(object), &name, value, depth) {
            Some(input) => input,
            None => unreachable!("an int has no class that could fail to load"),
        }
    }

    /// The fields of the object that an input leads to, if it is of this class and nothing was
    /// stored in it.
    pub fn fields(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        object: InputId,
        class: ClassId,
    ) -> Rc<[Value]> {
        if let Some(known) = self.fields.get(&(object, class)) {
            return Rc::clone(known);
        }
        let ids = &program.class(class).instance_fields;
        let fields: Rc<[Value]> =
            ids.iter().map(|&field| self.field(program, pool, object, field)).collect();
        self.fields.insert((object, class), Rc::clone(&fields));
        fields
    }

    /// A field of the object that an input leads to, as it was before the run.
    pub fn field(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        object: InputId,
        field: FieldId,
    ) -> Value {
        let step = Step::Field(object, field);
        if let Some(known) = self.find(step) {
            return Value::Term(self.get(known).term);
        }
        let declared = program.field(field);
        let name = self.field_name(program, object, field);
        let depth = self.get(object).depth + 1;
        match self.make(program, pool, step, &name, declared.value, depth) {
            Some(input) => Value::Term(self.get(input).term),
            None => Value::NULL,
        }
    }

    /// The way to a field. One that only a subclass of the declared type has is reached through a
    /// cast: siblings may have fields of the same name.
    fn field_name(&self, program: &Program, object: InputId, field: FieldId) -> String {
        let (owner, declared) = (self.get(object), program.field(field));
        let field = program.names().text(declared.name);
        let inherited = owner.class.is_none_or(|class| program.is_subtype(class, declared.class));
        if inherited {
            return format!("{}.{field}", owner.name);
        }
        let class = program.java_name(declared.class);
        let class = class.rsplit(['.', '$']).next().unwrap_or_default();
        format!("(({class}) {}).{field}", owner.name)
    }

    fn make(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        step: Step,
        name: &str,
        value: ValueType,
        depth: u32,
    ) -> Option<InputId> {
        if let Some(known) = self.find(step) {
            return Some(known);
        }
        let class = match value {
            ValueType::Primitive(_) => None,
            ValueType::Reference(_) => program.class_of_type(value).ok(),
        };
        let primitive = primitive(value);
        let name = self.unused(name);
        let symbol = pool.symbol(&name, sort(primitive));
        let term = widened(pool, symbol, primitive);
        let symbol = pool.as_symbol(symbol)?;
        let id = InputId(self.known.len() as u32);
        let declared = value;
        self.known.push(Input { name, step, declared, class, primitive, symbol, term, depth });
        self.by_step.insert(step, id);
        let place = symbol.index() as usize;
        if self.by_symbol.len() <= place {
            self.by_symbol.resize(place + 1, None);
        }
        self.by_symbol[place] = Some(id);
        Some(id)
    }

    /// A name that no other input has: a class may hide a field of its superclass.
    fn unused(&mut self, wanted: &str) -> Rc<str> {
        let mut name: Rc<str> = wanted.into();
        while !self.names.insert(Rc::clone(&name)) {
            name = format!("{name}'").into();
        }
        name
    }
}

/// A primitive type; none if it is one of references.
fn primitive(value: ValueType) -> Option<Primitive> {
    match value {
        ValueType::Primitive(primitive) => Some(primitive),
        ValueType::Reference(_) => None,
    }
}

/// The sort of a symbol: as wide as the type, so that no constraint is needed.
fn sort(primitive: Option<Primitive>) -> Sort {
    match primitive {
        None => Sort::Ref,
        Some(Primitive::Boolean) => Sort::BitVec(1),
        Some(Primitive::Byte) => Sort::BitVec(8),
        Some(Primitive::Char | Primitive::Short) => Sort::BitVec(16),
        Some(Primitive::Int) => Sort::BitVec(32),
        Some(Primitive::Long) => Sort::BitVec(64),
        Some(Primitive::Float) => Sort::F32,
        Some(Primitive::Double) => Sort::F64,
    }
}

fn widened(pool: &mut Pool, symbol: TermId, primitive: Option<Primitive>) -> TermId {
    match primitive {
        Some(Primitive::Boolean | Primitive::Char) => pool.zero_extend(symbol, 32),
        Some(Primitive::Byte | Primitive::Short) => pool.sign_extend(symbol, 32),
        _ => symbol,
    }
}
