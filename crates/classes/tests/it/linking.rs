//! Resolution, layout and selection on classes that javac made.

use crate::workshop::{Compiled, compiled, method, named};
use dalang_classes::code::Instruction;
use dalang_classes::{
    ClassId, Dispatch, FieldUse, InvokeKind, MethodId, Outline, Primitive, Program, Shape,
};

/// The class whose method a call on `receiver` runs.
fn runs(program: &Program, receiver: &str, declared: &str, name: &str) -> String {
    let receiver = program.load(receiver).unwrap();
    let resolved = named(program, program.load(declared).unwrap(), name);
    match program.select(receiver, resolved) {
        Ok(selected) => program.class_spelling(program.method(selected).class),
        Err(failure) => failure.error.class_name().to_owned(),
    }
}

fn packages() -> Compiled {
    compiled(&[
        ("p/A.java", "package p; public class A { void m() {} public void run() { m(); } }"),
        ("q/B.java", "package q; public class B extends p.A { public void m() {} }"),
        ("p/C.java", "package p; public class C extends q.B { public void m() {} }"),
        ("q/D.java", "package q; public class D extends p.C { public void m() {} }"),
        ("p/E.java", "package p; public class E extends A { public void m() {} }"),
        ("q/F.java", "package q; public class F extends p.E { public void m() {} }"),
    ])
}

#[test]
fn package_private_methods_are_overridden_within_their_package_only() {
    let compiled = packages();
    let program = compiled.program();
    let runs = |receiver, declared| runs(&program, receiver, declared, "m");
    // B is in another package, so its m is another method.
    assert_eq!(runs("q/B", "p/A"), "p.A");
    assert_eq!(runs("q/B", "q/B"), "q.B");
    // C overrides both.
    assert_eq!(runs("p/C", "p/A"), "p.C");
    assert_eq!(runs("p/C", "q/B"), "p.C");
    // D overrides C's m, and through it A's.
    assert_eq!(runs("q/D", "p/A"), "q.D");
    assert_eq!(runs("q/D", "q/B"), "q.D");
    // E makes it public, and F overrides A's m by way of E's.
    assert_eq!(runs("p/E", "p/A"), "p.E");
    assert_eq!(runs("q/F", "p/A"), "q.F");
    assert_eq!(runs("q/F", "p/E"), "q.F");
}

#[test]
fn the_jvm_agrees_about_package_private_methods() {
    let compiled = packages();
    compiled.add(&[(
        "p/Main.java",
        "package p; public class Main { public static void main(String[] a) throws Exception {
             for (String n : new String[] {\"q.B\", \"p.C\", \"q.D\", \"p.E\", \"q.F\"}) {
                 A x = (A) Class.forName(n).getDeclaredConstructor().newInstance();
                 x.m();
             } } }",
    )]);
    // The same hierarchy, with bodies that say who they are.
    let body = |class: &str| format!("{{ System.out.println(\"{class}\"); }}");
    let sources: Vec<(String, String)> = [
        ("p/A.java", format!("package p; public class A {{ void m() {} }}", body("p.A"))),
        (
            "q/B.java",
            format!("package q; public class B extends p.A {{ public void m() {} }}", body("q.B")),
        ),
        (
            "p/C.java",
            format!("package p; public class C extends q.B {{ public void m() {} }}", body("p.C")),
        ),
        (
            "q/D.java",
            format!("package q; public class D extends p.C {{ public void m() {} }}", body("q.D")),
        ),
        (
            "p/E.java",
            format!("package p; public class E extends A {{ public void m() {} }}", body("p.E")),
        ),
        (
            "q/F.java",
            format!("package q; public class F extends p.E {{ public void m() {} }}", body("q.F")),
        ),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .into();
    let sources: Vec<(&str, &str)> =
        sources.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    compiled.add(&sources);
    let output = std::process::Command::new(compiled.jdk.java().unwrap())
        .arg("-cp")
        .arg(compiled.classes())
        .arg("p.Main")
        .output()
        .unwrap();
    let expected = String::from_utf8(output.stdout).unwrap();
    let program = compiled.program();
    let ours: Vec<String> =
        ["q/B", "p/C", "q/D", "p/E", "q/F"].map(|class| runs(&program, class, "p/A", "m")).into();
    assert_eq!(ours, expected.lines().collect::<Vec<_>>());
}

