//! The library's part of the view: which of its classes inputs can be of, and what stands in for
//! implementations of its abstract types.
//!
//! Both lists are documentation as much as code: `docs/semantics/typing.md` repeats them for people.

use super::survey::element;
use dalang_classes::{Class, ClassId, Program, ValueType};
use dalang_heap::StandIn;

/// Packages whose objects the virtual machine works with, or that nobody should.
const PACKAGES: [&str; 9] = [
    "com/sun/",
    "java/lang/foreign/",
    "java/lang/invoke/",
    "java/lang/module/",
    "java/lang/ref/",
    "java/lang/reflect/",
    "java/nio/channels/",
    "jdk/",
    "sun/",
];

/// Classes whose objects the virtual machine works with, or that stand for something outside it.
/// What extends one of them in the library is like it.
const CLASSES: [&str; 19] = [
    "java/io/Console",
    "java/io/FileDescriptor",
    "java/io/FileInputStream",
    "java/io/FileOutputStream",
    "java/io/RandomAccessFile",
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/ClassValue",
    "java/lang/Module",
    "java/lang/ModuleLayer",
    "java/lang/Package",
    "java/lang/Process",
    "java/lang/ProcessBuilder",
    "java/lang/Runtime",
    "java/lang/StackWalker",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/ThreadLocal",
    "java/util/Timer",
];

/// What implements an abstract type of the library if nothing in view does. Functional interfaces
/// have nothing: what a function does is too much to guess.
const STAND_INS: [(&str, &[&str]); 45] = [
    ("java/io/Closeable", &["java/io/StringReader"]),
    ("java/io/InputStream", &["java/io/ByteArrayInputStream"]),
    ("java/io/OutputStream", &["java/io/ByteArrayOutputStream"]),
    ("java/io/Reader", &["java/io/StringReader"]),
    ("java/io/Serializable", &["java/lang/Integer", "java/lang/String"]),
    ("java/io/Writer", &["java/io/StringWriter"]),
    ("java/lang/Appendable", &["java/lang/StringBuilder"]),
    ("java/lang/AutoCloseable", &["java/io/StringReader"]),
    ("java/lang/CharSequence", &["java/lang/String", "java/lang/StringBuilder"]),
    ("java/lang/Cloneable", &["java/util/ArrayList"]),
    ("java/lang/Comparable", &["java/lang/Integer", "java/lang/String"]),
    ("java/lang/Iterable", &["java/util/ArrayList"]),
    ("java/lang/Number", &["java/lang/Double", "java/lang/Integer", "java/lang/Long"]),
    ("java/util/AbstractCollection", &["java/util/ArrayList", "java/util/HashSet"]),
    ("java/util/AbstractList", &["java/util/ArrayList", "java/util/LinkedList"]),
    ("java/util/AbstractMap", &["java/util/HashMap", "java/util/TreeMap"]),
    ("java/util/AbstractQueue", &["java/util/PriorityQueue"]),
    ("java/util/AbstractSequentialList", &["java/util/LinkedList"]),
    ("java/util/AbstractSet", &["java/util/HashSet", "java/util/TreeSet"]),
    ("java/util/Calendar", &["java/util/GregorianCalendar"]),
    ("java/util/Collection", &["java/util/ArrayList", "java/util/HashSet"]),
    ("java/util/Comparator", &["java/util/Comparators$NaturalOrderComparator"]),
    ("java/util/Deque", &["java/util/ArrayDeque", "java/util/LinkedList"]),
    ("java/util/Dictionary", &["java/util/Hashtable"]),
    ("java/util/Enumeration", &["java/util/StringTokenizer"]),
    ("java/util/Iterator", &["java/util/ArrayList$Itr"]),
    ("java/util/List", &["java/util/ArrayList", "java/util/LinkedList"]),
    ("java/util/ListIterator", &["java/util/ArrayList$ListItr"]),
    ("java/util/Map", &["java/util/HashMap", "java/util/TreeMap"]),
    ("java/util/Map$Entry", &["java/util/AbstractMap$SimpleEntry"]),
    ("java/util/NavigableMap", &["java/util/TreeMap"]),
    ("java/util/NavigableSet", &["java/util/TreeSet"]),
    ("java/util/Queue", &["java/util/LinkedList", "java/util/PriorityQueue"]),
    ("java/util/RandomAccess", &["java/util/ArrayList"]),
    ("java/util/SequencedCollection", &["java/util/ArrayList", "java/util/LinkedHashSet"]),
    ("java/util/SequencedMap", &["java/util/LinkedHashMap", "java/util/TreeMap"]),
    ("java/util/SequencedSet", &["java/util/LinkedHashSet", "java/util/TreeSet"]),
    ("java/util/Set", &["java/util/HashSet", "java/util/TreeSet"]),
    ("java/util/SortedMap", &["java/util/TreeMap"]),
    ("java/util/SortedSet", &["java/util/TreeSet"]),
    ("java/util/concurrent/BlockingQueue", &["java/util/concurrent/LinkedBlockingQueue"]),
    ("java/util/concurrent/ConcurrentMap", &["java/util/concurrent/ConcurrentHashMap"]),
    ("java/util/concurrent/locks/Lock", &["java/util/concurrent/locks/ReentrantLock"]),
    (
        "java/util/concurrent/locks/ReadWriteLock",
        &["java/util/concurrent/locks/ReentrantReadWriteLock"],
    ),
    ("java/util/random/RandomGenerator", &["java/util/Random"]),
];

