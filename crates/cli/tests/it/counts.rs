//! The programs of `subjects`: as many paths as papers and combinatorics tell, every mistake found
//! with the smallest input, and every path's witness goes its way.

use crate::account::is_callable;
use crate::machines::jdk;
use crate::oracle;
use crate::shapes::{CHAINS, SMALL, STRUCTURES};
use crate::ways::FOLLOWED;
use dalang_classes::path::{ClassPath, Jdk, Library};
use dalang_classes::{MethodId, Program};
use dalang_explore::{
    Config, Entry, Exploration, Explorer, OutcomeKind, Replay, StopKind, Verdict, View,
    ViolationKind, Watch, Witness, WitnessValue,
};
use dalang_heap::Policy;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

pub const POLICIES: [Policy; 3] = [Policy::Lazy, Policy::Lazier, Policy::LazierSharp];

/// The compiled subjects and their library.
struct Subjects {
    jdk: Jdk,
    program: Program,
    /// The internal names of their classes.
    names: Vec<String>,
    view: View,
    intrinsics: dalang_intrinsics::Library,
}

static SUBJECTS: LazyLock<Subjects> = LazyLock::new(Subjects::new);

impl Subjects {
    fn new() -> Self {
        let jdk = jdk();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut sources = Vec::new();
        for folder in ["subjects", "java/api"] {
            collect(&root.join(folder), "java", &mut sources);
        }
        sources.sort();
        let mut lite = Vec::new();
        collect(&root.join("subjects"), "jl", &mut lite);
        lite.sort();
        let folder = oracle::compiled(&jdk, &sources, &[]);
        let mut path = ClassPath::open(&[&folder], jdk.feature).unwrap();
        for file in lite {
            path.add_javalite(&file).unwrap();
        }
        let mut names = path.classes().unwrap();
        let program = Program::new(Library::open(&jdk).unwrap(), path).unwrap();
        let view = View::new(&program, &names, &[]);
        names.retain(|name| !name.starts_with("dalang/"));
        Self { jdk, program, names, view, intrinsics: dalang_intrinsics::Library::new() }
    }

    fn method(&self, class: &str, name: &str) -> MethodId {
        let id = self.program.load(class).unwrap();
        let spelling = |&method: &MethodId| {
            self.program.names().text(self.program.method(method).name) == name
        };
        let found = self.program.class(id).methods().find(spelling);
        found.unwrap_or_else(|| panic!("{class} has no method {name}"))
    }

    /// The methods of a class whose names begin with `check`, by name.
    fn checks(&self, class: &str) -> Vec<String> {
        let id = self.program.load(class).unwrap();
        let methods = self.program.class(id).methods();
        let name = |method| self.program.names().text(self.program.method(method).name).to_owned();
        let mut checks: Vec<String> =
            methods.map(name).filter(|name| name.starts_with("check")).collect();
        checks.sort();
        checks
    }

    fn explore(&self, row: &Row) -> Exploration {
        let config = Config {
            policy: row.policy,
            n: row.n,
            k: row.k,
            time: None,
            array: row.array.unwrap_or(Config::default().array),
            given: row.given(),
            outcomes: row.retrace,
            retrace: row.retrace,
            followed: if row.followed { &FOLLOWED } else { &[] },
            express: row.express,
            ..Config::default()
        };
        let mut explorer =
            Explorer::new(&self.program, &self.intrinsics, &self.view, &config, self.jdk.feature)
                .unwrap();
        let method = self.method(row.class, &row.method);
        explorer.explore(Entry::Method(method), &Watch::default())
    }
}

fn collect(folder: &Path, wanted: &str, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, wanted, sources);
        } else if path.extension().is_some_and(|extension| extension == wanted) {
            sources.push(path);
        }
    }
}

/// Every method of the subjects that others can call, constructors aside: its class and its name. What
/// is beside the checks of a collection asks the machine about private fields, and is left out.
pub fn programs() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for class in &SUBJECTS.names {
        let program = &SUBJECTS.program;
        let methods = program.class(program.load(class).unwrap()).methods();
        let callable = methods.filter(|&id| is_callable(program, id));
        let names = callable.map(|id| program.names().text(program.method(id).name).to_owned());
        let is_one = |name: &String| !class.starts_with("library/") || name.starts_with("check");
        all.extend(names.filter(is_one).map(|name| (class.as_str(), name)));
    }
    all.sort();
    all.dedup();
    all
}

