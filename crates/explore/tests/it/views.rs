//! Which classes inputs can be of.

use crate::workshop::{Compiled, shared, spelled};
use dalang_classes::Program;
use dalang_explore::View;
use std::fs;
use std::sync::{Mutex, Weak};

const SOURCE: &str = "
import java.util.*;
interface Shape { int area(); }
class Square implements Shape { int side; public int area() { return side * side; } }
final class Circle implements Shape { int radius; public int area() { return 3 * radius; } }
abstract class Round implements Shape { }
enum Color { RED, GREEN { int code() { return 2; } }; int code() { return 1; } }
class Uses {
    Object any;
    int first(List<String> list) { return list.size(); }
    long many(Deque<Integer> queue, StringBuilder text) { return Math.max(queue.size(), text.length()); }
    boolean is(Object o) { return o instanceof int[] || o instanceof Optional || o instanceof Class; }
    void runs(Runnable task, Thread thread) { task.run(); }
}
";

static SHARED: Mutex<Weak<Compiled>> = Mutex::new(Weak::new());

fn below(view: &View, program: &Program, name: &str) -> Vec<String> {
    let mut domains = view.domains();
    let class = program.load(name).unwrap();
    let set = domains.below(program, class);
    spelled(program, domains.classes(set))
}

fn names(program: &Program) -> Vec<String> {
    program.class_path().classes().unwrap()
}

#[test]
fn a_type_has_the_classes_of_the_program_below_it() {
    let compiled = shared(&SHARED, SOURCE);
    let program = compiled.program();
    let view = View::new(&program, &names(&program), &[]);
    assert_eq!(below(&view, &program, "Shape"), ["Circle", "Square"]);
    assert_eq!(below(&view, &program, "Square"), ["Square"]);
    assert_eq!(below(&view, &program, "Round"), [""; 0]);
    assert_eq!(below(&view, &program, "Color"), ["Color", "Color$1"]);
    assert_eq!(below(&view, &program, "[LShape;"), ["Shape[]", "Circle[]", "Round[]", "Square[]"]);
    assert_eq!(below(&view, &program, "[I"), ["int[]"]);
}

#[test]
fn an_object_is_of_a_class_that_the_program_mentions_and_others_can_make() {
    let compiled = shared(&SHARED, SOURCE);
    let program = compiled.program();
    let view = View::new(&program, &names(&program), &[]);
    let found = below(&view, &program, "java/lang/Object");
    assert_eq!(found[0], "java.lang.Object");
    for expected in ["Uses", "java.lang.StringBuilder", "java.util.Optional", "int[]", "Color$1"] {
        assert!(found.iter().any(|class| class == expected), "no {expected} in {found:?}");
    }
    for absent in ["java.lang.Math", "java.lang.Class", "java.lang.Thread", "java.util.HashMap"] {
        assert!(!found.iter().any(|class| class == absent), "{absent} in {found:?}");
    }
    let mut rest = found[1..].to_vec();
    rest.sort_by_key(|name| name.replace('.', "/"));
    assert!(!rest.is_empty());
}

#[test]
fn abstract_types_of_the_library_get_a_default_list_which_is_told() {
    let compiled = shared(&SHARED, SOURCE);
    let program = compiled.program();
    let view = View::new(&program, &names(&program), &[]);
    let mut domains = view.domains();
    let list = program.load("java/util/List").unwrap();
    let set = domains.below(&program, list);
    // A linked list is a deque as well, which the program mentions too.
    assert_eq!(
        spelled(&program, domains.classes(set)),
        ["java.util.ArrayList", "java.util.LinkedList"]
    );
    let lists = [
        "java.util.Deque: java.util.ArrayDeque, java.util.LinkedList",
        "java.util.List: java.util.ArrayList, java.util.LinkedList",
    ];
    assert_eq!(domains.take_assumptions(), lists);
    assert_eq!(domains.take_assumptions(), [""; 0]);
    // What is known already still rests on the assumption.
    domains.below(&program, list);
    assert_eq!(domains.take_assumptions(), lists);
    // A type that nothing mentions has its list when it is met.
    let map = program.load("java/util/SortedMap").unwrap();
    let set = domains.below(&program, map);
    assert_eq!(spelled(&program, domains.classes(set)), ["java.util.TreeMap"]);
    assert_eq!(domains.take_assumptions(), ["java.util.SortedMap: java.util.TreeMap"]);
    for nothing in ["java/lang/Runnable", "java/lang/Thread", "java/lang/Class"] {
        assert_eq!(below(&view, &program, nothing), [""; 0], "{nothing}");
    }
}

#[test]
fn a_class_path_is_loaded_when_something_of_it_could_be_below_a_type() {
    let compiled = Compiled::single("Uses.java", SOURCE);
    fs::write(compiled.classes().join("Broken.class"), b"no class").unwrap();
    let program = compiled.program();
    let path: Vec<String> = names(&program).into_iter().filter(|name| name != "Uses").collect();
    let view = View::new(&program, &["Uses".to_owned()], &path);
    // Nothing of the class path extends it.
    assert_eq!(below(&view, &program, "Uses"), ["Uses"]);
    assert!(program.loaded("Square").is_none());
    assert_eq!(view.broken(), 0);
    assert_eq!(below(&view, &program, "Shape"), ["Circle", "Square"]);
    assert!(program.loaded("Square").is_some());
    assert_eq!(view.broken(), 1);
}

#[test]
fn a_class_path_that_extends_the_target_is_seen() {
    let compiled = shared(&SHARED, SOURCE);
    let program = compiled.program();
    let path: Vec<String> = names(&program).into_iter().filter(|name| name != "Shape").collect();
    let view = View::new(&program, &["Shape".to_owned()], &path);
    assert_eq!(below(&view, &program, "Shape"), ["Circle", "Square"]);
}

#[test]
fn the_order_of_loading_does_not_matter() {
    let compiled = shared(&SHARED, SOURCE);
    let (one, other) = (compiled.program(), compiled.program());
    for name in ["java/util/LinkedList", "Square", "Circle", "java/util/Optional"] {
        other.load(name).unwrap();
    }
    for name in ["java/lang/Object", "[Ljava/lang/Object;", "Shape", "java/util/Collection"] {
        let first = View::new(&one, &names(&one), &[]);
        let second = View::new(&other, &[], &names(&other));
        assert_eq!(below(&first, &one, name), below(&second, &other, name), "{name}");
    }
}