#[test]
fn default_methods() {
    let compiled = compiled(&[(
        "Diamond.java",
        "interface Top { default int m() { return 0; } int n(); }
         interface Left extends Top { default int m() { return 1; } }
         interface Right extends Top { }
         class Both implements Left, Right { public int n() { return 0; } }
         abstract class Base { public abstract int m(); }
         class Below extends Both { public int m() { return 2; } }
         abstract class NoBody implements Top { }",
    )]);
    let program = compiled.program();
    assert_eq!(runs(&program, "Both", "Top", "m"), "Left");
    assert_eq!(runs(&program, "Both", "Left", "m"), "Left");
    assert_eq!(runs(&program, "Below", "Top", "m"), "Below");
    assert_eq!(runs(&program, "Below", "Top", "n"), "Both");
    assert_eq!(runs(&program, "NoBody", "Top", "n"), "java/lang/AbstractMethodError");
    let top = program.load("Top").unwrap();
    let resolved = named(&program, top, "m");
    let found = program.implementations(resolved, top);
    let bodies: Vec<String> =
        found.iter().map(|body| program.method_spelling(body.method)).collect();
    assert_eq!(bodies, ["Below.m()I", "Left.m()I"]);
    let names: Vec<String> = program
        .instantiable_subtypes(top)
        .iter()
        .map(|&class| program.class_spelling(class))
        .collect();
    assert_eq!(names, ["Below", "Both"]);
}

#[test]
fn conflicting_defaults_are_an_error_of_the_call() {
    let compiled = compiled(&[(
        "Conflict.java",
        "interface One { default int m() { return 1; } }
         interface Two { }
         class Conflict implements One, Two { }",
    )]);
    compiled.add(&[("Two.java", "interface Two { default int m() { return 2; } }")]);
    let program = compiled.program();
    let class = program.load("Conflict").unwrap();
    let resolved = named(&program, program.load("One").unwrap(), "m");
    let failure = program.select(class, resolved).unwrap_err();
    assert_eq!(failure.error.class_name(), "java/lang/IncompatibleClassChangeError");
    assert_eq!(&*failure.message, "Conflicting default methods: One.m Two.m");
}

#[test]
fn super_calls() {
    let compiled = compiled(&[(
        "Supers.java",
        "class Supers { int m() { return 0; } }
         class Middle extends Supers { }
         interface Face { default int d() { return 3; } }
         class Bottom extends Middle implements Face {
             int m() { return super.m(); }
             public int d() { return Face.super.d(); }
             private int p() { return p(); }
         }",
    )]);
    let program = compiled.program();
    let bottom = program.load("Bottom").unwrap();
    let special = |name| {
        let (resolved, class) = call_in(&program, bottom, name);
        program.select_special(bottom, class, resolved).map(|id| program.method_spelling(id))
    };
    assert_eq!(special("m").unwrap(), "Supers.m()I");
    assert_eq!(special("d").unwrap(), "Face.d()I");
    // Since Java 11 javac calls private methods virtually; they are not dispatched all the same.
    let private = named(&program, bottom, "p");
    assert_eq!(program.method(private).dispatch, Dispatch::Exact);
    assert_eq!(program.select(bottom, private).unwrap(), private);
}

/// The method and the named class of the first call in a method.
fn call_in(program: &Program, class: ClassId, name: &str) -> (MethodId, ClassId) {
    let code = program.code(named(program, class, name)).unwrap().unwrap();
    let call = code.instructions.iter().find_map(|&instruction| match instruction {
        Instruction::InvokeSpecial(id)
        | Instruction::InvokeVirtual(id)
        | Instruction::InvokeInterface(id)
        | Instruction::InvokeStatic(id) => Some(id),
        _ => None,
    });
    let id = call.unwrap();
    let named = program.class(class).pool.method(id).class;
    (program.resolve_method(class, id).unwrap(), program.resolve_class(class, named).unwrap())
}

#[test]
fn nest_mates_see_private_members() {
    let compiled = compiled(&[(
        "Nest.java",
        "class Nest {
             private int secret;
             private static int shared() { return 1; }
             class Inner { private int own; int look() { return secret + shared(); } }
             int look(Inner inner) { return inner.own; }
         }
         class Stranger { }",
    )]);
    let program = compiled.program();
    let [outer, inner, stranger] =
        ["Nest", "Nest$Inner", "Stranger"].map(|name| program.load(name).unwrap());
    assert_eq!(program.nest_host(inner), outer);
    assert_eq!(program.nest_host(outer), outer);
    assert_eq!(program.nest_host(stranger), stranger);
    call_in(&program, inner, "look");
    let shared = program.method(named(&program, outer, "shared"));
    assert!(program.can_access_member(inner, outer, outer, shared.flags));
    assert!(!program.can_access_member(stranger, outer, outer, shared.flags));
    let class = program.class(inner);
    let own = class.inner_classes().iter().find(|inner| inner.inner == class.name).unwrap();
    assert_eq!(own.simple_name.map(|name| program.names().text(name)), Some("Inner"));
}

