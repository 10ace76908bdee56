//! How often each rule was applied that divides no path.
//!
//! What breaks off to ask is executed again, so that it applies its rules once more. They are noted as
//! *pending* and count only once what applied them has gone through; a rule that leaves something behind
//! for the next attempt to find, as giving an input its object does, counts at once.

use rustc_hash::FxHashMap;

/// How often rules were applied.
#[derive(Debug, Default)]
pub struct Rules {
    counts: FxHashMap<&'static str, u64>,
    /// What was applied since something last went through.
    pending: Vec<&'static str>,
}

impl Rules {
    /// A rule is applied, by something that may yet break off.
    #[inline]
    pub fn apply(&mut self, rule: &'static str) {
        self.pending.push(rule);
    }

    /// A rule is applied whose result stays, be it that what needs it breaks off.
    pub fn discover(&mut self, rule: &'static str) {
        *self.counts.entry(rule).or_default() += 1;
    }

    /// What was pending has gone through.
    #[inline]
    pub fn commit(&mut self) {
        if !self.pending.is_empty() {
            self.count_pending();
        }
    }

    #[cold]
    fn count_pending(&mut self) {
        for rule in self.pending.drain(..) {
            *self.counts.entry(rule).or_default() += 1;
        }
    }

    /// What was pending has broken off: it was not applied.
    pub fn withdraw(&mut self) {
        self.pending.clear();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counts.clear();
        self.pending.clear();
    }

    /// How often each was applied, in order.
    pub fn applied(&mut self) -> Vec<(&'static str, u64)> {
        self.commit();
        let mut applied: Vec<_> = self.counts.iter().map(|(&rule, &count)| (rule, count)).collect();
        applied.sort_unstable();
        applied
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn what_breaks_off_counts_only_what_stays() {
        let mut rules = Rules::default();
        rules.discover("bind");
        rules.apply("load");
        rules.withdraw();
        rules.apply("load");
        rules.commit();
        rules.apply("store");
        assert_eq!(rules.applied(), [("bind", 1), ("load", 1), ("store", 1)]);
        rules.clear();
        assert_eq!(rules.applied(), []);
    }
}