/// One exploration, and how many complete paths it must find.
#[derive(Clone)]
pub struct Row {
    pub class: &'static str,
    pub method: String,
    pub policy: Policy,
    pub n: Option<u32>,
    pub k: Option<u32>,
    pub array: Option<u32>,
    pub retrace: bool,
    /// Whether ways through collections of the library are told apart.
    pub followed: bool,
    pub express: bool,
    pub paths: Option<u64>,
}

impl Row {
    pub fn new(class: &'static str, method: &str, policy: Policy) -> Self {
        let method = method.to_owned();
        let (n, k, array, paths) = (None, None, None, None);
        let (retrace, followed, express) = (false, false, true);
        Self { class, method, policy, n, k, array, retrace, followed, express, paths }
    }

    pub fn title(&self) -> String {
        let Self { class, method, policy, n, k, array, .. } = self;
        format!("{class}.{method} {policy:?} n={n:?} k={k:?} array={array:?}")
    }

    /// The bounds that are given: what is left out because of them is as wanted.
    fn given(&self) -> Vec<StopKind> {
        let mut given = vec![StopKind::N, StopKind::K];
        given.extend(self.array.map(|_| StopKind::Array));
        given
    }
}

/// Explores all rows on all cores.
pub fn explore(rows: &[Row]) -> Vec<Exploration> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = rows.get(number) else { return };
            let exploration = SUBJECTS.explore(row);
            found.lock().unwrap().push((number, exploration));
        }
    };
    thread::scope(|scope| {
        for _ in 0..crate::process::cores() {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(number, _)| *number);
    assert_eq!(found.len(), rows.len());
    found.into_iter().map(|(_, exploration)| exploration).collect()
}

/// Paths whose witnesses do not go their way, if that was tried.
fn strays(row: &Row, found: &Exploration) -> Vec<String> {
    let ended = found.paths.completed() + found.paths.diverging;
    let expected = if row.retrace { ended } else { 0 };
    assert_eq!(found.outcomes.len() as u64, expected, "{}", row.title());
    let strays = found.outcomes.iter().filter(|outcome| outcome.replay != Replay::Confirmed);
    strays.map(|outcome| format!("{}: {outcome:?}\n", row.title())).collect()
}

/// Explores all rows, which must be safe and have their number of paths.
pub fn assert_safe(rows: &[Row]) -> Vec<Exploration> {
    let found = explore(rows);
    let mut wrong = Vec::new();
    for (row, exploration) in rows.iter().zip(&found) {
        let completed = exploration.paths.completed();
        if exploration.verdict != Verdict::Safe || row.paths.is_some_and(|paths| paths != completed)
        {
            let Exploration { verdict, stops, violations, .. } = exploration;
            let expected = row.paths;
            let violations: Vec<_> = violations.iter().map(|one| &one.outcome.at).collect();
            wrong.push(format!(
                "{}: {verdict:?}, {completed} paths for {expected:?}, {stops:?} {violations:?}\n",
                row.title()
            ));
        }
        wrong.extend(strays(row, exploration));
    }
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.concat());
    found
}

#[test]
fn the_sums_are_those_of_the_paper() {
    let table = [
        ("trees/BinarySearchTree", [65, 197, 626, 2056, 6918], [637, 2353, 8788, 33098, 125_476]),
        ("trees/AvlTree", [15, 19, 36, 68, 112], [123, 175, 430, 974, 1810]),
        ("trees/AATree", [8, 11, 15, 20, 28], [56, 95, 155, 240, 392]),
        ("library/TreeMapChecks", [18, 34, 67, 123, 213], [152, 360, 855, 1807, 3517]),
    ];
    for (class, whole, keyed) in table {
        let structure = STRUCTURES.iter().find(|structure| structure.class == class).unwrap();
        for (nodes, (whole, keyed)) in (5..).zip(whole.into_iter().zip(keyed)) {
            assert_eq!(structure.paths(false, nodes), whole, "{class} {nodes}");
            assert_eq!(structure.paths(true, nodes), keyed, "{class} {nodes}");
        }
    }
}

