//! Drawings of hand-made witnesses.

use super::diagram;
use dalang_explore::{Witness, WitnessBody, WitnessObject, WitnessValue};
use expect_test::{Expect, expect};
use std::collections::BTreeMap;

fn object(class: &str, fields: &[(&str, WitnessValue)]) -> WitnessObject {
    let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    WitnessObject { class: class.to_owned(), body: WitnessBody::Fields(fields) }
}

fn array(class: &str, length: u32, elements: &[(u32, WitnessValue)]) -> WitnessObject {
    let elements: BTreeMap<u32, WitnessValue> = elements.iter().cloned().collect();
    WitnessObject { class: class.to_owned(), body: WitnessBody::Array(length, elements) }
}

const fn to(number: u32) -> WitnessValue {
    WitnessValue::Object(number)
}

const fn int(value: i64) -> WitnessValue {
    WitnessValue::Integer(value)
}

const NULL: WitnessValue = WitnessValue::Null;

fn check(inputs: &[(&str, WitnessValue)], objects: Vec<WitnessObject>, expected: &Expect) {
    let inputs = inputs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    expected.assert_eq(&diagram(&Witness { inputs, objects, ..Witness::default() }));
}

fn node(key: i64, left: WitnessValue, right: WitnessValue) -> WitnessObject {
    object("t.Node", &[("key", int(key)), ("left", left), ("right", right)])
}

/// A list of this many nodes; the last one leads to `end`.
fn list(length: u32, end: &WitnessValue) -> Vec<WitnessObject> {
    let next = |number: u32| if number == length { end.clone() } else { to(number + 1) };
    (1..=length).map(|number| object("List", &[("next", next(number))])).collect()
}

#[test]
fn numbers_alone_are_not_drawn() {
    check(&[("x", int(1)), ("o", NULL)], vec![], &expect![""]);
}

