//! Reading what a solver says.
//!
//! A reply is one s-expression. [`Framer`] cuts the output into replies, [`values`] reads those to
//! `get-value`. Whatever comes in, nothing here panics, recurses or grows without bound: the other
//! side is a program we do not control.

use dalang_term::Sort;

/// An atom longer than this is no answer of a solver.
const LONGEST_ATOM: usize = 1 << 16;
/// A model of a million symbols fits.
const LONGEST_LIST: usize = 1 << 26;

/// A reply got longer than any solver's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooLong;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Bars,
    Quotes,
    Comment,
}

/// Cuts a stream of bytes into s-expressions.
pub(super) struct Framer {
    text: Vec<u8>,
    depth: usize,
    inside: Inside,
}

impl Framer {
    pub(super) fn new() -> Framer {
        Framer { text: Vec::new(), depth: 0, inside: Inside::Nothing }
    }

    /// Takes one byte; gives the expression that it ends.
    pub(super) fn take(&mut self, byte: u8) -> Result<Option<String>, TooLong> {
        match (self.inside, byte) {
            (Inside::Comment, b'\n') | (Inside::Bars, b'|') | (Inside::Quotes, b'"') => {
                self.inside = Inside::Nothing;
            }
            (Inside::Comment, _) => return Ok(None),
            (Inside::Nothing, b'|') => self.inside = Inside::Bars,
            (Inside::Nothing, b'"') => self.inside = Inside::Quotes,
            (Inside::Nothing, b';') => self.inside = Inside::Comment,
            (Inside::Nothing, b'(') => self.depth += 1,
            (Inside::Nothing, b')') => {
                self.text.push(byte);
                self.depth = self.depth.saturating_sub(1);
                return Ok(if self.depth == 0 { self.finish() } else { None });
            }
            _ => {}
        }
        let blank = self.inside == Inside::Nothing && byte.is_ascii_whitespace();
        if self.depth == 0 && (blank || self.inside == Inside::Comment) {
            return Ok(self.finish());
        }
        self.text.push(byte);
        let longest = if self.depth == 0 { LONGEST_ATOM } else { LONGEST_LIST };
        if self.text.len() > longest { Err(TooLong) } else { Ok(None) }
    }

    /// The expression so far, if any.
    pub(super) fn finish(&mut self) -> Option<String> {
        let text = std::mem::take(&mut self.text);
        (!text.is_empty()).then(|| String::from_utf8_lossy(&text).into_owned())
    }
}

/// The message of an `(error "...")` reply.
pub(super) fn error(reply: &str) -> Option<&str> {
    let rest = reply.strip_prefix("(error")?.trim();
    let rest = rest.strip_suffix(')').unwrap_or(rest).trim();
    Some(rest.trim_matches('"'))
}

/// The values in a reply to `get-value`, for as many terms as there are sorts and in their order.
pub(super) fn values(reply: &str, sorts: &[Sort]) -> Option<Vec<u64>> {
    let mut tokens = Tokens { rest: reply };
    tokens.expect("(")?;
    let mut values = Vec::with_capacity(sorts.len());
    for &sort in sorts {
        tokens.expect("(")?;
        tokens.pass()?;
        values.push(tokens.value(sort)?);
        tokens.expect(")")?;
    }
    tokens.expect(")")?;
    tokens.next().is_none().then_some(values)
}

/// The parentheses and atoms of a text.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        let length = match first {
            '(' | ')' => 1,
            '|' | '"' => self.rest[1..].find(first)? + 2,
            _ => self
                .rest
                .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | '"'))
                .unwrap_or(self.rest.len()),
        };
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

impl Tokens<'_> {
    fn expect(&mut self, token: &str) -> Option<()> {
        (self.next()? == token).then_some(())
    }

    /// Skips one expression.
    fn pass(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                "(" => depth += 1,
                ")" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Reads a value of exactly this sort.
    fn value(&mut self, sort: Sort) -> Option<u64> {
        let width = sort.width() as usize;
        let token = self.next()?;
        let bits = match (sort, token) {
            (Sort::Bool, "true") => 1,
            (Sort::Bool, "false") => 0,
            (Sort::Bool, _) => return None,
            (_, "(") => {
                self.expect("_")?;
                let number = self.next()?.strip_prefix("bv")?.parse().ok()?;
                self.expect(&width.to_string())?;
                self.expect(")")?;
                number
            }
            _ => {
                let (digits, radix) = match token.strip_prefix("#x") {
                    Some(digits) if digits.len() * 4 == width => (digits, 16),
                    Some(_) => return None,
                    None => (token.strip_prefix("#b").filter(|it| it.len() == width)?, 2),
                };
                // The standard library would accept a sign.
                let digits = Some(digits).filter(|it| it.chars().all(|c| c.is_digit(radix)))?;
                u64::from_str_radix(digits, radix).ok()?
            }
        };
        (bits & !sort.mask() == 0).then_some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::{Framer, LONGEST_ATOM, TooLong, error, values};
    use dalang_term::Sort;

    fn frames(text: &str) -> Vec<String> {
        let mut framer = Framer::new();
        let mut all: Vec<_> = text.bytes().filter_map(|byte| framer.take(byte).unwrap()).collect();
        all.extend(framer.finish());
        all
    }

    #[test]
    fn output_is_cut_into_expressions() {
        assert_eq!(
            frames("sat\n\n(a (b)\n c)unsat ; x (\n\"q (\" "),
            ["sat", "(a (b)\n c)", "unsat", "\"q (\"",]
        );
        assert_eq!(frames("((|a ) b| #x0))"), ["((|a ) b| #x0))"]);
        assert_eq!(frames(") sa"), [")", "sa"]);
        let mut framer = Framer::new();
        let flood = (0..=LONGEST_ATOM).find_map(|_| framer.take(b'a').err());
        assert_eq!(flood, Some(TooLong));
    }

    #[test]
    fn values_are_read_exactly() {
        let byte = Sort::BitVec(8);
        assert_eq!(values("((|a b| #xff))", &[byte]), Some(vec![255]));
        assert_eq!(values("((x #b00000101)(y true))", &[byte, Sort::Bool]), Some(vec![5, 1]));
        assert_eq!(values("(((f x) (_ bv7 8)))", &[byte]), Some(vec![7]));
        assert_eq!(values("()", &[]), Some(vec![]));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let byte = Sort::BitVec(8);
        for reply in [
            "",
            "(",
            "((",
            "((x",
            "((x #xff)",
            "((x #xfff))",
            "((x #b1))",
            "((x #x+f))",
            "((x (_ bv256 8)))",
            "((x (_ bv1 9)))",
            "((x (_ bv-1 8)))",
            "((x true))",
            "((x 5))",
            "((x #xff)) y",
            "((x #xff) (y #xff))",
            "x",
            ")",
            "((|x #xff))",
            "((x #x\u{e9}))",
        ] {
            assert_eq!(values(reply, &[byte]), None, "{reply}");
        }
        assert_eq!(values("((x #b1))", &[Sort::Bool]), None);
    }

    #[test]
    fn errors_are_told_from_answers() {
        assert_eq!(error("(error \"no logic\")"), Some("no logic"));
        assert_eq!(error("sat"), None);
    }
}
