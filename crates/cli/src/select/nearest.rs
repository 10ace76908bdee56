//! What someone may have meant.

use strsim::jaro_winkler;

/// Names less alike than this are no help.
const ALIKE: f64 = 0.7;
const MOST: usize = 3;

/// `; did you mean ...?` with the names that are most like the wanted one, if any is.
pub fn nearest(wanted: &str, names: &[String]) -> String {
    let last = |name: &str| name.rsplit(['.', '$']).next().unwrap_or_default().to_lowercase();
    let alike = |name: &str| {
        let whole = jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
        whole.max(jaro_winkler(&last(wanted), &last(name)))
    };
    let mut scored: Vec<(f64, &String)> =
        names.iter().map(|name| (alike(name), name)).filter(|(score, _)| *score >= ALIKE).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    let best: Vec<&str> = scored.iter().take(MOST).map(|(_, name)| name.as_str()).collect();
    if best.is_empty() { String::new() } else { format!("; did you mean {}?", best.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_most_alike_comes_first() {
        let names = ["demo.Playlist", "demo.Meeting", "other.PlayList$Song"].map(str::to_owned);
        assert!(nearest("Playlst", &names).starts_with("; did you mean demo.Playlist"));
        assert_eq!(nearest("xyzzy", &names), "");
        assert_eq!(nearest("x", &[]), "");
    }
}
