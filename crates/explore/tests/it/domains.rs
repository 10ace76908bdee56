//! Sets of classes decide questions about types as Java does.
//!
//! Whatever the sets say is held against a list that is made class by class from the subtypes that
//! the source declares.

use crate::workshop::{Compiled, shared, spelled};
use dalang_classes::{ClassId, Program};
use dalang_explore::View;
use dalang_heap::{DomainId, Domains};
use std::sync::{Arc, Mutex, Weak};

const SOURCE: &str = "
interface Animal { }
interface Pet extends Animal { }
abstract class Mammal implements Animal { int legs; }
class Dog extends Mammal implements Pet { int teeth; }
final class Puppy extends Dog { int age; }
class Whale extends Mammal { }
class Gecko implements Pet { int tail; }
sealed interface Sealed permits One, Two { }
final class One implements Sealed { }
non-sealed class Two implements Sealed { }
class Three extends Two { }
class Uses { Object a; Dog[][] dogs; int[] ints; Animal[] animals; Mammal[] mammals; Object[] objects; }
";

static SHARED: Mutex<Weak<Compiled>> = Mutex::new(Weak::new());

struct Kit {
    program: Program,
    domains: Domains,
    _compiled: Arc<Compiled>,
}

impl Kit {
    fn new() -> Self {
        let compiled = shared(&SHARED, SOURCE);
        let program = compiled.program();
        let names = program.class_path().classes().unwrap();
        let domains = View::new(&program, &names, &[]).domains();
        Self { program, domains, _compiled: compiled }
    }

    fn class(&self, name: &str) -> ClassId {
        self.program.load(name).unwrap()
    }

    fn below(&mut self, name: &str) -> DomainId {
        let class = self.class(name);
        self.domains.below(&self.program, class)
    }

    fn cut(&mut self, set: DomainId, name: &str, inside: bool) -> DomainId {
        let class = self.class(name);
        self.domains.cut(&self.program, set, class, inside)
    }

    fn upper(&mut self, set: DomainId) -> String {
        let class = self.domains.upper(&self.program, set);
        self.program.class_spelling(class)
    }

    fn names(&self, set: DomainId) -> Vec<String> {
        spelled(&self.program, self.domains.classes(set))
    }
}

#[test]
fn below_a_type_are_its_classes_the_declared_one_first() {
    let mut kit = Kit::new();
    let mut below = |name: &str| {
        let set = kit.below(name);
        kit.names(set)
    };
    assert_eq!(below("Animal"), ["Dog", "Gecko", "Puppy", "Whale"]);
    assert_eq!(below("Pet"), ["Dog", "Gecko", "Puppy"]);
    assert_eq!(below("Mammal"), ["Dog", "Puppy", "Whale"]);
    assert_eq!(below("Dog"), ["Dog", "Puppy"]);
    assert_eq!(below("Puppy"), ["Puppy"]);
    assert_eq!(below("Whale"), ["Whale"]);
    assert_eq!(below("Sealed"), ["One", "Three", "Two"]);
    assert_eq!(below("Two"), ["Two", "Three"]);
}

#[test]
fn arrays_are_covariant_and_arrays_of_arrays_too() {
    let mut kit = Kit::new();
    let mut below = |name: &str| {
        let set = kit.below(name);
        kit.names(set)
    };
    assert_eq!(below("[I"), ["int[]"]);
    assert_eq!(below("[[I"), ["int[][]"]);
    assert_eq!(below("[LPuppy;"), ["Puppy[]"]);
    assert_eq!(below("[LDog;"), ["Dog[]", "Puppy[]"]);
    assert_eq!(below("[[LDog;"), ["Dog[][]", "Puppy[][]"]);
    // Abstract classes and interfaces are declared types of elements as well.
    assert_eq!(below("[LMammal;"), ["Mammal[]", "Dog[]", "Puppy[]", "Whale[]"]);
    assert_eq!(below("[LPet;"), ["Pet[]", "Dog[]", "Gecko[]", "Puppy[]"]);
    let objects = below("[Ljava/lang/Object;");
    assert_eq!(objects[0], "java.lang.Object[]");
    for array in ["Dog[]", "Dog[][]", "Animal[]"] {
        assert!(objects.iter().any(|name| name == array), "no {array} in {objects:?}");
    }
    assert!(!objects.iter().any(|name| name == "int[]"), "{objects:?}");
    let all = below("java/lang/Object");
    for array in ["int[]", "Dog[][]", "Animal[]"] {
        assert!(all.iter().any(|name| name == array), "no {array} in {all:?}");
    }
    // An array is all of these, and the program mentions arrays.
    let cloneable = below("java/lang/Cloneable");
    assert!(cloneable.iter().any(|name| name == "int[]"), "{cloneable:?}");
}

