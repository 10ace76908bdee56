//! What javac writes, decoded: stack moves, wide variables, switches, handlers, call sites.

use crate::workshop::{Compiled, compiled, listing, method, named};
use dalang_classes::code::{Instruction, Switch};
use dalang_classes::{Constant, HandleKind, Program};

fn listing_of(program: &Program, class: &str, name: &str) -> String {
    let class = program.load(class).unwrap();
    listing(program, named(program, class, name))
}

/// Compares listings without regard to how they are indented here.
#[track_caller]
fn assert_lists(actual: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(actual), lines(expected), "\n{actual}");
}

fn moves() -> Compiled {
    compiled(&[(
        "Moves.java",
        "class Moves {
             long field;
             int small;
             static long shared;
             long field() { return field++; }
             int small() { return small++; }
             static long shared() { return shared++; }
             static long element(long[] a, int i) { return a[i]++; }
             static int small(int[] a, int i) { return a[i] += 2; }
             static void dropped() { System.nanoTime(); }
         }",
    )])
}

#[test]
fn moves_of_longs_are_moves_of_one_entry() {
    let compiled = moves();
    let program = compiled.program();
    assert_lists(
        &listing_of(&program, "Moves", "field"),
        "0 Load(0)
         1 Dup
         2 GetField Moves.field J
         3 DupX1
         4 Long(1)
         5 Binary(Long, Add)
         6 PutField Moves.field J
         7 ReturnValue(Long)",
    );
    assert_lists(
        &listing_of(&program, "Moves", "shared"),
        "0 GetStatic Moves.shared J
         1 Dup
         2 Long(1)
         3 Binary(Long, Add)
         4 PutStatic Moves.shared J
         5 ReturnValue(Long)",
    );
    assert_lists(
        &listing_of(&program, "Moves", "element"),
        "0 Load(0)
         1 Load(1)
         2 Dup2
         3 ArrayLoad(Long)
         4 DupX2
         5 Long(1)
         6 Binary(Long, Add)
         7 ArrayStore(Long)
         8 ReturnValue(Long)",
    );
    let class = program.load("Moves").unwrap();
    assert_lists(
        &listing(&program, method(&program, class, "small", "([II)I")),
        "0 Load(0)
         1 Load(1)
         2 Dup2
         3 ArrayLoad(Int)
         4 Int(2)
         5 Binary(Int, Add)
         6 DupX2
         7 ArrayStore(Int)
         8 ReturnValue(Int)",
    );
    assert!(listing_of(&program, "Moves", "dropped").contains("1 Pop\n"));
    assert!(listing_of(&program, "Moves", "small").contains("DupX1"));
}

#[test]
fn constants_are_inline_where_they_fit() {
    let compiled = compiled(&[(
        "Constants.java",
        "class Constants {
             static Object[] all() {
                 return new Object[] { 1, 70000, 5L, 5000000000L, 0.5, 0.1, 1.5f, \"\\0x\\ud800\",
                     Constants.class, int[][].class, new int[2][3] };
             }
         }",
    )]);
    let program = compiled.program();
    let text = listing_of(&program, "Constants", "all");
    for expected in [
        "Int(1)",
        "Int(70000)",
        "Long(5)",
        "Constant Long(5000000000)",
        "Double(0.5)",
        "Constant Double(0.1)",
        "Float(1.5)",
        "Constant String(",
        "Constant class Constants",
        "Constant class [[I",
        "NewMultiArray [[I 2",
        "NewReferenceArray java/lang/Object",
    ] {
        assert!(text.contains(expected), "no {expected} in\n{text}");
    }
    let class = program.class(program.load("Constants").unwrap());
    let code = program.code(named(&program, class.id, "all")).unwrap().unwrap();
    let strings = code.instructions.iter().filter_map(|&instruction| match instruction {
        Instruction::Constant(id) => class.pool.constant(id),
        _ => None,
    });
    let strings: Vec<Vec<u16>> = strings
        .filter_map(|constant| match constant {
            Constant::String(text) => Some(text.to_utf16()),
            _ => None,
        })
        .collect();
    assert_eq!(strings, [vec![0, u16::from(b'x'), 0xD800]]);
}

#[test]
fn more_than_256_variables() {
    let variables = (0..200).map(|number| format!("long v{number} = {number}L + n;\n"));
    let variables: String = variables.collect();
    let mut source = format!("class Wide {{ static long all(int n) {{\n{variables}");
    source += "n += 1000; int last = n; last++; last += 500; return v199 + last; } }";
    let compiled = compiled(&[("Wide.java", &source)]);
    let program = compiled.program();
    let text = listing_of(&program, "Wide", "all");
    for expected in [
        "Store(399)",
        "Load(399)",
        "Increment { slot: 0, by: 1000 }",
        "Increment { slot: 401, by: 500 }",
    ] {
        assert!(text.contains(expected), "no {expected} in\n{text}");
    }
    let class = program.load("Wide").unwrap();
    let code = program.code(named(&program, class, "all")).unwrap().unwrap();
    assert_eq!(code.max_locals, 402);
    let last = code.instructions.len() as u16 - 1;
    let name = |slot| code.local(slot, last).map(|local| program.names().text(local.name));
    assert_eq!([name(0), name(1), name(399), name(401)], ["n", "v0", "v199", "last"].map(Some));
    assert_eq!(code.line(0), Some(2));
    assert_eq!(code.line(last), Some(202));
}

