//! Stacks, handlers and stack maps.

#![allow(clippy::too_many_lines, reason = "lists of cases, and no logic in them")]

use super::Verdict::{Refused, Taken};
use super::{Case, NEW, OLD, body, both, case};

pub fn stacks() -> Vec<Case> {
    [
        both("too high", Refused, "m()V", [1, 0], "iconst_0\niconst_0\npop2\nreturn"),
        both("a long is two high", Refused, "m()V", [1, 0], "lconst_0\npop2\nreturn"),
        both("empty", Refused, "m()V", [1, 0], "pop\nreturn"),
        both("half of a long is dropped", Refused, "m()V", [2, 0], "lconst_0\npop\nreturn"),
        both("half of a long is copied", Refused, "m()V", [5, 0], "lconst_0\ndup\nreturn"),
        both("a long is copied", Taken, "m()J", [4, 0], "lconst_0\ndup2\nladd\nlreturn"),
        both("a long below an int", Taken, "m()V", [5, 0], "lconst_0\niconst_0\ndup_x2\nreturn"),
        both(
            "a long is split below",
            Refused,
            "m()V",
            [6, 0],
            "lconst_0\niconst_0\ndup_x1\nreturn",
        ),
        both("two longs", Taken, "m()V", [6, 0], "lconst_0\nlconst_0\ndup2_x2\nreturn"),
        both("a float is no int", Refused, "m()I", [2, 0], "fconst_0\nireturn"),
        both("no such variable", Refused, "m()V", [1, 1], "iconst_0\nistore 1\nreturn"),
        both("a long needs two variables", Refused, "m()V", [2, 1], "lconst_0\nlstore_0\nreturn"),
        both("a variable that was never set", Refused, "m()I", [1, 1], "iload_0\nireturn"),
        both(
            "half of a long is overwritten",
            Refused,
            "m(JI)J",
            [2, 3],
            "iconst_0\nistore_1\nlload_0\nlreturn",
        ),
        both(
            "a long is overwritten from below",
            Refused,
            "m(IJ)V",
            [2, 3],
            "lconst_0\nlstore_0\niload 2\npop\nreturn",
        ),
        both("counting with an int", Taken, "m(I)V", [0, 1], "iinc 0\nwide_iinc 0\nreturn"),
        both("counting with a float", Refused, "m(F)V", [0, 1], "iinc 0\nreturn"),
        both("fewer variables than arguments", Refused, "m(JJ)V", [0, 3], "return"),
        both("the end is not the end", Refused, "m()V", [0, 0], "nop"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub fn handlers() -> Vec<Case> {
    let caught = |what, verdict, major, class: &str, frame: &str| {
        let text = format!(
            "a:\niconst_0\nistore_0\nb:\nreturn\nc:\n{frame}\npop\nreturn\ncatch {class} from a to b using c"
        );
        case(what, verdict, body(major, "m(I)V", [1, 1], &text))
    };
    let none = "";
    vec![
        caught(
            "an exception is caught",
            Taken,
            NEW,
            "java/lang/Exception",
            "frame [int] [java/lang/Exception]",
        ),
        caught("an exception is caught, inferred", Taken, OLD, "java/lang/Exception", none),
        caught(
            "as something above",
            Taken,
            NEW,
            "java/lang/Exception",
            "frame [int] [java/lang/Throwable]",
        ),
        caught(
            "as something below",
            Refused,
            NEW,
            "java/lang/Throwable",
            "frame [int] [java/lang/Error]",
        ),
        caught(
            "what cannot be thrown",
            Refused,
            NEW,
            "java/lang/String",
            "frame [int] [java/lang/String]",
        ),
        caught("what cannot be thrown, inferred", Refused, OLD, "java/lang/String", none),
        caught("what is missing", Refused, NEW, "no/Such", "frame [int] [no/Such]"),
        caught("what is missing, inferred", Refused, OLD, "no/Such", none),
        caught("without a frame", Refused, NEW, "any", none),
        caught("with another variable", Refused, NEW, "any", "frame [float] [java/lang/Throwable]"),
        case(
            "a variable that is set last is not set yet",
            Refused,
            body(
                OLD,
                "m()I",
                [1, 1],
                "a:\niconst_0\nistore_0\nb:\niconst_0\nireturn\nc:\npop\niload_0\nireturn\ncatch any from a to b using c",
            ),
        ),
        case(
            "a variable that is set before",
            Taken,
            body(
                OLD,
                "m()I",
                [1, 1],
                "iconst_0\nistore_0\na:\nnop\nb:\niconst_0\nireturn\nc:\npop\niload_0\nireturn\ncatch any from a to b using c",
            ),
        ),
        case(
            "a variable changes last",
            Taken,
            body(
                OLD,
                "m(Ljava/lang/String;)Ljava/lang/String;",
                [1, 1],
                "a:\niconst_0\nistore_0\nb:\naconst_null\nareturn\nc:\npop\naload_0\nareturn\ncatch any from a to b using c",
            ),
        ),
        case(
            "no room for what is thrown",
            Refused,
            body(
                NEW,
                "m()V",
                [0, 0],
                "a:\nnop\nb:\nreturn\nc:\nframe [] [java/lang/Throwable]\nreturn\ncatch any from a to b using c",
            ),
        ),
        case(
            "no room for what is thrown, inferred",
            Refused,
            body(
                OLD,
                "m()V",
                [0, 0],
                "a:\nnop\nb:\nreturn\nc:\nreturn\ncatch any from a to b using c",
            ),
        ),
    ]
}

pub fn maps() -> Vec<Case> {
    let branch = |what, verdict, declared, text: &str| {
        case(what, verdict, body(NEW, declared, [2, 2], text))
    };
    let made = "invokespecial java/lang/Object.<init>()V";
    vec![
        branch(
            "a frame that fits",
            Taken,
            "m(I)V",
            "iload_0\nifeq a\nnop\na:\nframe [int] []\nreturn",
        ),
        branch("no frame", Refused, "m(I)V", "iload_0\nifeq a\nnop\na:\nreturn"),
        branch(
            "a frame with less",
            Taken,
            "m(I)V",
            "iload_0\nifeq a\nnop\na:\nframe [] []\nreturn",
        ),
        branch(
            "a frame with more",
            Refused,
            "m(I)V",
            "iload_0\nifeq a\nnop\na:\nframe [int int] []\nreturn",
        ),
        branch(
            "a frame with another stack",
            Refused,
            "m(I)V",
            "iload_0\nifeq a\nnop\na:\nframe [int] [int]\nreturn",
        ),
        branch(
            "a frame with a superclass",
            Taken,
            "m(ILjava/lang/String;)V",
            "iload_0\nifeq a\nnop\na:\nframe [int java/lang/Object] []\nreturn",
        ),
        branch(
            "a frame with another class",
            Refused,
            "m(ILjava/lang/String;)V",
            "iload_0\nifeq a\nnop\na:\nframe [int java/lang/Integer] []\nreturn",
        ),
        branch(
            "a frame forgets the class",
            Refused,
            "m(ILjava/lang/String;)Ljava/lang/String;",
            "iload_0\nifeq a\nnop\na:\nframe [int java/lang/Object] []\naload_1\nareturn",
        ),
        branch("dead code without a frame", Refused, "m()V", "return\nreturn"),
        branch("dead code with a frame", Taken, "m()V", "return\nframe [] []\nreturn"),
        branch(
            "dead code is checked",
            Refused,
            "m()V",
            "return\nframe [] []\niload_0\npop\nreturn",
        ),
        branch(
            "a frame in an instruction",
            Refused,
            "m()V",
            "bytes 17 0\nframe [] []\nbytes 0 87\nreturn",
        ),
        branch("a frame beyond the code", Refused, "m()V", "return\nframe [] []"),
        branch(
            "a frame with too many variables",
            Refused,
            "m(II)V",
            "nop\nframe [int int int] []\nreturn",
        ),
        branch(
            "an object before its constructor in a frame",
            Taken,
            "m(I)V",
            &format!(
                "n:\nnew java/lang/Object\niload_0\nifeq a\nnop\na:\nframe [int] [new@n]\n{made}\nreturn"
            ),
        ),
        branch(
            "an object that no instruction made",
            Refused,
            "m(I)V",
            &format!(
                "n:\nnop\nnew java/lang/Object\niload_0\nifeq a\nnop\na:\nframe [int] [new@n]\n{made}\nreturn"
            ),
        ),
        branch(
            "an object that another instruction made",
            Refused,
            "m(I)V",
            &format!(
                "new java/lang/Object\niload_0\nifeq a\nnop\na:\nframe [int] [new@n]\n{made}\nreturn\n\
             n:\nframe [] []\nnew java/lang/Object\npop\nreturn"
            ),
        ),
        branch(
            "a loop with an object before its constructor",
            Taken,
            "m(I)V",
            &format!(
                "n:\nnew java/lang/Object\na:\nframe [int] [new@n]\niload_0\nifne a\n{made}\nreturn"
            ),
        ),
        branch(
            "an interface in a frame",
            Taken,
            "m(ILjava/lang/String;)V",
            "iload_0\nifeq a\nnop\na:\nframe [int java/lang/Runnable] []\naload_1\ninvokeinterface java/lang/Runnable.run()V\nreturn",
        ),
    ]
}
