//! Programs that use libraries nobody here wrote: `dalang` does what `java` does.

use crate::directives::{Fixture, fixtures};
use crate::packages::{self, LIBRARIES};
use crate::programs::{assert_agreement, runs};
use crate::{machines, oracle};
use std::slice;

#[test]
fn every_driver_of_a_library_does_what_it_does_under_java() {
    let fixtures = fixtures("jars");
    let jdks = machines::jdks();
    let mut all = Vec::new();
    for (name, _) in LIBRARIES {
        let jar = packages::find(name);
        let drivers = fixtures.iter().filter(|fixture| fixture.jar.as_deref() == Some(name));
        let drivers: Vec<&Fixture> = drivers.collect();
        assert!(!drivers.is_empty(), "no program uses {name}");
        for jdk in &jdks {
            let fit = drivers.iter().copied().filter(|driver| driver.jdk <= jdk.feature);
            let fit: Vec<&Fixture> = fit.collect();
            eprintln!("{} programs with {name} and JDK {}", fit.len(), jdk.version);
            if !fit.is_empty() {
                let classes = oracle::classes(jdk, &jdks, &fit, slice::from_ref(&jar));
                all.extend(runs("jars", jdk, &fit, &[classes, jar.clone()]));
            }
        }
    }
    let known = |fixture: &&Fixture| all.iter().all(|run| run.fixture.name != fixture.name);
    let left: Vec<&str> = fixtures.iter().filter(known).map(|fixture| &*fixture.name).collect();
    assert_eq!(left, [""; 0], "these were not run: no such library, or no JDK that is new enough");
    assert_agreement(&all);
}
