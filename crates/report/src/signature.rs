//! Methods as people spell them: `pkg.C.m(int, String)` for `pkg.C.m(ILjava/lang/String;)V`.

use dalang_classes::one_line;

/// The spelling of a method for people. What is not understood stays as it is.
pub fn method_spelling(method: &str) -> String {
    let spelled = method.split_once('(').and_then(|(name, rest)| {
        let (parameters, _) = rest.split_once(')')?;
        Some(format!("{name}({})", spell_all(parameters)?.join(", ")))
    });
    one_line(&spelled.unwrap_or_else(|| method.to_owned())).into_owned()
}

/// A class without its package: `Map$Entry` for `java.util.Map$Entry`.
pub fn short(class: &str) -> &str {
    class.rsplit_once('.').map_or(class, |(_, last)| last)
}

fn spell_all(mut parameters: &str) -> Option<Vec<String>> {
    let mut spelled = Vec::new();
    while !parameters.is_empty() {
        let (one, rest) = spell(parameters)?;
        spelled.push(one);
        parameters = rest;
    }
    Some(spelled)
}

/// The first type of a list, and what follows it.
fn spell(types: &str) -> Option<(String, &str)> {
    let element = types.trim_start_matches('[');
    let dimensions = types.len() - element.len();
    let (name, rest) = if let Some(class) = element.strip_prefix('L') {
        let (class, rest) = class.split_once(';')?;
        (class.rsplit('/').next().unwrap_or(class), rest)
    } else {
        (primitive(element.chars().next()?)?, &element[1..])
    };
    Some((format!("{name}{}", "[]".repeat(dimensions)), rest))
}

const fn primitive(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Z' => "boolean",
        'B' => "byte",
        'C' => "char",
        'S' => "short",
        'I' => "int",
        'J' => "long",
        'F' => "float",
        'D' => "double",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{method_spelling, short};

    #[test]
    fn descriptors_are_read_as_java_writes_them() {
        assert_eq!(
            method_spelling("p.C.m(I[[JLjava/util/Map$Entry;)V"),
            "p.C.m(int, long[][], Map$Entry)"
        );
        assert_eq!(method_spelling("C.m()Ljava/lang/String;"), "C.m()");
    }

    #[test]
    fn what_is_no_descriptor_stays() {
        for odd in ["C.m", "C.m(", "C.m(Q)V", "C.m(Lx)V", "C.m([)V", "C.m(é)V"] {
            assert_eq!(method_spelling(odd), odd);
        }
        assert_eq!(method_spelling("C.\u{1b}(I)V"), "C.\\u001b(int)");
    }

    #[test]
    fn packages_are_left_out() {
        assert_eq!(short("java.util.Map$Entry[]"), "Map$Entry[]");
        assert_eq!(short("C"), "C");
    }
}
