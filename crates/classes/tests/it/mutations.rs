//! Damaged class files: whatever is done to them, loading ends, in time, in a class or an error.

use crate::workshop::compiled;
use dalang_classes::path::{ClassPath, Library, Origin};
use dalang_classes::{ClassId, FieldRefId, MethodRefId, Program};

/// A generator of numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Does everything to a class that can be done without running it.
fn exercise(program: &Program, id: ClassId) -> bool {
    let class = program.class(id);
    let mut sound = true;
    for method in class.methods() {
        let code = program.code(method);
        sound &= code.is_ok();
        if let Ok(Some(code)) = code {
            let _ = code.listing(&class.pool, program.names());
        }
        let _ = (program.parameters(method), program.declared_exceptions(method));
        let names = program.parameter_names(method);
        assert_eq!(names.len(), program.method(method).signature.parameters.len());
        let _ = program.select(id, method);
    }
    let [_, fields, methods] = class.pool.reference_counts();
    for field in (0..fields).map(FieldRefId::new) {
        let _ = program.resolve_field(id, field);
    }
    for method in (0..methods).map(MethodRefId::new) {
        let _ = program.resolve_method(id, method);
    }
    program.nest_host(id);
    assert!(program.mentioned(id).contains(&class.name));
    sound
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        // The constant pool fills the first half or so, and damage there is noticed soon.
        let skipped = if random.below(4) == 0 { 0 } else { bytes.len() / 2 };
        let place = skipped + random.below(bytes.len() - skipped);
        match random.below(12) {
            0 => bytes[place] ^= 1 << random.below(8),
            1 => bytes[place] = random.next() as u8,
            // Counts, lengths and indexes: much too large, or zero.
            2 if place + 2 <= bytes.len() => bytes[place..place + 2].fill(0xFF),
            3 if place + 2 <= bytes.len() => bytes[place..place + 2].fill(0),
            4 => bytes.truncate(place.max(1)),
            5 => {
                let from = random.below(bytes.len());
                let length = random.below(16).min(bytes.len() - from).min(bytes.len() - place);
                bytes.copy_within(from..from + length, place);
            }
            _ => bytes[place] = bytes[place].wrapping_add(random.below(5) as u8).wrapping_sub(2),
        }
    }
}

/// How many programs are made, each with two hundred damaged classes.
const ROUNDS: usize = 30;

/// The class under another name of the same length, because a program has each name once.
fn renamed(bytes: &[u8], name: &str, number: usize) -> Vec<u8> {
    let new = format!("{}{number:05}", &name[..name.len() - 5]);
    let mut bytes = bytes.to_vec();
    for place in 0..bytes.len() - name.len() {
        if bytes[place..].starts_with(name.as_bytes()) {
            bytes[place..place + name.len()].copy_from_slice(new.as_bytes());
        }
    }
    bytes
}

