//! Constructors, fields and methods.

#![allow(clippy::too_many_lines, reason = "lists of cases, and no logic in them")]

use super::Verdict::{Refused, Taken};
use super::{Case, NEW, OBJECT, OLD, body, both, case, constructor};
use crate::verification::assembler::Assembler;

pub fn constructors() -> Vec<Case> {
    let up = "aload_0\ninvokespecial java/util/AbstractList.<init>()V";
    [
        constructor("calls its superclass", Taken, &format!("{up}\nreturn")),
        constructor("calls itself", Taken, "aload_0\ninvokespecial q/T.<init>()V\nreturn"),
        constructor("calls nothing", Refused, "return"),
        constructor("calls another class", Refused,
            "aload_0\ninvokespecial java/lang/Object.<init>()V\nreturn"),
        constructor("calls twice", Refused, &format!("{up}\n{up}\nreturn")),
        constructor("throws before", Taken, "aconst_null\nathrow"),
        constructor("sets its own field before", Taken,
            &format!("aload_0\niconst_1\nputfield q/T.own:I\n{up}\nreturn")),
        constructor("reads its own field before", Refused,
            &format!("aload_0\ngetfield q/T.own:I\npop\n{up}\nreturn")),
        constructor("sets an inherited field before", Refused,
            &format!("aload_0\niconst_1\nputfield q/T.modCount:I\n{up}\nreturn")),
        constructor("gives itself away before", Refused,
            &format!("aload_0\ninvokestatic q/T.n(Ljava/lang/Object;)V\n{up}\nreturn")),
        constructor("gives itself away after", Taken,
            &format!("{up}\naload_0\ninvokestatic q/T.n(Ljava/lang/Object;)V\nreturn")),
        vec![
            case("one way does not call", Refused, Assembler::new(NEW, "q/T", OBJECT).method(
                "<init>(I)V", 1, 2,
                "iload_1\nifeq end\naload_0\ninvokespecial java/lang/Object.<init>()V\nend:\n\
                 frame [top int] []\nreturn",
            )),
            case("one way does not call, and says so", Refused, Assembler::new(NEW, "q/T", OBJECT).method(
                "<init>(I)V", 1, 2,
                "iload_1\nifeq end\naload_0\ninvokespecial java/lang/Object.<init>()V\nend:\n\
                 frame [this int] []\nreturn",
            )),
            case("one way does not call, inferred", Refused, Assembler::new(OLD, "q/T", OBJECT).method(
                "<init>(I)V", 1, 2,
                "iload_1\nifeq end\naload_0\ninvokespecial java/lang/Object.<init>()V\nend:\nreturn",
            )),
            case("both ways call, inferred", Taken, Assembler::new(OLD, "q/T", OBJECT).method(
                "<init>(I)V", 1, 2,
                "aload_0\ninvokespecial java/lang/Object.<init>()V\niload_1\nifeq end\niinc 1\nend:\nreturn",
            )),
            case("survives the superclass, inferred", Refused, Assembler::new(OLD, "q/T", OBJECT).method(
                "<init>()V", 1, 1,
                "a:\naload_0\ninvokespecial java/lang/Object.<init>()V\nb:\nreturn\nc:\npop\nreturn\n\
                 catch any from a to b using c",
            )),
            case("survives the superclass", Refused, Assembler::new(NEW, "q/T", OBJECT).method(
                "<init>()V", 1, 1,
                "a:\naload_0\ninvokespecial java/lang/Object.<init>()V\nb:\nreturn\nc:\n\
                 frame [top] [java/lang/Throwable]\npop\nreturn\ncatch any from a to b using c",
            )),
        ],
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub fn receivers() -> Vec<Case> {
    let list = |what, verdict, declared: &str, text: &str| -> Vec<Case> {
        let class = |major| {
            Assembler::new(major, "q/T", "java/util/AbstractList")
                .implements("java/lang/Runnable")
                .method(declared, 2, 2, text)
        };
        [NEW, OLD].map(|major| case(what, verdict, class(major))).into()
    };
    let mut cases: Vec<Case> = [
        both(
            "a method of the class",
            Taken,
            "m(Ljava/lang/String;)I",
            [1, 1],
            "aload_0\ninvokevirtual java/lang/String.length()I\nireturn",
        ),
        both(
            "a method of another class",
            Refused,
            "m(Ljava/lang/Object;)I",
            [1, 1],
            "aload_0\ninvokevirtual java/lang/String.length()I\nireturn",
        ),
        both(
            "a method of an interface on anything",
            Taken,
            "m(Ljava/lang/Object;)I",
            [1, 1],
            "aload_0\ninvokeinterface java/lang/CharSequence.length()I\nireturn",
        ),
        vec![case(
            "a method of an interface on an array",
            Refused,
            body(
                NEW,
                "m([I)I",
                [1, 1],
                "aload_0\ninvokeinterface java/lang/CharSequence.length()I\nireturn",
            ),
        )],
        list(
            "a method of the superclass on this",
            Taken,
            ".m()V",
            "aload_0\ninvokespecial java/util/AbstractList.clear()V\nreturn",
        ),
        list(
            "a method above the superclass on this",
            Taken,
            ".m()V",
            "aload_0\ninvokespecial java/lang/Object.hashCode()I\npop\nreturn",
        ),
        list(
            "a method of the superclass on another",
            Refused,
            ".m(Ljava/util/AbstractList;)V",
            "aload_1\ninvokespecial java/util/AbstractList.clear()V\nreturn",
        ),
        list(
            "a method of an unrelated class",
            Refused,
            ".m(Ljava/lang/String;)V",
            "aload_1\ninvokespecial java/lang/String.length()I\npop\nreturn",
        ),
        list(
            "a protected field of this",
            Taken,
            ".m()I",
            "aload_0\ngetfield q/T.modCount:I\nireturn",
        ),
        list(
            "a protected field of the superclass on this",
            Taken,
            ".m()I",
            "aload_0\ngetfield java/util/AbstractList.modCount:I\nireturn",
        ),
        list(
            "a protected field of another",
            Refused,
            ".m(Ljava/util/AbstractList;)I",
            "aload_1\ngetfield java/util/AbstractList.modCount:I\nireturn",
        ),
        list(
            "a protected field of another is set",
            Refused,
            ".m(Ljava/util/AbstractList;)V",
            "aload_1\niconst_0\nputfield java/util/AbstractList.modCount:I\nreturn",
        ),
        list(
            "a protected method of this",
            Taken,
            ".m()V",
            "aload_0\ninvokevirtual java/lang/Object.clone()Ljava/lang/Object;\npop\nreturn",
        ),
        list(
            "a protected method of another",
            Refused,
            ".m(Ljava/lang/Object;)V",
            "aload_1\ninvokevirtual java/lang/Object.clone()Ljava/lang/Object;\npop\nreturn",
        ),
        list(
            "clone of an array",
            Taken,
            ".m([I)V",
            "aload_1\ninvokevirtual java/lang/Object.clone()Ljava/lang/Object;\npop\nreturn",
        ),
        list(
            "finalize of an array",
            Refused,
            ".m([I)V",
            "aload_1\ninvokevirtual java/lang/Object.finalize()V\nreturn",
        ),
        both(
            "a field of an array",
            Refused,
            "m([I)I",
            [1, 1],
            "aload_0\ngetfield q/T.f:I\nireturn",
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    let special = |interface: &'static str| {
        Assembler::new(NEW, "q/T", "java/util/AbstractList")
            .implements("java/util/RandomAccess")
            .implements("java/util/List")
            .method(
                ".m()V",
                1,
                1,
                &format!("aload_0\ninvokespecial_interface {interface}\npop\nreturn"),
            )
    };
    let stream = "stream()Ljava/util/stream/Stream;";
    cases.push(case(
        "a method of a direct superinterface",
        Taken,
        special("java/util/List.spliterator()Ljava/util/Spliterator;"),
    ));
    let indirect: &'static str = Box::leak(format!("java/util/Collection.{stream}").into());
    cases.push(case("a method of an indirect superinterface", Refused, special(indirect)));
    cases
}