#[test]
fn a_list_is_a_row_of_boxes() {
    let objects = vec![
        object("demo.Playlist", &[("first", to(2))]),
        object("demo.Playlist$Song", &[("id", int(1)), ("next", to(3))]),
        object("demo.Playlist$Song", &[("id", int(0)), ("next", NULL)]),
    ];
    check(
        &[("this", to(1)), ("id", int(7))],
        objects,
        &expect![[r#"
                     ┌─────────────┐
            this ───▶│ #1 Playlist │   ┌──────────────────┐
                     │ first ─────────▶│ #2 Playlist$Song │
                     └─────────────┘   │ id = 1           │   ┌──────────────────┐
                                       │ next ───────────────▶│ #3 Playlist$Song │
                                       └──────────────────┘   │ id = 0           │
                                                              │ next = null      │
                                                              └──────────────────┘
        "#]],
    );
}

#[test]
fn a_tree_has_its_branches_below_each_other() {
    let objects = vec![
        object("t.Tree", &[("root", to(2)), ("size", int(4))]),
        node(5, to(3), to(4)),
        node(3, NULL, NULL),
        node(8, to(5), NULL),
        node(6, NULL, NULL),
    ];
    check(
        &[("this", to(1))],
        objects,
        &expect![[r#"
                     ┌──────────┐
            this ───▶│ #1 Tree  │   ┌─────────┐
                     │ root ───────▶│ #2 Node │
                     │ size = 4 │   │ key = 5 │    ┌──────────────┐
                     └──────────┘   │ left ───────▶│ #3 Node      │
                                    │ right ───┐   │ key = 3      │
                                    └─────────┘│   │ left = null  │
                                               │   │ right = null │
                                               │   └──────────────┘
                                               │   ┌──────────────┐
                                               └──▶│ #4 Node      │
                                                   │ key = 8      │   ┌──────────────┐
                                                   │ left ───────────▶│ #5 Node      │
                                                   │ right = null │   │ key = 6      │
                                                   └──────────────┘   │ left = null  │
                                                                      │ right = null │
                                                                      └──────────────┘
        "#]],
    );
}

#[test]
fn sharing_and_cycles_show() {
    let objects = vec![
        object("p.Pair", &[("a", to(2)), ("b", to(2))]),
        object("p.Cell", &[("self", to(2)), ("owner", to(1))]),
    ];
    check(
        &[("this", to(1)), ("other", to(1))],
        objects,
        &expect![[r#"
                                    ┌─────────────────┐
            this ──────────────────▶│ #1 Pair         │   ┌────────────────────┐
            other = #1 (shared)     │ a ─────────────────▶│ #2 Cell            │
                                    │ b = #2 (shared) │   │ self = #2 (cycle)  │
                                    └─────────────────┘   │ owner = #1 (cycle) │
                                                          └────────────────────┘
        "#]],
    );
}

#[test]
fn arrows_of_several_fields_and_inputs_do_not_cross() {
    let objects = vec![
        object("A", &[("p", to(2)), ("q", to(3)), ("r", to(4))]),
        object("B", &[("x", int(1)), ("y", int(2))]),
        object("C", &[]),
        object("D", &[("z", int(3))]),
        array("java.lang.Object[]", 3, &[(1, to(6))]),
        object("other.B", &[]),
    ];
    check(
        &[("a", to(1)), ("elements", to(5))],
        objects,
        &expect![[r#"
                          ┌──────┐
            a ───────────▶│ #1 A │     ┌───────┐
            elements ─┐   │ p ────────▶│ #2 B  │
                      │   │ q ─────┐   │ x = 1 │
                      │   │ r ────┐│   │ y = 2 │
                      │   └──────┘││   └───────┘
                      │           ││   ┌──────┐
                      │           │└──▶│ #3 C │
                      │           │    └──────┘
                      │           │    ┌───────┐
                      │           └───▶│ #4 D  │
                      │                │ z = 3 │
                      │                └───────┘
                      │   ┌───────────────┐
                      └──▶│ #5 Object[3]  │   ┌────────────┐
                          │ [1] ─────────────▶│ #6 other.B │
                          │ others = null │   └────────────┘
                          └───────────────┘
        "#]],
    );
}

#[test]
fn what_is_too_wide_is_an_outline() {
    check(
        &[("this", to(1))],
        list(9, &to(4)),
        &expect![[r#"
        this = #1 List
        └─ next = #2 List
           └─ next = #3 List
              └─ next = #4 List
                 └─ next = #5 List
                    └─ next = #6 List
                       └─ next = #7 List
                          └─ next = #8 List
                             └─ next = #9 List (next = #4 (cycle))
    "#]],
    );
}

#[test]
fn what_is_too_much_is_a_table() {
    let mut objects = list(12, &to(1));
    objects.push(array("long[]", 100, &[(3, int(-1))]));
    check(
        &[("this", to(1)), ("a", to(13))],
        objects,
        &expect![[r#"
        #1   List       next = #2
        #2   List       next = #3
        #3   List       next = #4
        #4   List       next = #5
        #5   List       next = #6
        #6   List       next = #7
        #7   List       next = #8
        #8   List       next = #9
        #9   List       next = #10
        #10  List       next = #11
        #11  List       next = #12
        #12  List       next = #1
        #13  long[100]  [3] = -1, others = 0
    "#]],
    );
    let text = diagram(&Witness {
        inputs: vec![("l".into(), to(1))],
        objects: list(500, &NULL),
        ..Witness::default()
    });
    assert_eq!(text.lines().count(), 61);
    assert!(text.ends_with("and 440 more objects\n"), "{text}");
}

#[test]
fn strange_names_stay_in_their_box() {
    let objects =
        vec![object("p.漢字", &[("a\u{1b}[2Jb", to(2)), ("名", int(1))]), object("é", &[])];
    check(
        &[("this", to(1))],
        objects,
        &expect![[r#"
                     ┌─────────────┐
            this ───▶│ #1 漢字     │   ┌──────┐
                     │ a\u001b[2Jb ───▶│ #2 é │
                     │ 名 = 1      │   └──────┘
                     └─────────────┘
        "#]],
    );
}