#[test]
fn damaged_class_files_end_in_a_class_or_an_error() {
    let compiled = compiled(&[(
        "Victim.java",
        "import java.util.*;
         public class Victim<T extends Comparable<T>> implements Comparator<T> {
             sealed interface Shape permits Circle, Square { }
             record Circle(double r) implements Shape { }
             record Square(long side) implements Shape { }
             enum Color { RED, GREEN { int v() { return 2; } }; int v() { return 1; } }
             static final long BIG = 1L << 40;
             private int[][] grid = new int[3][4];
             public int compare(T a, T b) { return a.compareTo(b); }
             long sum(long... xs) { long s = 0; for (long x : xs) s += x; return s++ + grid[1][2]++; }
             String pick(Object o) {
                 try {
                     switch (o.hashCode()) { case 1: return \"a\"; case 2: return \"b\"; case 900: return \"c\"; default: break; }
                     Runnable r = () -> System.out.println(o + \" \" + this);
                     r.run();
                     synchronized (this) { return o instanceof String s ? s : null; }
                 } catch (RuntimeException e) { throw new Error(e); } finally { grid = null; }
             }
         }",
    )]);
    let library = Library::open(&compiled.jdk).unwrap();
    let own =
        ["Victim", "Victim$Circle", "Victim$Color"].map(|class| (class, compiled.bytes(class)));
    let of_library = |class| (class, library.find(class).unwrap().unwrap().bytes);
    let theirs = ["java/lang/String", "java/util/HashMap", "java/util/List", "java/lang/Math"];
    let seeds: Vec<(&str, Vec<u8>)> = own.into_iter().chain(theirs.map(of_library)).collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut loaded, mut sound, mut refused) = (0, 0, 0);
    for round in 0..ROUNDS {
        // One program for all victims would keep them all; one for each would load Object anew.
        let path = ClassPath::open(&[compiled.classes()], 17).unwrap();
        let program = Program::new(Library::open(&compiled.jdk).unwrap(), path).unwrap();
        for number in 0..200 {
            let (name, bytes) = &seeds[random.below(seeds.len())];
            let mut bytes = renamed(bytes, name, number);
            mutate(&mut bytes, &mut random);
            match program.define(bytes, Origin::made()) {
                Ok(class) => {
                    loaded += 1;
                    sound += usize::from(exercise(&program, class));
                }
                Err(failure) => {
                    refused += 1;
                    assert!(!failure.message.is_empty(), "round {round}: {failure:?}");
                }
            }
        }
    }
    eprintln!("{refused} refused, {loaded} loaded, {sound} of those with sound code");
    // If nothing got through, the mutations were too coarse to test anything behind the parser.
    assert!(loaded > refused / 2 && sound > loaded / 10, "{loaded} loaded, {sound} sound");
}

#[test]
fn every_truncation_of_a_class_file_is_refused() {
    let compiled =
        compiled(&[("Short.java", "class Short { int f(long x) { return (int) (x * 3); } }")]);
    let program = compiled.program();
    let bytes = compiled.bytes("Short");
    for length in 0..bytes.len() {
        let cut = bytes[..length].to_vec();
        let failure = program.define(cut, Origin::made()).unwrap_err();
        assert!(failure.cause.is_some(), "{length}: {failure:?}");
    }
    program.define(bytes, Origin::made()).unwrap();
}

#[test]
fn deeply_nested_annotations_do_no_harm() {
    // An annotation whose value is an array of arrays of arrays: fatal to readers that recurse.
    let compiled = compiled(&[("Deep.java", "@Deprecated class Deep { }")]);
    let bytes = compiled.bytes("Deep");
    let mut nested = vec![0, 1, 0, 1, 0, 1, 0, 1];
    for _ in 0..200_000 {
        nested.extend([b'[', 0, 1]);
    }
    let name = b"RuntimeVisibleAnnotations";
    let at = bytes.windows(name.len()).position(|part| part == name).unwrap();
    // The attribute is the last thing in the file: index of the name, length, content.
    let index = constant_index(&bytes, at);
    let place =
        (0..bytes.len() - 1).rev().find(|&p| bytes[p..p + 2] == index.to_be_bytes()).unwrap();
    let mut deep = bytes[..place + 2].to_vec();
    deep.extend((nested.len() as u32).to_be_bytes());
    deep.extend(&nested);
    // Whatever follows the attribute in the original.
    let length = u32::from_be_bytes(bytes[place + 2..place + 6].try_into().unwrap()) as usize;
    deep.extend(&bytes[place + 6 + length..]);
    let program = compiled.program();
    let class = program.define(deep, Origin::made()).unwrap();
    assert!(exercise(&program, class));
}

/// The index of the constant whose text begins at this offset.
fn constant_index(bytes: &[u8], text: usize) -> u16 {
    let mut at = 10;
    let mut index = 1;
    loop {
        if at + 3 == text {
            return index;
        }
        at += match bytes[at] {
            1 => 3 + usize::from(u16::from_be_bytes([bytes[at + 1], bytes[at + 2]])),
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => 9,
            _ => 5,
        };
        index += 1;
    }
}
