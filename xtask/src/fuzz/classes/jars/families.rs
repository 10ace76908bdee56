//! Classes that are related in ways that no compiler allows, or more closely than any does.

use super::Entries;
use crate::fuzz::classes::mutate::set_text;
use crate::fuzz::classes::scan::{scan, u16_at};
use dalang_term::sample::Random;

const OBJECT: &str = "java/lang/Object";
const CLASS: u16 = 0x21;
const INTERFACE: u16 = 0x601;

/// The smallest class file with this place in the hierarchy.
fn tiny(name: &str, flags: u16, superclass: &str, interfaces: &[String]) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61];
    let count = 2 * (2 + interfaces.len()) as u16;
    bytes.extend((count + 1).to_be_bytes());
    let names = [name, superclass].into_iter().chain(interfaces.iter().map(String::as_str));
    // Every name is followed by the class that it names: the classes are 2, 4, 6 and so on.
    for (text, index) in names.zip((1..).step_by(2)) {
        bytes.push(1);
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
        bytes.push(7);
        bytes.extend(u16::to_be_bytes(index));
    }
    let indexes = (0..interfaces.len() as u16).map(|place| 6 + 2 * place);
    let head = [flags, 2, 4, interfaces.len() as u16];
    let tail = [0, 0, 0];
    bytes.extend(head.into_iter().chain(indexes).chain(tail).flat_map(u16::to_be_bytes));
    bytes
}

fn add(entries: &mut Entries, name: &str, flags: u16, superclass: &str, interfaces: &[String]) {
    entries.push((format!("{name}.class"), tiny(name, flags, superclass, interfaces)));
}

/// Each class extends the next, and the last one the first.
pub fn cycle(entries: &mut Entries, random: &mut Random) {
    let count = 1 + random.below(4);
    for number in 0..count {
        let above = format!("Cycle{}", (number + 1) % count);
        add(entries, &format!("Cycle{number}"), CLASS, &above, &[]);
    }
    // One that is not in the cycle and leads to it.
    add(entries, "Below", CLASS, "Cycle0", &[]);
}

pub fn interface_cycle(entries: &mut Entries, random: &mut Random) {
    let count = 1 + random.below(4);
    for number in 0..count {
        let above = format!("Ring{}", (number + 1) % count);
        add(entries, &format!("Ring{number}"), INTERFACE, OBJECT, &[above]);
    }
    add(entries, "Below", CLASS, OBJECT, &["Ring0".to_owned()]);
}

/// Two classes of the corpus that extend each other, as far as their superclasses can be renamed.
pub fn real_cycle(entries: &mut Entries, _: &mut Random) {
    let count = entries.len();
    let names: Vec<String> =
        entries.iter().map(|(path, _)| path.trim_end_matches(".class").to_owned()).collect();
    for (place, (_, bytes)) in entries.iter_mut().enumerate() {
        if let Some(changed) = with_superclass(bytes, &names[(place + 1) % count]) {
            *bytes = changed;
        }
    }
}

fn with_superclass(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let layout = scan(bytes)?;
    let class = u16_at(bytes, layout.flags + 4)?;
    let name_index = u16_at(bytes, layout.constants.get(class as usize)?.at + 1)?;
    set_text(bytes, name_index, name)
}

/// A class below very many others.
pub fn chain(entries: &mut Entries, random: &mut Random) {
    let count = if random.one_in(10) { 1500 } else { 1 + random.below(60) };
    add(entries, "Chain0000", CLASS, OBJECT, &[]);
    for number in 1..count {
        let above = format!("Chain{:04}", number - 1);
        add(entries, &format!("Chain{number:04}"), CLASS, &above, &[]);
    }
}

/// Interfaces in layers, each of which extends all of the layer above: there are very many ways up.
pub fn lattice(entries: &mut Entries, random: &mut Random) {
    let layers = 2 + random.below(20);
    let width = 2 + random.below(5);
    for layer in 0..layers {
        let above: Vec<String> = (0..width)
            .filter(|_| layer > 0)
            .map(|place| format!("Layer{}x{place}", layer - 1))
            .collect();
        for place in 0..width {
            add(entries, &format!("Layer{layer}x{place}"), INTERFACE, OBJECT, &above);
        }
    }
    add(entries, "Below", CLASS, OBJECT, &[format!("Layer{}x0", layers - 1)]);
}

pub fn many_interfaces(entries: &mut Entries, random: &mut Random) {
    let count = if random.one_in(10) { 2500 } else { 1 + random.below(100) };
    let names: Vec<String> = (0..count).map(|number| format!("Side{number}")).collect();
    for name in &names {
        add(entries, name, INTERFACE, OBJECT, &[]);
    }
    add(entries, "Below", CLASS, OBJECT, &names);
}

#[cfg(test)]
mod tests {
    use super::{chain, cycle, interface_cycle, lattice, many_interfaces, real_cycle};
    use crate::fuzz::classes::corpus::tests::corpus;
    use crate::fuzz::classes::exercise::{Outcome, run_jar};
    use crate::fuzz::classes::jars::{Entries, pack};
    use dalang_term::sample::Random;
    use tempfile::TempDir;

    fn load(family: fn(&mut Entries, &mut Random), seed: u64, entries: Entries) -> Outcome {
        let mut entries = entries;
        family(&mut entries, &mut Random::new(seed));
        let folder = TempDir::new().unwrap();
        let jar = pack(&entries, true);
        run_jar(corpus(), &jar, &folder.path().join("family.jar")).unwrap()
    }

    #[test]
    fn circles_are_all_refused() {
        for seed in 0..10 {
            for family in [cycle, interface_cycle] {
                let outcome = load(family, seed, Entries::new());
                assert_eq!(outcome.loaded, 0);
                assert!(outcome.refused["java/lang/ClassCircularityError"] > 1, "{outcome:?}");
            }
        }
    }

    #[test]
    fn real_classes_form_a_circle_too() {
        let named = |name: &str| {
            let seed = corpus().seeds.iter().find(|seed| seed.name == name).unwrap();
            (format!("{name}.class"), seed.bytes.clone())
        };
        let outcome = load(real_cycle, 1, vec![named("TryFinally"), named("Recursion")]);
        assert_eq!(outcome.refused["java/lang/ClassCircularityError"], 2, "{outcome:?}");
    }

    #[test]
    fn large_families_load_or_are_refused_for_their_size() {
        let mut too_large = 0;
        for seed in 0..30 {
            for family in [chain, lattice, many_interfaces] {
                let outcome = load(family, seed, Entries::new());
                let mut errors = outcome.refused.keys();
                assert!(outcome.loaded > 0, "{outcome:?}");
                assert!(errors.all(|&error| error == "java/lang/StackOverflowError"));
                too_large += outcome.refused.len();
            }
        }
        assert!(too_large > 0);
    }
}
