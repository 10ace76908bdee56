//! `dup`, `swap` and their kin: entries of the operand stack.

use crate::state::State;

impl State<'_> {
    /// Copies the topmost `count` entries below the `under` entries that follow them.
    pub(crate) fn duplicate(&mut self, count: usize, under: usize) {
        let top = self.top;
        self.values.copy_within(top - count - under..top, top - under);
        self.top += count;
        let start = self.top - count;
        self.values.copy_within(start..start + count, top - count - under);
    }

    pub(crate) fn swap(&mut self) {
        self.values.swap(self.top - 1, self.top - 2);
    }
}

#[cfg(test)]
mod tests {
    use crate::state::State;
    use dalang_heap::Value;

    fn after(count: usize, under: usize) -> Vec<i32> {
        let mut state = State::new();
        state.values = vec![Value::Int(0); 10];
        for value in [1, 2, 3, 4] {
            state.push(Value::Int(value));
        }
        state.duplicate(count, under);
        let int = |value: &Value| match value {
            Value::Int(value) => *value,
            _ => panic!("only ints were pushed"),
        };
        state.values[..state.top].iter().map(int).collect()
    }

    #[test]
    fn duplicates_land_where_they_should() {
        assert_eq!(after(1, 0), [1, 2, 3, 4, 4]);
        assert_eq!(after(1, 1), [1, 2, 4, 3, 4]);
        assert_eq!(after(1, 2), [1, 4, 2, 3, 4]);
        assert_eq!(after(2, 0), [1, 2, 3, 4, 3, 4]);
        assert_eq!(after(2, 1), [1, 3, 4, 2, 3, 4]);
        assert_eq!(after(2, 2), [3, 4, 1, 2, 3, 4]);
    }
}