#[test]
fn a_cut_divides_a_set() {
    let mut kit = Kit::new();
    let animals = kit.below("Animal");
    for name in ["Animal", "Pet", "Mammal", "Dog", "Puppy", "Gecko", "Sealed", "java/lang/Object"] {
        let (inside, outside) = (kit.cut(animals, name, true), kit.cut(animals, name, false));
        let class = kit.class(name);
        let of = |set| kit.domains.classes(set).to_vec();
        let (inside, outside, all) = (of(inside), of(outside), of(animals));
        for candidate in all {
            let expected = kit.program.is_subtype(candidate, class);
            assert_eq!(inside.contains(&candidate), expected);
            assert_eq!(outside.contains(&candidate), !expected);
        }
    }
    let everything = kit.cut(animals, "Animal", true);
    assert_eq!(everything, animals, "a cut that takes nothing away is the same set");
    assert_eq!(kit.cut(animals, "Sealed", true), DomainId::EMPTY);
    let pets = kit.cut(animals, "Pet", true);
    let dogs = kit.cut(pets, "Mammal", true);
    assert_eq!(kit.names(dogs), ["Dog", "Puppy"]);
    let puppies = kit.cut(dogs, "Puppy", true);
    assert_eq!(kit.domains.only(puppies), Some(kit.class("Puppy")));
    assert_eq!(kit.domains.only(dogs), None);
}

#[test]
fn a_meet_has_what_both_have() {
    let mut kit = Kit::new();
    let (pets, mammals, whales) = (kit.below("Pet"), kit.below("Mammal"), kit.below("Whale"));
    let both = kit.domains.meet(pets, mammals);
    assert_eq!(kit.names(both), ["Dog", "Puppy"]);
    assert_eq!(kit.domains.meet(mammals, pets), both);
    assert_eq!(kit.domains.meet(pets, whales), DomainId::EMPTY);
    assert_eq!(kit.domains.meet(pets, pets), pets);
    // An object that an input of type `Object` leads to can be what any other input leads to.
    let objects = kit.below("java/lang/Object");
    assert_eq!(kit.domains.meet(mammals, objects), mammals);
    let (dogs, arrays) = (kit.below("[[LDog;"), kit.below("[Ljava/lang/Object;"));
    let both = kit.domains.meet(dogs, arrays);
    assert_eq!(kit.names(both), ["Dog[][]", "Puppy[][]"]);
}

#[test]
fn what_is_below_a_type_is_below_the_types_above_it() {
    let mut kit = Kit::new();
    let types = [
        "java/lang/Object",
        "java/lang/Cloneable",
        "java/io/Serializable",
        "[Ljava/lang/Object;",
        "[[LDog;",
        "[LAnimal;",
        "[LMammal;",
        "[I",
        "Animal",
        "Mammal",
        "Pet",
        "Dog",
        "Sealed",
        "Two",
    ];
    for lower in types {
        for upper in types {
            let (low, high) = (kit.class(lower), kit.class(upper));
            if kit.program.is_subtype(low, high) {
                let (low, high) = (kit.below(lower), kit.below(upper));
                assert_eq!(kit.domains.meet(low, high), low, "{lower}, {upper}");
            }
        }
    }
}