#[test]
fn small_programs_have_as_many_paths_as_the_papers_say() {
    let mut rows = Vec::new();
    for small in &SMALL {
        for (policy, paths) in POLICIES.into_iter().zip(small.paths) {
            let row = Row::new(small.class, small.method, policy);
            rows.push(Row { paths, retrace: true, ..row });
        }
    }
    let found = explore(&rows);
    for (row, found) in rows.iter().zip(&found) {
        assert!(found.exhaustive, "{}: {:?}", row.title(), found.stops);
        let paths = found.paths.completed();
        assert_eq!(row.paths.unwrap_or(paths), paths, "{}", row.title());
        assert_eq!(strays(row, found), Vec::<String>::new());
    }
}

pub const OPTIMAL: [Policy; 2] = [Policy::Pose, Policy::Summary];

#[test]
fn policies_that_do_not_divide_have_one_path_for_each_of_the_program() {
    let mut rows = Vec::new();
    for small in &SMALL {
        for policy in OPTIMAL {
            let row = Row::new(small.class, small.method, policy);
            let paths = Some(small.optimal.iter().sum());
            rows.push(Row { paths, retrace: true, ..row });
        }
    }
    let expected = SMALL.iter().flat_map(|small| [small.optimal; OPTIMAL.len()]);
    for ((row, found), [normal, violating]) in rows.iter().zip(explore(&rows)).zip(expected) {
        assert!(found.exhaustive, "{}: {:?}", row.title(), found.stops);
        let counts = (found.paths.normal, found.paths.violating);
        assert_eq!(counts, (normal, violating), "{}", row.title());
        assert_eq!(Some(found.paths.completed()), row.paths, "{}", row.title());
        assert_eq!(strays(row, &found), Vec::<String>::new());
    }
}

/// The inputs of the one path on which something is reached that should not be.
fn reached(found: &Exploration) -> Vec<WitnessValue> {
    let is_reached = |kind: &OutcomeKind| *kind == OutcomeKind::Violation(ViolationKind::Assert);
    let mut all = found.outcomes.iter().filter(|outcome| is_reached(&outcome.kind));
    let (first, second) = (all.next().unwrap(), all.next());
    assert!(second.is_none(), "{second:?}");
    let inputs = &first.witness.as_ref().unwrap().inputs;
    inputs.iter().map(|(_, value)| value.clone()).collect()
}

#[test]
fn an_undivided_path_tells_by_its_witness_which_references_are_one() {
    for policy in OPTIMAL {
        let rows = ["p1", "p2"].map(|method| {
            let row = Row::new("papers/Aliases", method, policy);
            Row { retrace: true, ..row }
        });
        let found = explore(&rows);
        for (row, found) in rows.iter().zip(&found) {
            let is_null = |kind: &OutcomeKind| *kind == OutcomeKind::Violation(ViolationKind::Null);
            let nulls = found.outcomes.iter().filter(|outcome| is_null(&outcome.kind)).count();
            assert_eq!(nulls, 3, "{}", row.title());
        }
        let [different, same] = [0, 1].map(|place: usize| reached(&found[place]));
        let is_object = |value: &WitnessValue| matches!(value, WitnessValue::Object(_));
        assert!(different.len() == 3 && different.iter().all(is_object), "{different:?}");
        assert_ne!(different[0], different[1], "{policy:?}");
        assert!(same.len() == 3 && same.iter().all(is_object), "{same:?}");
        assert!(same[0] == same[1] && same[1] == same[2], "{policy:?}: {same:?}");
    }
}

/// Checks of structures that the policies that do not divide paths are measured by: where an
/// invariant excludes every alias, the shapes are the program's paths.
const UNDIVIDED: [(&str, [&str; 3]); 3] = [
    ("trees/BinarySearchTree", ["checkFind", "checkInsert", "checkFindMin"]),
    ("trees/AvlTree", ["checkFind", "checkInsert", "checkFindMin"]),
    ("trees/AATree", ["checkContains", "checkInsert", "checkFindMin"]),
];

#[test]
fn undivided_paths_of_sound_structures_are_their_shapes_and_places() {
    let mut rows = Vec::new();
    for (class, checks) in UNDIVIDED {
        let structure = STRUCTURES.iter().find(|structure| structure.class == class).unwrap();
        for (check, keyed) in structure.checks().filter(|(check, _)| checks.contains(check)) {
            for (policy, most) in OPTIMAL.into_iter().zip([4, 3]) {
                for nodes in most - 1..=most {
                    let paths = Some(structure.paths(keyed, nodes));
                    let row = Row::new(class, check, policy);
                    rows.push(Row { n: Some(nodes as u32), paths, retrace: true, ..row });
                }
            }
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.paths));
    assert_eq!(rows.len(), 9 * 2 * OPTIMAL.len());
    assert_safe(&rows);
}

