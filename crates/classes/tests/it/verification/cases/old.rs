//! Class files without stack maps: inference and subroutines, and what depends on the version.

#![allow(clippy::too_many_lines, reason = "lists of cases, and no logic in them")]

use super::Verdict::{Refused, Taken};
use super::{Case, NEW, OLD, body, case};

pub fn inference() -> Vec<Case> {
    let merged = |what, verdict, one: &str, other: &str, used: &str| {
        let declared = format!("m(I{one}{other})V");
        let text = format!("iload_0\nifeq a\naload_1\ngoto b\na:\naload_2\nb:\n{used}\nreturn");
        case(what, verdict, body(OLD, &declared, [1, 3], &text))
    };
    let number = "invokevirtual java/lang/Number.intValue()I\npop";
    let (int, long) = ("Ljava/lang/Integer;", "Ljava/lang/Long;");
    vec![
        merged("a common superclass", Taken, int, long, number),
        merged("no common superclass", Refused, int, "Ljava/lang/String;", number),
        merged("no more than Object", Taken, int, "Ljava/lang/String;", "pop"),
        merged(
            "a common interface",
            Taken,
            "Ljava/lang/Runnable;",
            int,
            "invokeinterface java/lang/Runnable.run()V",
        ),
        merged(
            "arrays of a common superclass",
            Taken,
            "[Ljava/lang/Integer;",
            "[Ljava/lang/Long;",
            "iconst_0\naaload\ninvokevirtual java/lang/Number.intValue()I\npop",
        )
        .with_room(),
        merged(
            "arrays of ints and objects",
            Refused,
            "[I",
            "[Ljava/lang/Long;",
            "arraylength\npop",
        ),
        case(
            "a variable of two kinds",
            Refused,
            body(
                OLD,
                "m(I)I",
                [1, 2],
                "iload_0\nifeq a\niconst_0\nistore_1\ngoto b\na:\naconst_null\nastore_1\nb:\niload_1\nireturn",
            ),
        ),
        case(
            "a variable of two kinds, unused",
            Taken,
            body(
                OLD,
                "m(I)V",
                [1, 2],
                "iload_0\nifeq a\niconst_0\nistore_1\ngoto b\na:\naconst_null\nastore_1\nb:\nreturn",
            ),
        ),
        case(
            "stacks of different heights",
            Refused,
            body(OLD, "m(I)V", [2, 1], "iload_0\nifeq a\niconst_0\na:\nreturn"),
        ),
        case(
            "stacks of different kinds",
            Refused,
            body(
                OLD,
                "m(I)V",
                [2, 1],
                "iload_0\nifeq a\niconst_0\ngoto b\na:\naconst_null\nb:\npop\nreturn",
            ),
        ),
        case(
            "dead code is not looked at",
            Taken,
            body(OLD, "m()V", [1, 0], "return\npop\npop\nreturn"),
        ),
        case(
            "operands in dead code are",
            Refused,
            body(OLD, "m()V", [1, 0], "return\nistore 9\nreturn"),
        ),
        case(
            "an object waits for its constructor when another is made",
            Refused,
            body(OLD, "m(I)V", [3, 1], "a:\nnew java/lang/Object\niload_0\nifeq a\npop\nreturn"),
        ),
    ]
}

pub fn subroutines() -> Vec<Case> {
    let old =
        |what, verdict, declared, text| case(what, verdict, body(OLD, declared, [2, 3], text));
    vec![
        old("a subroutine", Taken, "m()V", "jsr a\nreturn\na:\nastore_0\nret 0"),
        old("called twice", Taken, "m()V", "jsr a\njsr a\nreturn\na:\nastore_0\nret 0"),
        old(
            "leaves other variables alone",
            Taken,
            "m(I)I",
            "jsr a\niload_0\nireturn\na:\nastore_1\nret 1",
        ),
        old(
            "with different kinds around it",
            Taken,
            "m(I)V",
            "iconst_0\nistore_1\njsr a\niload_1\npop\naconst_null\nastore_1\njsr a\naload_1\npop\nreturn\na:\nastore_2\nret 2",
        ),
        old(
            "changes a variable",
            Refused,
            "m(I)I",
            "jsr a\niload_0\nireturn\na:\nastore_1\naconst_null\nastore_0\nret 1",
        ),
        old("calls itself", Refused, "m()V", "a:\njsr a\nreturn"),
        old(
            "returns in two places",
            Refused,
            "m(I)V",
            "jsr a\nreturn\na:\nastore_1\niload_0\nifeq b\nret 1\nb:\nret 1",
        ),
        old("returns to no address", Refused, "m(I)V", "ret 0"),
        old(
            "an address is no object",
            Refused,
            "m()V",
            "jsr a\nreturn\na:\nastore_0\naload_0\npop\nreturn",
        ),
        old("never returns", Taken, "m()V", "jsr a\nreturn\na:\npop\nreturn"),
        case(
            "none in new class files",
            Refused,
            body(NEW, "m()V", [2, 3], "jsr a\nreturn\na:\nastore_0\nret 0"),
        ),
        case(
            "still in version 50",
            Taken,
            body(50, "m()V", [2, 3], "jsr a\nreturn\na:\nastore_0\nret 0"),
        ),
    ]
}

pub fn versions() -> Vec<Case> {
    let branch = "iload_0\nifeq a\nnop\na:\nreturn";
    let padded = "iconst_0\nbytes 170 1 1 0 0 0 19 0 0 0 0 0 0 0 0 0 0 0 19\nreturn";
    let unpadded = "iconst_0\nbytes 170 0 0 0 0 0 19 0 0 0 0 0 0 0 0 0 0 0 19\nreturn";
    let loaded = "ldc class java/lang/String\npop\nreturn";
    let mapped = format!("{}\nframe [] []\nreturn", padded.trim_end_matches("\nreturn"));
    vec![
        case("no stack map in version 50", Taken, body(50, "m(I)V", [1, 1], branch)),
        case("no stack map in version 51", Refused, body(51, "m(I)V", [1, 1], branch)),
        case(
            "a wrong stack map in version 50",
            Taken,
            body(50, "m(I)V", [1, 1], "iload_0\nifeq a\nnop\na:\nframe [float] []\nreturn"),
        ),
        case("a wrong body in version 50", Refused, body(50, "m(I)V", [1, 1], "pop\nreturn")),
        case("padding in version 49", Refused, body(49, "m(I)V", [1, 1], padded)),
        case("no padding in version 49", Taken, body(49, "m(I)V", [1, 1], unpadded)),
        case("padding in version 51", Taken, body(51, "m(I)V", [1, 1], &mapped)),
        case("a class as a constant in version 48", Refused, body(48, "m()V", [1, 0], loaded)),
        case("a class as a constant in version 49", Taken, body(49, "m()V", [1, 0], loaded)),
    ]
}

impl Case {
    /// The same; the operand stack of the merged cases is one entry, so this one gets two.
    fn with_room(mut self) -> Self {
        let code: [u8; 4] = [0, 1, 0, 3];
        let at = self.bytes.windows(4).position(|part| part == code).expect("sizes");
        self.bytes[at + 1] = 2;
        self
    }
}
