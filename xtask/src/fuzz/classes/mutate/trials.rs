//! Whether each mutator does what its name says, as seen by the map and by the crate on trial.

use super::blind::{flip_bits, truncate};
use super::{Aimed, Victim, bodies, renamed, tables};
use crate::fuzz::classes::corpus::Seed;
use crate::fuzz::classes::corpus::tests::corpus;
use crate::fuzz::classes::scan::{Layout, scan, u16_at};
use dalang_classes::path::Origin;
use dalang_classes::{ClassId, JavaError, LinkFailure, Program};
use dalang_term::sample::Random;

/// What a mutator makes of the classes that it applies to, under names that are still free.
fn damaged(mutator: Aimed) -> Vec<(&'static Seed, Vec<u8>)> {
    let mut all = Vec::new();
    // One class in three, because some mutators make very large ones.
    for (number, &place) in corpus().free.iter().enumerate().step_by(3) {
        let seed = &corpus().seeds[place];
        let mut bytes = renamed(&seed.bytes, &format!("{}$t{number}", seed.name)).unwrap();
        let layout = scan(&bytes).unwrap();
        let mut random = Random::new(number as u64);
        let victim = &mut Victim { bytes: &mut bytes, layout: &layout, random: &mut random };
        if mutator(victim).is_some() {
            all.push((seed, bytes));
        }
    }
    assert!(all.len() > 3, "the mutator applies to {} classes", all.len());
    all
}

fn maps(mutator: Aimed) -> Vec<(Layout, Vec<u8>, &'static Seed)> {
    let whole = |(seed, bytes): (&'static Seed, Vec<u8>)| {
        let layout = scan(&bytes);
        (layout.unwrap_or_else(|| panic!("no map of {} any more", seed.name)), bytes, seed)
    };
    damaged(mutator).into_iter().map(whole).collect()
}

fn load(program: &Program, bytes: Vec<u8>) -> Result<ClassId, LinkFailure> {
    program.define(bytes, Origin::made())
}

/// Why bodies of the class are refused.
fn refused_bodies(program: &Program, class: ClassId) -> Vec<String> {
    let methods = program.class(class).methods();
    methods.filter_map(|id| program.code(id).err()).map(|why| why.message.to_string()).collect()
}

#[test]
fn branches_into_instructions_are_refused_and_nothing_else_is() {
    let program = corpus().program().unwrap();
    for (seed, bytes) in damaged(bodies::branch_into) {
        let class = load(&program, bytes).unwrap();
        let refused = refused_bodies(&program, class);
        assert_eq!(refused.len(), 1, "{}: {refused:?}", seed.name);
        assert!(
            refused[0].contains("a jump does not lead to an instruction"),
            "{}: {refused:?}",
            seed.name
        );
    }
}

#[test]
fn a_class_above_itself_is_a_circle() {
    let program = corpus().program().unwrap();
    for mutator in [tables::own_superclass, tables::own_interface] {
        let mut circles = 0;
        for (_, bytes) in damaged(mutator) {
            let failure = load(&program, bytes).unwrap_err();
            // For an interface, a superclass other than Object is wrong already.
            circles += u32::from(failure.error == JavaError::ClassCircularityError);
        }
        assert!(circles > 50, "{circles} circles");
    }
}

#[test]
fn inflated_code_is_sound() {
    let program = corpus().program().unwrap();
    let (mut sound, mut refused) = (0, 0);
    for (_, bytes) in damaged(bodies::inflate) {
        let class = load(&program, bytes).unwrap();
        let bad = refused_bodies(&program, class);
        // A handler that covers what comes first may need a variable that is not set there.
        refused += bad.len();
        sound += program.class(class).methods().count() - bad.len();
    }
    assert!(sound > 20 * refused, "{sound} sound, {refused} refused");
}

#[test]
fn oversized_tables_are_whole() {
    let mut largest = 0;
    for (layout, bytes, _) in maps(tables::oversized_table) {
        let count = |table: &crate::fuzz::classes::scan::Table| u16_at(&bytes, table.count_at);
        largest = layout.tables.iter().filter_map(count).max().unwrap().max(largest);
    }
    assert!(largest > 60_000, "{largest}");
    for (layout, _, seed) in maps(tables::oversized_pool) {
        assert_eq!(layout.constants.len(), 65_535, "{}", seed.name);
    }
}