/// The largest checks of the largest structure are left to `cargo xtask subjects`.
fn is_affordable(class: &str, check: &str, nodes: usize) -> bool {
    match (class, check) {
        ("trees/BinarySearchTree", "checkFind" | "checkRemove") => nodes <= 6,
        ("library/TreeSetChecks", _) => nodes <= 5,
        _ => true,
    }
}

#[test]
fn lazier_sharp_has_one_path_for_each_shape_and_place() {
    let mut rows = Vec::new();
    for structure in &STRUCTURES {
        for (check, keyed) in structure.checks() {
            for nodes in (5..=7).filter(|&nodes| is_affordable(structure.class, check, nodes)) {
                let row = Row::new(structure.class, check, Policy::LazierSharp);
                let paths = Some(structure.paths(keyed, nodes));
                rows.push(Row { n: Some(nodes as u32), paths, ..row });
            }
        }
    }
    // The longest first, so that no core waits for the last one.
    rows.sort_by_key(|row| std::cmp::Reverse(row.paths));
    assert_safe(&rows);
}

#[test]
fn chains_bound_structures_as_the_paper_says() {
    let mut rows = Vec::new();
    for chains in &CHAINS {
        for &check in chains.checks {
            for (k, paths) in (1..).zip(chains.paths) {
                let row = Row::new(chains.class, check, Policy::LazierSharp);
                rows.push(Row { k: Some(k), paths: Some(paths), ..row });
            }
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.paths));
    assert_safe(&rows);
}

#[test]
fn along_chains_a_coarser_policy_does_not_divide_less() {
    let mut rows = Vec::new();
    for chains in &CHAINS {
        for &check in chains.checks {
            for k in 1..=3 {
                for policy in POLICIES {
                    rows.push(Row { k: Some(k), ..Row::new(chains.class, check, policy) });
                }
            }
        }
    }
    let found = explore(&rows);
    for (rows, found) in rows.chunks(POLICIES.len()).zip(found.chunks(POLICIES.len())) {
        let counts: Vec<u64> = found.iter().map(|one| one.paths.completed()).collect();
        assert!(counts.is_sorted_by(|a, b| a >= b), "{}: {counts:?}", rows[0].title());
    }
}

/// Classes whose checks must hold, those that must fail left out, and a small bound for each.
const CORRECT: [(&str, u32); 11] = [
    ("trees/BinarySearchTree", 3),
    ("trees/AvlTree", 3),
    ("trees/AATree", 3),
    ("trees/RedBlackTree", 3),
    ("trees/LeftistHeap", 2),
    ("lists/SortedList", 3),
    ("library/TreeMapChecks", 2),
    ("library/TreeSetChecks", 2),
    ("papers/Marking", 2),
    ("papers/Aliases", 3),
    ("papers/ContainsList", 2),
];

#[test]
fn every_policy_proves_the_checks_and_every_witness_goes_its_way() {
    let mut rows = Vec::new();
    for (class, n) in CORRECT {
        for check in SUBJECTS.checks(class).iter().filter(|name| !name.ends_with("Buggy")) {
            for policy in POLICIES {
                rows.push(Row { n: Some(n), retrace: true, ..Row::new(class, check, policy) });
            }
        }
    }
    for policy in POLICIES {
        let small = [("papers/Container", "checkSwap"), ("papers/TypedNode", "checkConcrete")];
        for (class, check) in small {
            rows.push(Row { retrace: true, ..Row::new(class, check, policy) });
        }
    }
    let found = assert_safe(&rows);
    let mut counts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (row, found) in rows.iter().zip(&found) {
        let key = format!("{}.{}", row.class, row.method);
        counts.entry(key).or_default().push(found.paths.completed());
    }
    for (check, counts) in counts {
        // A coarser policy does not divide less.
        assert!(counts.is_sorted_by(|a, b| a >= b), "{check}: {counts:?}");
        assert!(counts.iter().all(|&count| count > 0), "{check}: {counts:?}");
    }
}