#[test]
fn switches() {
    let compiled = compiled(&[(
        "Switches.java",
        "class Switches {
             static int table(int x) { switch (x) { case 1: return 10; case 2: return 20; case 4: return 40; default: return 0; } }
             static int lookup(int x) { switch (x) { case -1000: return 1; case 7: return 2; case 90000: return 3; } return 4; }
             static int edge(int x) { switch (x) { case 2147483646: return 1; case 2147483647: return 2; case 2147483645: return 3; } return 4; }
         }",
    )]);
    let program = compiled.program();
    let class = program.load("Switches").unwrap();
    let switch = |name| {
        let code = program.code(named(&program, class, name)).unwrap().unwrap();
        let value = |target: u16| match code.instructions[target as usize] {
            Instruction::Int(value) => value,
            other => panic!("{other:?}"),
        };
        let [switch] = code.switches() else { panic!("one switch expected") };
        let cases: Vec<(i32, i32)> =
            switch.cases().map(|(key, target)| (key, value(target))).collect();
        (matches!(switch, Switch::Table { .. }), cases, value(switch.default()))
    };
    assert_eq!(switch("table"), (true, vec![(1, 10), (2, 20), (3, 0), (4, 40)], 0));
    assert_eq!(switch("lookup"), (false, vec![(-1000, 1), (7, 2), (90000, 3)], 4));
    let max = i32::MAX;
    assert_eq!(switch("edge"), (true, vec![(max - 2, 3), (max - 1, 1), (max, 2)], 4));
}

#[test]
fn nested_try_and_finally() {
    let compiled = compiled(&[(
        "Handlers.java",
        "class Handlers {
             static int f(int x) {
                 try {
                     try { return 10 / x; } catch (ArithmeticException e) { return -1; }
                 } finally {
                     System.gc();
                 }
             }
         }",
    )]);
    let program = compiled.program();
    assert_lists(
        &listing_of(&program, "Handlers", "f"),
        "0 Int(10)
         1 Load(0)
         2 Binary(Int, Div)
         3 Store(1)
         4 InvokeStatic java/lang/System.gc()V
         5 Load(1)
         6 ReturnValue(Int)
         7 Store(1)
         8 Int(-1)
         9 Store(2)
         10 InvokeStatic java/lang/System.gc()V
         11 Load(2)
         12 ReturnValue(Int)
         13 Store(3)
         14 InvokeStatic java/lang/System.gc()V
         15 Load(3)
         16 Throw
         0..4 -> 7 java/lang/ArithmeticException
         0..4 -> 13 anything
         7..10 -> 13 anything",
    );
}

#[test]
fn call_sites_and_their_bootstrap_methods() {
    let compiled = compiled(&[(
        "Lambdas.java",
        "import java.util.function.*;
         class Lambdas {
             static Supplier<String> lambda(int x) { return () -> \"x is \" + x; }
             static Function<String, Integer> reference() { return String::length; }
         }",
    )]);
    let program = compiled.program();
    assert!(
        listing_of(&program, "Lambdas", "lambda")
            .contains("InvokeDynamic get(I)Ljava/util/function/Supplier; by ")
    );
    let class = program.class(program.load("Lambdas").unwrap());
    let site = |name: &str| {
        let code = program.code(named(&program, class.id, name)).unwrap().unwrap();
        code.instructions.iter().find_map(|instruction| match instruction {
            Instruction::InvokeDynamic(id) => Some(*id),
            _ => None,
        })
    };
    let bootstrap = class.pool.bootstrap(site("reference").unwrap());
    let Some(Constant::MethodHandle(handle)) = class.pool.constant(bootstrap.handle) else {
        panic!("a handle expected")
    };
    assert_eq!(handle.kind, HandleKind::InvokeStatic);
    let [erased, target, _] = &*bootstrap.arguments else { panic!("three arguments expected") };
    let Some(Constant::MethodType(erased)) = class.pool.constant(*erased) else { panic!() };
    assert_eq!(program.names().text(erased), "(Ljava/lang/Object;)Ljava/lang/Object;");
    let Some(Constant::MethodHandle(target)) = class.pool.constant(*target) else { panic!() };
    assert_eq!(target.kind, HandleKind::InvokeVirtual);
}