#[test]
fn bad_indexes_are_out_of_range_or_zero() {
    let mut all = 0;
    for (seed, bytes) in damaged(tables::bad_index) {
        // The map of the sound file: a damaged one may end at an attribute that lost its name.
        let sound = scan(&seed.bytes).unwrap();
        let both = |&at: &usize| [&seed.bytes, &bytes].map(|bytes| u16_at(bytes, at).unwrap());
        let changed = sound.indexes.iter().map(both).filter(|[old, new]| old != new);
        let changed: Vec<u16> = changed.map(|[_, new]| new).collect();
        let bad = |&new: &u16| new == 0 || usize::from(new) >= sound.constants.len();
        assert!(changed.is_empty() || changed.iter().any(bad), "{}: {changed:?}", seed.name);
        all += changed.len();
    }
    assert!(all > 0, "nothing was damaged");
}

#[test]
fn wrong_counts_and_lengths_do_not_fit() {
    let program = corpus().program().unwrap();
    for mutator in [tables::wrong_count, tables::wrong_length] {
        let (mut refused, mut total) = (0, 0);
        for (_, bytes) in damaged(mutator) {
            total += 1;
            let sound = load(&program, bytes).map(|class| refused_bodies(&program, class));
            refused += u32::from(!sound.is_ok_and(|bad| bad.is_empty()));
        }
        // Counts in tables for debuggers are not believed, and harm nobody.
        assert!(refused > total / 2, "{refused} of {total} refused");
    }
}

#[test]
fn texts_are_replaced_and_the_rest_stays() {
    for mutator in [tables::hostile_text, tables::long_text] {
        let mut changed = 0;
        for (_, bytes) in damaged(mutator) {
            // An attribute that lost its name may be walked no further.
            let Some(layout) = scan(&bytes) else { continue };
            changed += usize::from(!layout.constants.is_empty());
        }
        assert!(changed > corpus().free.len() / 6, "{changed}");
    }
}

#[test]
fn constants_that_need_themselves_are_dynamic() {
    for (layout, bytes, seed) in maps(tables::endless_constant) {
        let tables = layout.tables.iter().filter(|table| table.what == "bootstrap arguments");
        let mut first = tables.filter_map(|table| u16_at(&bytes, table.start()));
        let is_dynamic =
            |index: u16| layout.constants.get(index as usize).is_some_and(|c| c.tag == 17);
        assert!(first.any(is_dynamic), "{}", seed.name);
    }
}

#[test]
fn small_changes_change_only_what_they_should() {
    let same_length: [(&str, Aimed, usize); 7] = [
        ("flags", tables::flags, 1),
        ("version", tables::version, 4),
        ("other index", tables::other_index, 2),
        ("other tag", tables::other_tag, 1),
        ("opcode", bodies::opcode, 1),
        ("operand", bodies::operand, 1),
        ("bounds", bodies::bounds, 2),
    ];
    for (name, mutator, most) in same_length {
        for (number, (seed, bytes)) in damaged(mutator).iter().enumerate() {
            let own = scan(bytes).and_then(|layout| layout.own_name(bytes));
            // The name is part of the comparison, so the original gets the same one.
            let Some(own) = own else { continue };
            let text = scan(bytes).unwrap().text(bytes, own).map(<[u8]>::to_vec);
            let text = String::from_utf8(text.unwrap_or_default()).unwrap();
            if !text.contains("$t") {
                continue;
            }
            let sound = renamed(&seed.bytes, &text).unwrap();
            assert_eq!(sound.len(), bytes.len(), "{name} {number}");
            let differ = sound.iter().zip(bytes).filter(|(one, other)| one != other).count();
            assert!(differ <= most, "{name} changed {differ} bytes of {}", seed.name);
        }
    }
}

#[test]
fn handlers_switches_and_code_lengths_are_noticed() {
    let program = corpus().program().unwrap();
    for mutator in [bodies::handler, bodies::switch, bodies::code_length, bodies::branch_elsewhere]
    {
        let (mut refused, mut total) = (0, 0);
        for (_, bytes) in damaged(mutator) {
            total += 1;
            let sound = load(&program, bytes).map(|class| refused_bodies(&program, class));
            refused += u32::from(!sound.is_ok_and(|bad| bad.is_empty()));
        }
        assert!(refused > total / 4, "{refused} of {total} refused");
    }
}

#[test]
fn blind_damage() {
    let sound = &corpus().seeds[0].bytes;
    for seed in 0..20 {
        let mut cut = sound.clone();
        truncate(&mut cut, &mut Random::new(seed)).unwrap();
        assert!(cut.len() < sound.len() && sound.starts_with(&cut));
        let mut flipped = sound.clone();
        flip_bits(&mut flipped, &mut Random::new(seed)).unwrap();
        let pairs = sound.iter().zip(&flipped);
        let bits: u32 = pairs.map(|(one, other)| (one ^ other).count_ones()).sum();
        assert!(bits <= 4, "{bits}");
    }
}