/// Checks that must fail, the class of their nodes, and how many the smallest input has.
const BUGGY: [(&str, &str, &str, usize); 7] = [
    ("trees/BinarySearchTree", "checkRemoveBuggy", "Node", 4),
    ("trees/AvlTree", "checkInsertBuggy", "Node", 2),
    ("trees/AATree", "checkInsertBuggy", "Node", 2),
    ("trees/RedBlackTree", "checkInsertBuggy", "Node", 2),
    ("trees/LeftistHeap", "checkInsertBuggy", "Node", 1),
    ("lists/SortedList", "checkRemoveBuggy", "Node", 1),
    ("papers/Marking", "checkMarkBuggy", "Cell", 2),
];

fn objects(witness: &Witness, class: &str) -> usize {
    let is_one = |name: &str| name.rsplit(['.', '$']).next() == Some(class);
    witness.objects.iter().filter(|object| is_one(&object.class)).count()
}

#[test]
fn every_policy_finds_each_mistake_with_the_smallest_input() {
    let mut rows = Vec::new();
    for (class, check, _, nodes) in BUGGY {
        for policy in POLICIES {
            for n in [nodes - 1, nodes, nodes + 1] {
                rows.push(Row { n: Some(n as u32), ..Row::new(class, check, policy) });
            }
        }
    }
    for (row, found) in rows.iter().zip(explore(&rows)) {
        let buggy = BUGGY.iter().find(|(class, ..)| *class == row.class).unwrap();
        let (_, _, node, nodes) = *buggy;
        if row.n.is_some_and(|n| (n as usize) < nodes) {
            assert_eq!(found.verdict, Verdict::Safe, "{}", row.title());
            continue;
        }
        assert_eq!(found.verdict, Verdict::Unsafe, "{}", row.title());
        let outcomes: Vec<_> = found.violations.iter().map(|one| &one.outcome).collect();
        for outcome in &outcomes {
            assert_eq!(outcome.replay, Replay::Confirmed, "{}: {outcome:?}", row.title());
        }
        let sizes = outcomes.iter().map(|one| objects(one.witness.as_ref().unwrap(), node));
        assert_eq!(sizes.min(), Some(nodes), "{}: {outcomes:?}", row.title());
    }
}

/// Small programs that must fail, without a bound.
const FAILING: [(&str, &str); 7] = [
    ("papers/Aliases", "p1"),
    ("papers/Aliases", "p2"),
    ("papers/TypedNode", "checkIsNeverNext"),
    ("papers/TypedNode", "checkIsAlwaysNext"),
    ("papers/TypedNode", "checkIsNeverNextObject"),
    ("papers/TypedNode", "checkIsAlwaysNextObject"),
    ("papers/TypedNode", "nextObjectTypeHierarchyOrNull"),
];

#[test]
fn every_policy_tells_aliases_and_classes_apart() {
    let mut rows = Vec::new();
    for (class, method) in FAILING {
        for policy in POLICIES {
            rows.push(Row { retrace: true, ..Row::new(class, method, policy) });
        }
    }
    for (row, found) in rows.iter().zip(explore(&rows)) {
        assert_eq!(found.verdict, Verdict::Unsafe, "{}", row.title());
        assert!(found.exhaustive, "{}: {:?}", row.title(), found.stops);
        assert_eq!(strays(row, &found), Vec::<String>::new());
    }
}

/// All that can be told of the paths of an exploration, and how many instructions they took.
fn ways(found: &Exploration) -> (Vec<String>, u64) {
    let way = |one: &dalang_explore::Outcome| {
        let dalang_explore::Outcome { kind, value, condition, decisions, trace, .. } = one;
        format!("{kind:?} {value:?} {condition} {decisions:?} {trace:?} {:?}", one.witness)
    };
    (found.outcomes.iter().map(way).collect(), found.statistics.instructions)
}

#[test]
fn the_express_lane_changes_nothing() {
    let mut rows = Vec::new();
    for (class, n) in CORRECT {
        for check in SUBJECTS.checks(class) {
            for express in [true, false] {
                let row = Row::new(class, &check, Policy::LazierSharp);
                rows.push(Row { n: Some(n), retrace: true, express, ..row });
            }
        }
    }
    let found = explore(&rows);
    for (rows, found) in rows.chunks(2).zip(found.chunks(2)) {
        let title = rows[0].title();
        assert_eq!(ways(&found[0]), ways(&found[1]), "{title}");
        assert_eq!(found[0].paths, found[1].paths, "{title}");
        assert_eq!(found[0].stops, found[1].stops, "{title}");
        assert_eq!(found[0].coverage, found[1].coverage, "{title}");
    }
}
