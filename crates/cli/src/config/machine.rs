//! What the machine has.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The memory of the machine, or what of it a container may use, in bytes. None if nobody knows.
pub fn memory() -> Option<u64> {
    let kind = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kind);
    let limit = system.cgroup_limits().map(|limits| limits.total_memory);
    let memory = limit.map_or(system.total_memory(), |limit| limit.min(system.total_memory()));
    (memory > 0).then_some(memory)
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_some_memory() {
        assert!(super::memory().unwrap() > 1 << 20);
    }
}
