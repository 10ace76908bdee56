//! Class files from a text, one instruction to a line, for code that no compiler writes.
//!
//! A line is an instruction with its operands, `name:` for a place, `frame [locals] [stack]` for a
//! frame of the stack map at this place, or `catch CLASS from A to B using C`. Types of frames are
//! `top`, `int`, `float`, `double`, `long`, `null`, `this`, `new@place` and names of classes.

use std::collections::BTreeMap;

#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    known: BTreeMap<Vec<u8>, u16>,
    count: u16,
}

impl Pool {
    fn add(&mut self, constant: Vec<u8>) -> u16 {
        if let Some(&known) = self.known.get(&constant) {
            return known;
        }
        self.count += 1;
        self.bytes.extend(&constant);
        let index = self.count;
        // A `long` or `double` takes two places.
        self.count += u16::from(matches!(constant[0], 5 | 6));
        self.known.insert(constant, index);
        index
    }

    fn text(&mut self, text: &str) -> u16 {
        let length = (text.len() as u16).to_be_bytes();
        self.add([&[1], &length[..], text.as_bytes()].concat())
    }

    fn pair(&mut self, tag: u8, one: u16, other: u16) -> u16 {
        self.add([&[tag], &one.to_be_bytes()[..], &other.to_be_bytes()[..]].concat())
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.add([&[7], &name.to_be_bytes()[..]].concat())
    }

    fn string(&mut self, text: &str) -> u16 {
        let text = self.text(text);
        self.add([&[8], &text.to_be_bytes()[..]].concat())
    }

    /// `owner.name:type` and `owner.name(types)type`.
    fn member(&mut self, tag: u8, member: &str) -> u16 {
        let end = member.find(['(', ':']).expect("a member has a type");
        let (owner, name) = member[..end].rsplit_once('.').expect("a member has an owner");
        let descriptor = member[end..].trim_start_matches(':');
        let owner = self.class(owner);
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let pair = self.pair(12, name, descriptor);
        self.pair(tag, owner, pair)
    }
}

/// A class that is put together.
pub struct Assembler {
    major: u16,
    name: &'static str,
    superclass: &'static str,
    interfaces: Vec<&'static str>,
    pool: Pool,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
}

/// Instructions without operands, and those whose operands are numbers or places.
const PLAIN: &str = "nop 0 aconst_null 1 iconst_0 3 iconst_1 4 lconst_0 9 fconst_0 11 dconst_0 14 \
    iload_0 26 iload_1 27 lload_0 30 fload_0 34 dload_0 38 aload_0 42 aload_1 43 aload_2 44 iaload 46 \
    aaload 50 baload 51 caload 52 istore_0 59 istore_1 60 lstore_0 63 lstore_1 64 astore_0 75 \
    astore_1 76 astore_2 77 iastore 79 aastore 83 bastore 84 pop 87 pop2 88 dup 89 dup_x1 90 \
    dup_x2 91 dup2 92 dup2_x1 93 dup2_x2 94 swap 95 iadd 96 ladd 97 lcmp 148 ireturn 172 lreturn 173 \
    freturn 174 areturn 176 return 177 arraylength 190 athrow 191 monitorenter 194 monitorexit 195";
const JUMPS: &str = "ifeq 153 ifne 154 if_acmpeq 165 goto 167 jsr 168 ifnull 198 ifnonnull 199";
const CLASSES: &str = "new 187 anewarray 189 checkcast 192 instanceof 193";

fn opcode(table: &str, name: &str) -> Option<u8> {
    let mut words = table.split_whitespace();
    while let (Some(word), Some(code)) = (words.next(), words.next()) {
        if word == name {
            return code.parse().ok();
        }
    }
    None
}

impl Assembler {
    pub fn new(major: u16, name: &'static str, superclass: &'static str) -> Self {
        Self {
            major,
            name,
            superclass,
            interfaces: Vec::new(),
            pool: Pool::default(),
            fields: Vec::new(),
            field_count: 0,
            methods: Vec::new(),
            method_count: 0,
        }
    }

    pub fn implements(mut self, interface: &'static str) -> Self {
        self.interfaces.push(interface);
        self
    }

    pub fn field(mut self, name: &str, descriptor: &str) -> Self {
        for word in [0, self.pool.text(name), self.pool.text(descriptor), 0] {
            self.fields.extend(word.to_be_bytes());
        }
        self.field_count += 1;
        self
    }

    /// A method, static unless it is a constructor or its name begins with a dot.
    pub fn method(mut self, declared: &str, stack: u16, locals: u16, text: &str) -> Self {
        let is_static = !declared.starts_with(['.', '<']);
        let declared = declared.trim_start_matches('.');
        let (name, _) = declared.split_once('(').expect("a method has a descriptor");
        let descriptor = &declared[name.len()..];
        let body = Body::assemble(&mut self.pool, text);
        let mut content = [stack.to_be_bytes(), locals.to_be_bytes()].concat();
        content.extend((body.code.len() as u32).to_be_bytes());
        content.extend(&body.code);
        content.extend((body.handlers.len() as u16).to_be_bytes());
        content.extend(body.handlers.iter().flatten().flat_map(|word| word.to_be_bytes()));
        let has_maps = body.frames > 0;
        content.extend(u16::from(has_maps).to_be_bytes());
        if has_maps {
            content.extend(self.pool.text("StackMapTable").to_be_bytes());
            content.extend((body.maps.len() as u32 + 2).to_be_bytes());
            content.extend(body.frames.to_be_bytes());
            content.extend(&body.maps);
        }
        let flags = if is_static { 9 } else { 1 };
        let code = self.pool.text("Code");
        for word in [flags, self.pool.text(name), self.pool.text(descriptor), 1, code] {
            self.methods.extend(word.to_be_bytes());
        }
        self.methods.extend((content.len() as u32).to_be_bytes());
        self.methods.extend(content);
        self.method_count += 1;
        self
    }