#[test]
fn the_upper_class_has_the_fields_that_all_have() {
    let mut kit = Kit::new();
    let expected = [
        ("Animal", "java.lang.Object"),
        ("Mammal", "Mammal"),
        ("Pet", "java.lang.Object"),
        ("Dog", "Dog"),
        ("Puppy", "Puppy"),
        ("Sealed", "java.lang.Object"),
        ("Two", "Two"),
        ("[LPet;", "Pet[]"),
        ("[[LDog;", "Dog[][]"),
        ("[I", "int[]"),
        ("java/lang/Object", "java.lang.Object"),
    ];
    for (name, upper) in expected {
        let set = kit.below(name);
        assert_eq!(kit.upper(set), upper, "{name}");
    }
    let animals = kit.below("Animal");
    let mammals = kit.cut(animals, "Mammal", true);
    assert_eq!(kit.upper(mammals), "Mammal", "no instance is a mammal and nothing more");
    let (dog, gecko) = (kit.class("Dog"), kit.class("Gecko"));
    let mixed = kit.domains.of(&[dog, gecko]);
    assert_eq!(kit.upper(mixed), "java.lang.Object");
    assert_eq!(kit.upper(DomainId::EMPTY), "java.lang.Object");
}

#[test]
fn a_set_touches_a_type_if_a_cut_by_it_leaves_something() {
    let mut kit = Kit::new();
    let sets = ["java/lang/Object", "Animal", "Dog", "[LPet;", "[[LDog;", "[Ljava/lang/Object;"];
    let types = [
        "java/lang/Object",
        "java/lang/Cloneable",
        "Animal",
        "Pet",
        "Whale",
        "Sealed",
        "[Ljava/lang/Object;",
        "[LAnimal;",
        "[LWhale;",
        "[[LPet;",
        "[[LWhale;",
        "[[I",
        "[I",
    ];
    let mut touching = 0;
    for (set, name) in sets.iter().flat_map(|set| types.map(|name| (*set, name))) {
        let (domain, class) = (kit.below(set), kit.class(name));
        let leaves = kit.cut(domain, name, true) != DomainId::EMPTY;
        assert_eq!(kit.domains.touches(&kit.program, domain, class), leaves, "{set}, {name}");
        touching += usize::from(leaves);
    }
    assert!(touching > 20 && touching < sets.len() * types.len(), "both are met: {touching}");
}

#[test]
fn arrays_are_divided_by_the_first_above_them() {
    let mut kit = Kit::new();
    let all = kit.below("[Ljava/lang/Object;");
    let all = kit.domains.classes(all).to_vec();
    let of = |names: &[&str]| names.iter().map(|name| kit.class(name)).collect::<Vec<_>>();
    let some = of(&["[LPuppy;", "[[LPuppy;", "[LPet;", "[[LDog;", "[I", "[LMammal;", "[LDog;"]);
    // Without `Object[]`, and then without what takes its place.
    let mut sets = vec![all.clone(), some];
    sets.push(all[1..].to_vec());
    sets.push(all[2..].iter().rev().copied().collect());
    for set in sets {
        let id = kit.domains.of(&set);
        let parts = kit.domains.parts(&kit.program, id);
        let parts: Vec<_> =
            parts.into_iter().map(|part| kit.domains.classes(part).to_vec()).collect();
        assert_eq!(parts, divided(&kit.program, set));
    }
    let dogs = kit.below("Dog");
    assert_eq!(kit.domains.parts(&kit.program, dogs), [dogs], "only arrays are divided");
}

/// Takes out the first class that none is above, with all that are below it, until nothing is left.
fn divided(program: &Program, mut rest: Vec<ClassId>) -> Vec<Vec<ClassId>> {
    let mut parts = Vec::new();
    loop {
        let is_above = |low: ClassId, c: ClassId| c != low && program.is_subtype(low, c);
        let is_top = |&top: &ClassId| !rest.iter().any(|&class| is_above(top, class));
        let Some(top) = rest.iter().copied().find(is_top) else { return parts };
        let (mut part, other): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|&class| program.is_subtype(class, top));
        part.sort_by_key(|&class| class != top);
        parts.push(part);
        rest = other;
    }
}