/// The class with a name that the program mentions, if it is in view. A class of the library that
/// has no instances, such as `Math`, is not.
pub(super) fn in_view(program: &Program, name: &str, is_own: bool) -> Option<ClassId> {
    let is_primitive_array = name.starts_with('[') && element(name).is_empty();
    if is_own || is_primitive_array {
        return program.load(name).ok();
    }
    let base = program.load(element(name)).ok()?;
    let class = program.class(base);
    let has_instances =
        class.is_interface() || class.flags.is_abstract() || can_be_made(program, class);
    if is_machinery(program, base) || !has_instances {
        return None;
    }
    program.load(name).ok()
}

/// Whether others can come by an instance: by a constructor, or by a static method or field.
fn can_be_made(program: &Program, class: &Class) -> bool {
    let own = ValueType::Reference(class.name);
    let by_method = class.methods().any(|id| {
        let method = program.method(id);
        let is_constructor = program.names().text(method.name) == "<init>";
        let is_factory = method.flags.is_static() && method.signature.result == Some(own);
        !method.flags.is_private() && (is_constructor || is_factory)
    });
    let by_field = || {
        class.static_fields.iter().any(|&id| {
            let field = program.field(id);
            !field.flags.is_private() && field.value == own
        })
    };
    by_method || by_field()
}

/// Whether objects of a class of the library cannot be made up, because the virtual machine works
/// with them or because they stand for something outside it.
pub(super) fn is_machinery(program: &Program, class: ClassId) -> bool {
    let lineage = program.class(class).lineage().iter();
    lineage.map(|&above| program.names().text(program.class(above).name)).any(|name| {
        CLASSES.binary_search(&name).is_ok()
            || PACKAGES.iter().any(|package| name.starts_with(package))
    })
}

/// What is assumed to implement a type of the library.
pub(super) fn stand_in(program: &Program, class: ClassId) -> Option<StandIn> {
    let name = program.names().text(program.class(class).name);
    let place = STAND_INS.binary_search_by_key(&name, |&(of, _)| of).ok()?;
    let classes = STAND_INS[place].1.iter().filter_map(|name| program.load(name).ok());
    // Another version of the library may know a type, and not all of these classes below it.
    let fits = |&stand_in: &ClassId| {
        program.class(stand_in).is_instantiable() && program.is_subtype(stand_in, class)
    };
    let classes: Vec<ClassId> = classes.filter(fits).collect();
    (!classes.is_empty()).then_some(StandIn { of: class, classes })
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, PACKAGES, STAND_INS};

    #[test]
    fn the_lists_are_sorted() {
        assert!(CLASSES.is_sorted());
        assert!(PACKAGES.is_sorted());
        assert!(STAND_INS.is_sorted());
    }
}