    pub fn bytes(mut self) -> Vec<u8> {
        let own = self.pool.class(self.name);
        let superclass = self.pool.class(self.superclass);
        let interfaces: Vec<u16> =
            self.interfaces.iter().map(|interface| self.pool.class(interface)).collect();
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        bytes.extend(self.major.to_be_bytes());
        bytes.extend((self.pool.count + 1).to_be_bytes());
        bytes.extend(&self.pool.bytes);
        for word in [0x21, own, superclass, interfaces.len() as u16] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend(interfaces.iter().flat_map(|interface| interface.to_be_bytes()));
        bytes.extend(self.field_count.to_be_bytes());
        bytes.extend(&self.fields);
        bytes.extend(self.method_count.to_be_bytes());
        bytes.extend(&self.methods);
        bytes.extend(0_u16.to_be_bytes());
        bytes
    }
}

#[derive(Default)]
struct Body {
    code: Vec<u8>,
    handlers: Vec<[u16; 4]>,
    frames: u16,
    maps: Vec<u8>,
}

impl Body {
    fn assemble(pool: &mut Pool, text: &str) -> Self {
        // The first round finds out where places are, the second uses it.
        let mut places = BTreeMap::new();
        let mut body = Self::default();
        for _ in 0..2 {
            body = Self::default();
            let mut last = None;
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                body.line(pool, line, &mut places, &mut last);
            }
        }
        body
    }

    fn line(
        &mut self,
        pool: &mut Pool,
        line: &str,
        places: &mut BTreeMap<String, u16>,
        last: &mut Option<u16>,
    ) {
        let at = self.code.len() as u16;
        let place = |name: &str| places.get(name).copied().unwrap_or(at);
        if let Some(name) = line.strip_suffix(':') {
            places.insert(name.to_owned(), at);
            return;
        }
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        if name == "frame" {
            let offset = last.map_or(at, |last| at - last - 1);
            *last = Some(at);
            self.frames += 1;
            self.maps.push(255);
            self.maps.extend(offset.to_be_bytes());
            let (locals, stack) = rest.split_once("] [").expect("a frame has two lists");
            for list in [locals.trim_start_matches('['), stack.trim_end_matches(']')] {
                let types: Vec<&str> = list.split_whitespace().collect();
                self.maps.extend((types.len() as u16).to_be_bytes());
                for name in types {
                    entry(pool, name, &place, &mut self.maps);
                }
            }
        } else if name == "catch" {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let class = if words[0] == "any" { 0 } else { pool.class(words[0]) };
            self.handlers.push([place(words[2]), place(words[4]), place(words[6]), class]);
        } else if let Some(code) = opcode(PLAIN, name) {
            self.code.push(code);
        } else if let Some(code) = opcode(JUMPS, name) {
            self.code.push(code);
            self.code.extend((place(rest).wrapping_sub(at)).to_be_bytes());
        } else if let Some(code) = opcode(CLASSES, name) {
            self.code.push(code);
            self.code.extend(pool.class(rest).to_be_bytes());
        } else {
            self.other(pool, name, rest);
        }
    }

    fn other(&mut self, pool: &mut Pool, name: &str, rest: &str) {
        let (tag, code) = match name {
            "getstatic" => (9, 178),
            "putstatic" => (9, 179),
            "getfield" => (9, 180),
            "putfield" => (9, 181),
            "invokevirtual" => (10, 182),
            "invokespecial" => (10, 183),
            "invokespecial_interface" => (11, 183),
            "invokestatic" => (10, 184),
            "invokeinterface" => (11, 185),
            _ => return self.rest(pool, name, rest),
        };
        self.code.push(code);
        self.code.extend(pool.member(tag, rest).to_be_bytes());
        if code == 185 {
            // Interfaces are called without arguments here.
            self.code.extend([1, 0]);
        }
    }

    fn rest(&mut self, pool: &mut Pool, name: &str, rest: &str) {
        let number = || rest.parse::<u8>().expect("an operand is a number");
        match name {
            "ldc" => {
                let index = match rest.strip_prefix("class ") {
                    Some(class) => pool.class(class),
                    None => pool.string(rest),
                };
                self.code.extend([18, index as u8]);
            }
            "iload" => self.code.extend([21, number()]),
            "istore" => self.code.extend([54, number()]),
            "astore" => self.code.extend([58, number()]),
            "ret" => self.code.extend([169, number()]),
            "iinc" => self.code.extend([132, number(), 1]),
            "wide_iinc" => self.code.extend([196, 132, 0, number(), 1, 0]),
            "newarray" => self.code.extend([188, number()]),
            // Bytes as they are.
            "bytes" => {
                let bytes = rest.split_whitespace().map(|byte| byte.parse::<u8>().unwrap());
                self.code.extend(bytes);
            }
            _ => panic!("no instruction {name}"),
        }
    }
}

fn entry(pool: &mut Pool, name: &str, place: &dyn Fn(&str) -> u16, maps: &mut Vec<u8>) {
    let simple = ["top", "int", "float", "double", "long", "null", "this"];
    if let Some(tag) = simple.iter().position(|simple| *simple == name) {
        maps.push(tag as u8);
    } else if let Some(new) = name.strip_prefix("new@") {
        maps.push(8);
        maps.extend(place(new).to_be_bytes());
    } else {
        maps.push(7);
        maps.extend(pool.class(name).to_be_bytes());
    }
}