#[test]
fn protected_members_across_packages() {
    let compiled = compiled(&[
        (
            "p/Base.java",
            "package p; public class Base { protected int x; protected static int s; }",
        ),
        ("q/Sub.java", "package q; public class Sub extends p.Base { }"),
        ("q/Low.java", "package q; public class Low extends Sub { }"),
        ("q/Other.java", "package q; public class Other extends p.Base { }"),
    ]);
    let program = compiled.program();
    let [base, sub, low, other] =
        ["p/Base", "q/Sub", "q/Low", "q/Other"].map(|name| program.load(name).unwrap());
    let field = |slot: usize| program.field(program.class(base).fields().nth(slot).unwrap());
    let (x, s) = (field(0).flags, field(1).flags);
    assert!(program.can_access_member(sub, sub, base, x));
    assert!(program.can_access_member(sub, low, base, x));
    assert!(!program.can_access_member(sub, other, base, x), "a sibling's is not ours");
    assert!(program.can_access_member(sub, other, base, s), "static members are");
}

#[test]
fn fields_have_slots_after_inherited_ones() {
    let compiled = compiled(&[(
        "Layout.java",
        "class Layout { int a; static int s; long b; }
         class Lower extends Layout { int a; static final int K = 7; static String t; double c; }",
    )]);
    let program = compiled.program();
    let lower = program.class(program.load("Lower").unwrap());
    let spell =
        |ids: &[_]| -> Vec<String> { ids.iter().map(|&id| program.field_spelling(id)).collect() };
    assert_eq!(spell(&lower.instance_fields), ["Layout.a", "Layout.b", "Lower.a", "Lower.c"]);
    assert_eq!(spell(&lower.static_fields), ["Lower.K", "Lower.t"]);
    for (slot, &id) in lower.instance_fields.iter().enumerate() {
        assert_eq!(program.field(id).slot as usize, slot);
    }
    let constant = program.field(lower.static_fields[0]).constant.unwrap();
    assert_eq!(lower.pool.constant(constant), Some(dalang_classes::Constant::Int(7)));
    let name = |text: &str| program.names().find(text).unwrap();
    let found = |field: &str, kind: &str| {
        program.find_field(lower.id, name(field), name(kind)).map(|id| program.field_spelling(id))
    };
    assert_eq!(found("a", "I").as_deref(), Some("Lower.a"));
    assert_eq!(found("b", "J").as_deref(), Some("Layout.b"));
    assert_eq!(found("b", "I"), None);
}

#[test]
fn fields_of_superclasses_come_before_those_of_their_interfaces() {
    let compiled = compiled(&[(
        "Order.java",
        "interface Far { int x = 1; int y = 1; int z = 1; }
         interface Near extends Far { int y = 2; }
         interface Mine { int z = 3; }
         class Upper implements Near { int x; }
         class Order extends Upper implements Mine { }",
    )]);
    let program = compiled.program();
    let class = program.load("Order").unwrap();
    let kind = program.names().find("I").unwrap();
    let found = ["x", "y", "z"].map(|name| {
        let name = program.names().find(name).unwrap();
        program.field_spelling(program.find_field(class, name, kind).unwrap())
    });
    assert_eq!(found, ["Upper.x", "Near.y", "Mine.z"]);
}

