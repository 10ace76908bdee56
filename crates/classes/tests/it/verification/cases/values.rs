//! Which value may be where.

#![allow(clippy::too_many_lines, reason = "lists of cases, and no logic in them")]

use super::Verdict::{Refused, Taken};
use super::{Case, NEW, OLD, body, both, case};

pub fn assignments() -> Vec<Case> {
    let returned = |what, verdict, from: &str, to: &str| {
        both(what, verdict, &format!("m({from}){to}"), [1, 1], "aload_0\nareturn")
    };
    let (object, string) = ("Ljava/lang/Object;", "Ljava/lang/String;");
    [
        returned("the same class", Taken, string, string),
        returned("a superclass", Taken, string, object),
        returned("a subclass", Refused, object, string),
        returned("another class", Refused, "Ljava/lang/Integer;", string),
        returned("an interface is like Object", Taken, object, "Ljava/lang/Runnable;"),
        returned("a class that lacks the interface", Taken, string, "Ljava/lang/Runnable;"),
        returned("from an interface", Refused, "Ljava/lang/Runnable;", string),
        returned("classes that are missing, of one name", Taken, "Lno/Such;", "Lno/Such;"),
        returned("a missing class to Object", Taken, "Lno/Such;", object),
        returned("a missing class to another", Refused, "Lno/Such;", string),
        both("null is everything", Taken, "m()Ljava/lang/String;", [1, 0], "aconst_null\nareturn"),
        both(
            "an int is no reference",
            Refused,
            "m(I)Ljava/lang/String;",
            [1, 1],
            "iload_0\nareturn",
        ),
        both("the wrong kind of return", Refused, "m(I)J", [1, 1], "iload_0\nireturn"),
        both("nothing is returned", Refused, "m()I", [1, 1], "return"),
        both("a value is returned", Refused, "m(I)V", [1, 1], "iload_0\nireturn"),
        both(
            "an argument of another class",
            Refused,
            "m(Ljava/lang/Object;)V",
            [1, 1],
            "aload_0\ninvokestatic q/T.n(Ljava/lang/String;)V\nreturn",
        ),
        both(
            "a field of another class",
            Refused,
            "m(Ljava/lang/Object;)V",
            [1, 1],
            "aload_0\nputstatic q/T.f:Ljava/lang/String;\nreturn",
        ),
        both(
            "a field of the class",
            Taken,
            "m(Ljava/lang/String;)V",
            [1, 1],
            "aload_0\nputstatic q/T.f:Ljava/lang/Object;\nreturn",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub fn arrays() -> Vec<Case> {
    let returned = |what, verdict, from: &str, to: &str| {
        both(what, verdict, &format!("m({from}){to}"), [1, 1], "aload_0\nareturn")
    };
    [
        returned("an array of a subclass", Taken, "[Ljava/lang/String;", "[Ljava/lang/Object;"),
        returned("an array of a superclass", Refused, "[Ljava/lang/Object;", "[Ljava/lang/String;"),
        returned("arrays in an array of objects", Taken, "[[I", "[Ljava/lang/Object;"),
        returned("an array of ints is none of objects", Refused, "[I", "[Ljava/lang/Object;"),
        returned("an array of ints is an object", Taken, "[I", "Ljava/lang/Object;"),
        returned("an array can be cloned", Taken, "[I", "Ljava/lang/Cloneable;"),
        returned("an array can be written", Taken, "[I", "Ljava/io/Serializable;"),
        vec![
            case(
                "an array cannot run",
                Refused,
                body(NEW, "m([I)Ljava/lang/Runnable;", [1, 1], "aload_0\nareturn"),
            ),
            // Old class files are not held to it.
            case(
                "an array cannot run, inferred",
                Taken,
                body(OLD, "m([I)Ljava/lang/Runnable;", [1, 1], "aload_0\nareturn"),
            ),
        ],
        returned("an array of arrays that can be cloned", Taken, "[[I", "[Ljava/lang/Cloneable;"),
        returned("arrays of int and char", Refused, "[C", "[I"),
        returned("fewer dimensions", Refused, "[[Ljava/lang/String;", "[Ljava/lang/String;"),
        both(
            "an element of an array of ints",
            Taken,
            "m([I)I",
            [2, 1],
            "aload_0\niconst_0\niaload\nireturn",
        ),
        both(
            "an element of an array of chars",
            Refused,
            "m([C)I",
            [2, 1],
            "aload_0\niconst_0\niaload\nireturn",
        ),
        both("a boolean is a byte", Taken, "m([Z)I", [2, 1], "aload_0\niconst_0\nbaload\nireturn"),
        both("a char is no byte", Refused, "m([C)I", [2, 1], "aload_0\niconst_0\nbaload\nireturn"),
        both(
            "an element of null",
            Taken,
            "m()Ljava/lang/String;",
            [2, 0],
            "aconst_null\niconst_0\naaload\nareturn",
        ),
        both(
            "an element has its class",
            Taken,
            "m([Ljava/lang/String;)Ljava/lang/String;",
            [2, 1],
            "aload_0\niconst_0\naaload\nareturn",
        ),
        both(
            "an element has no other class",
            Refused,
            "m([Ljava/lang/Object;)Ljava/lang/String;",
            [2, 1],
            "aload_0\niconst_0\naaload\nareturn",
        ),
        both(
            "what is stored is looked at later",
            Taken,
            "m([Ljava/lang/Integer;)V",
            [3, 1],
            "aload_0\niconst_0\nldc text\naastore\nreturn",
        ),
        both(
            "an int among objects",
            Refused,
            "m([Ljava/lang/Integer;)V",
            [3, 1],
            "aload_0\niconst_0\niconst_0\naastore\nreturn",
        ),
        both("the length of an array", Taken, "m([[D)I", [1, 1], "aload_0\narraylength\nireturn"),
        both("the length of null", Taken, "m()I", [1, 0], "aconst_null\narraylength\nireturn"),
        both(
            "the length of an object",
            Refused,
            "m(Ljava/lang/Object;)I",
            [1, 1],
            "aload_0\narraylength\nireturn",
        ),
        both("a new array", Taken, "m()[I", [1, 0], "iconst_0\nnewarray 10\nareturn"),
        both("a new array of others", Refused, "m()[J", [1, 0], "iconst_0\nnewarray 10\nareturn"),
        both("a new array of arrays", Taken, "m()[[I", [1, 0], "iconst_0\nanewarray [I\nareturn"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub fn objects() -> Vec<Case> {
    let made = "java/lang/Object.<init>()V";
    [
        both(
            "an object that is made",
            Taken,
            "m()Ljava/lang/Object;",
            [2, 0],
            &format!("new java/lang/Object\ndup\ninvokespecial {made}\nareturn"),
        ),
        both(
            "an object before its constructor",
            Refused,
            "m()Ljava/lang/Object;",
            [2, 0],
            "new java/lang/Object\nareturn",
        ),
        both(
            "a constructor twice",
            Refused,
            "m()V",
            [2, 1],
            &format!(
                "new java/lang/Object\ndup\ninvokespecial {made}\ninvokespecial {made}\nreturn"
            ),
        ),
        both(
            "the constructor of another class",
            Refused,
            "m()V",
            [2, 0],
            &format!("new java/lang/Thread\ninvokespecial {made}\nreturn"),
        ),
        both(
            "a constructor on null",
            Refused,
            "m()V",
            [2, 0],
            &format!("aconst_null\ninvokespecial {made}\nreturn"),
        ),
        both(
            "all copies are made at once",
            Taken,
            "m()Ljava/lang/Object;",
            [3, 1],
            &format!("new java/lang/Object\ndup\nastore_0\ninvokespecial {made}\naload_0\nareturn"),
        ),
        both(
            "an argument before its constructor",
            Refused,
            "m()V",
            [3, 0],
            "new java/lang/Object\ninvokestatic q/T.n(Ljava/lang/Object;)V\nreturn",
        ),
        both(
            "a cast of an int",
            Refused,
            "m()V",
            [1, 0],
            "iconst_0\ncheckcast java/lang/String\npop\nreturn",
        ),
        both(
            "a cast gives the class",
            Taken,
            "m(Ljava/lang/Object;)Ljava/lang/String;",
            [1, 1],
            "aload_0\ncheckcast java/lang/String\nareturn",
        ),
        both("a monitor of an int", Refused, "m()V", [1, 0], "iconst_0\nmonitorenter\nreturn"),
        both("an exception is thrown", Taken, "m(Ljava/lang/Error;)V", [1, 1], "aload_0\nathrow"),
        both("null is thrown", Taken, "m()V", [1, 0], "aconst_null\nathrow"),
        both("an object is thrown", Refused, "m(Ljava/lang/Object;)V", [1, 1], "aload_0\nathrow"),
    ]
    .into_iter()
    .flatten()
    .collect()
}
