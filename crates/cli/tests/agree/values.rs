//! Random small programs over boxes and strings: a method that compares them by reference and by
//! value, with each other and with what it gets from the library or makes itself.

use crate::generate::{Generated, Kind};
use crate::random::Random;
use std::fmt::Write;

/// What the method takes.
const PARAMETERS: [(&str, Kind); 6] = [
    ("p", Kind::Box),
    ("q", Kind::Box),
    ("s", Kind::Text),
    ("t", Kind::Text),
    ("n", Kind::Int),
    ("o", Kind::Object),
];

/// The program of a seed.
pub fn program(seed: u64) -> Generated {
    let mut random = Random::new(seed);
    let class = format!("V{seed}");
    let mut source = format!("class {class} {{\n  int a;\n  @SuppressWarnings(\"removal\")\n");
    source.push_str("  int run(Integer p, Integer q, String s, String t, int n, Object o) {\n");
    source.push_str("    int i = 0;\n");
    for bit in 0..3 + random.below(3) {
        let condition = condition(&mut random);
        let _ = writeln!(source, "    if ({condition}) i += {};", 1 << bit);
    }
    let _ = writeln!(
        source,
        "    return i;\n  }}\n}}\nclass {class}Sub extends {class} {{ int extra; }}"
    );
    let parameters = PARAMETERS.map(|(name, kind)| (name.to_owned(), kind)).to_vec();
    Generated { class, source, fields: vec![("a".to_owned(), Kind::Int)], parameters }
}

fn condition(random: &mut Random) -> String {
    let sign = ["==", "!="][random.below(2)];
    match random.below(10) {
        0..=3 => format!("{} {sign} {}", boxed(random), boxed(random)),
        4..=6 => format!("{} {sign} {}", text(random), text(random)),
        7 => {
            let known = if random.below(2) == 0 { boxed(random) } else { text(random) };
            format!("o {sign} {known}")
        }
        8 => {
            let input = ["p", "q"][random.below(2)];
            format!("{input} != null && {input}.intValue() {sign} {}", number(random))
        }
        _ => {
            let input = ["s", "t"][random.below(2)];
            format!("{} {sign} {}.equals({input})", random.below(2) == 0, literal(random))
        }
    }
}

fn number(random: &mut Random) -> String {
    ["5", "-129", "127", "128", "n"][random.below(5)].to_owned()
}

fn literal(random: &mut Random) -> &'static str {
    ["\"\"", "\"a\"", "\"b\""][random.below(3)]
}

/// A box; both sides of a comparison are boxes, so it is one of references.
fn boxed(random: &mut Random) -> String {
    match random.below(7) {
        0 | 1 => "p".to_owned(),
        2 | 3 => "q".to_owned(),
        4 => format!("new Integer({})", number(random)),
        _ => format!("Integer.valueOf({})", number(random)),
    }
}

fn text(random: &mut Random) -> String {
    match random.below(7) {
        0 | 1 => "s".to_owned(),
        2 | 3 => "t".to_owned(),
        4 => format!("new String({})", literal(random)),
        _ => literal(random).to_owned(),
    }
}