#[test]
fn records_sealed_types_enums_and_enclosing_methods() {
    let compiled = compiled(&[(
        "Kinds.java",
        "sealed interface Kinds permits Point, Leaf { }
         record Point(int x, java.util.List<String> names) implements Kinds { }
         final class Leaf implements Kinds { Object f() throws java.io.IOException { return new Object() { }; } }
         enum Color { RED { int v() { return 1; } }; int v() { return 0; } }",
    )]);
    let program = compiled.program();
    let text = |name| program.names().text(name);
    let load = |name: &str| program.class(program.load(name).unwrap());
    let point = load("Point");
    let components: Vec<_> = point.record().unwrap().iter().map(|c| text(c.name)).collect();
    assert_eq!(components, ["x", "names"]);
    let generic = point.record().unwrap()[1].signature.map(text);
    assert_eq!(generic, Some("Ljava/util/List<Ljava/lang/String;>;"));
    let permitted = load("Kinds").permitted_subclasses().unwrap();
    assert_eq!(permitted.iter().map(|&name| text(name)).collect::<Vec<_>>(), ["Point", "Leaf"]);
    let anonymous = load("Leaf$1");
    let enclosing = anonymous.enclosing().unwrap();
    assert_eq!(text(enclosing.class), "Leaf");
    assert_eq!(enclosing.method.map(|(name, _)| text(name)), Some("f"));
    assert!(load("Color").flags.is_enum());
    assert_eq!(load("Leaf").source_file().map(text), Some("Kinds.java"));
    let f = named(&program, load("Leaf").id, "f");
    let thrown: Vec<_> = program.declared_exceptions(f).into_iter().map(text).collect();
    assert_eq!(thrown, ["java/io/IOException"]);
}

#[test]
fn annotations_stay_bytes() {
    let compiled = compiled(&[(
        "Noted.java",
        "@Deprecated class Noted { @Deprecated int x; @Deprecated void m() { } }
         @interface Default { int value() default 7; }",
    )]);
    let program = compiled.program();
    let class = program.class(program.load("Noted").unwrap());
    let annotations = program.names().find("RuntimeVisibleAnnotations").unwrap();
    let raw = class.attributes().iter().find(|raw| raw.name == annotations).unwrap();
    let bytes = class.attribute_bytes(*raw);
    assert_eq!(bytes[..2], [0, 1], "one annotation");
    let kind = class.pool.text(u16::from_be_bytes([bytes[2], bytes[3]])).unwrap();
    assert_eq!(kind.to_str(), "Ljava/lang/Deprecated;");
    let default = program.load("Default").unwrap();
    let value = program.method(named(&program, default, "value"));
    let name = program.names().find("AnnotationDefault").unwrap();
    assert!(value.attributes.iter().any(|raw| raw.name == name));
}

#[test]
fn arrays_and_subtypes() {
    let compiled = compiled(&[("Nothing.java", "class Nothing { }")]);
    let program = compiled.program();
    let load = |name: &str| program.load(name).unwrap();
    let is = |sub: &str, sup: &str| program.is_subtype(load(sub), load(sup));
    for (sub, sup) in [
        ("java/util/ArrayList", "java/util/List"),
        ("java/util/ArrayList", "java/util/AbstractCollection"),
        ("java/util/List", "java/lang/Object"),
        ("java/util/List", "java/util/Collection"),
        ("[I", "java/lang/Object"),
        ("[I", "java/lang/Cloneable"),
        ("[[I", "[Ljava/io/Serializable;"),
        ("[[I", "[Ljava/lang/Object;"),
        ("[Ljava/lang/Integer;", "[Ljava/lang/Number;"),
        ("[Ljava/util/ArrayList;", "[Ljava/util/List;"),
    ] {
        assert!(is(sub, sup), "{sub} <: {sup}");
        assert!(!is(sup, sub), "{sup} <: {sub}");
    }
    assert!(!is("[I", "[J"));
    assert!(!is("[I", "[Ljava/lang/Object;"));
    let ints = load("[[I");
    let Shape::Array { component, element, dimensions } = program.class(ints).shape else {
        panic!()
    };
    assert_eq!(component, program.primitive_array(Primitive::Int).unwrap());
    assert_eq!((element, dimensions), (program.primitive(Some(Primitive::Int)), 2));
    assert_eq!(program.class_spelling(ints), "int[][]");
    assert!(!program.is_subtype(element, program.object()));
    assert!(program.load(&format!("{}I", "[".repeat(256))).is_err());
    assert!(program.array_of(program.primitive(None)).is_err());
}

#[test]
fn calls_on_arrays_and_signature_polymorphic_calls() {
    let compiled = compiled(&[(
        "Special.java",
        "import java.lang.invoke.*;
         class Special {
             static int[] copy(int[] a) { return a.clone(); }
             static int call(MethodHandle h) throws Throwable { return (int) h.invokeExact(1, \"x\"); }
             static void set(VarHandle h, Special s) { h.setVolatile(s, 3); }
         }",
    )]);
    let program = compiled.program();
    let class = program.load("Special").unwrap();
    let (clone, named) = call_in(&program, class, "copy");
    assert_eq!(program.method_spelling(clone), "java.lang.Object.clone()Ljava/lang/Object;");
    assert!(program.class(named).is_array());
    assert_eq!(program.select(named, clone).unwrap(), clone);
    for name in ["call", "set"] {
        let (method, _) = call_in(&program, class, name);
        assert!(program.method(method).is_signature_polymorphic, "{name}");
    }
}

#[test]
fn opaque_classes_take_the_place_of_lambdas() {
    let compiled = compiled(&[("Nothing.java", "class Nothing { }")]);
    let program = compiled.program();
    let host = program.load("Nothing").unwrap();
    let comparator = program.load("java/util/Comparator").unwrap();
    let lambda = program.define_opaque("Nothing$$Lambda/0x1", host, &[comparator]);
    assert!(program.is_subtype(lambda, comparator));
    assert!(program.is_subtype(lambda, program.object()));
    let reversed = named(&program, comparator, "reversed");
    assert_eq!(program.select(lambda, reversed).unwrap(), reversed);
    let hash = named(&program, program.object(), "hashCode");
    assert_eq!(program.select(lambda, hash).unwrap(), hash);
    assert_eq!(program.loaded("Nothing$$Lambda/0x1"), None);
    assert_eq!(program.nest_host(lambda), host);
}

#[test]
fn uses_that_do_not_fit_the_member() {
    let compiled = compiled(&[(
        "Uses.java",
        "class Uses { int x; static int s; final int f = 1 + x; void m() { } static void n() { } Uses() { } }
         class Elsewhere { void m() { } }",
    )]);
    let program = compiled.program();
    let class = program.class(program.load("Uses").unwrap());
    let m = method(&program, class.id, "m", "()V");
    let [x, s, f] = [0, 1, 2].map(|place| class.fields().nth(place).unwrap());
    let message = |usage, field, from| {
        program.check_field_use(from, field, usage).err().map(|failure| failure.message.to_string())
    };
    assert_eq!(message(FieldUse::GetField, x, m), None);
    assert_eq!(message(FieldUse::GetStatic, x, m).unwrap(), "Expected static field Uses.x");
    assert_eq!(message(FieldUse::PutField, s, m).unwrap(), "Expected non-static field Uses.s");
    let constructor = named(&program, class.id, "<init>");
    assert_eq!(message(FieldUse::PutField, f, constructor), None);
    assert!(message(FieldUse::PutField, f, m).unwrap().contains("different method (m)"));
    let elsewhere = named(&program, program.load("Elsewhere").unwrap(), "m");
    assert!(message(FieldUse::PutField, f, elsewhere).unwrap().contains("different class"));
    let n = method(&program, class.id, "n", "()V");
    assert!(program.check_invoke(n, InvokeKind::Static).is_ok());
    assert!(program.check_invoke(n, InvokeKind::Virtual).is_err());
    assert!(program.check_invoke(m, InvokeKind::Static).is_err());
}

#[test]
fn threads_share_a_program() {
    let compiled = compiled(&[("Nothing.java", "class Nothing { }")]);
    let program = compiled.program();
    let names =
        ["java/util/HashMap", "java/util/TreeMap", "[[Ljava/lang/String;", "java/util/List"];
    let ids: Vec<Vec<ClassId>> = std::thread::scope(|scope| {
        let load = || names.iter().map(|name| program.load(name).unwrap()).collect();
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn stand_ins_take_the_place_of_classes_that_no_file_describes() {
    let compiled = compiled(&[("There.java", "public class There { static void own() { } }")]);
    let program = compiled.program();
    // Not known yet, and looked for again later.
    assert!(program.load("far/Away").is_err());
    let outline = |name| Outline {
        name,
        superclass: "java/lang/RuntimeException",
        methods: vec![("assume", "(Z)V"), ("any", "(ILjava/lang/String;)[J")],
        switches: vec!["enabled"],
    };
    program.offer(vec![outline("far/Away"), outline("There")]);
    let away = program.load("far/Away").unwrap();
    assert!(program.is_stand_in(away));
    assert!(program.is_subtype(away, program.load("java/lang/Throwable").unwrap()));
    let any = program.method(method(&program, away, "any", "(ILjava/lang/String;)[J"));
    assert!(any.flags.is_native() && any.flags.is_static() && any.flags.is_public());
    assert_eq!(any.argument_count(), 2);
    let field = program.field(program.class(away).fields().next().unwrap());
    assert_eq!(program.names().text(field.name), "enabled");
    assert!(field.flags.is_static() && field.constant.is_some());
    // What is there is not replaced.
    let there = program.load("There").unwrap();
    assert!(!program.is_stand_in(there));
    method(&program, there, "own", "()V");
}
