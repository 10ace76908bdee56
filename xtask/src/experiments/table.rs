//! What Table I of the paper on path-optimal exploration reports, for classes that Debian packages.

/// A class of the table and what the paper's prototype took for it.
pub struct Anchor {
    pub jar: &'static str,
    pub class: &'static str,
    pub traces: u64,
    pub tokens: u64,
    /// Seconds of queries; none is less than one.
    pub seconds: Option<u64>,
}

const fn anchor(
    jar: &'static str,
    class: &'static str,
    traces: u64,
    tokens: u64,
    seconds: Option<u64>,
) -> Anchor {
    Anchor { jar, class, traces, tokens, seconds }
}

/// The jars, the packages that they come in, and jars that they need.
pub const JARS: [(&str, &str, &[&str]); 7] = [
    ("bcel", "libbcel-java", &[]),
    ("commons-jxpath", "libcommons-jxpath-java", &[]),
    ("gson", "libgoogle-gson-java", &[]),
    ("la4j", "libla4j-java", &[]),
    ("okhttp", "libokhttp-java", &["okio"]),
    ("okio", "libokio-java", &[]),
    ("re2j", "libre2j-java", &[]),
];

/// Parts of the table that no package has.
pub const MISSING: [&str; 4] = [
    "com.google.gson.internal.LinkedHashMap (no such class in this gson)",
    "okhttp3.internal.platform.AndroidPlatform (left out of Debian's okhttp)",
    "org.apache.commons.imaging (no package)",
    "org.freehep.math.minuit (no package)",
];

/// The table, in its order.
pub const TABLE: [Anchor; 41] = [
    anchor("bcel", "org.apache.bcel.generic.InstructionList", 18_793, 37_355_572, Some(2_090)),
    anchor("commons-jxpath", "org.apache.commons.jxpath.ri.compiler.Path", 38, 5_580, None),
    anchor(
        "bcel",
        "org.apache.bcel.verifier.structurals.InstConstraintVisitor",
        2_093,
        1_604_751,
        Some(426),
    ),
    anchor("la4j", "org.la4j.matrix.dense.Basic1DMatrix", 1_533, 1_415_265, Some(9_067)),
    anchor("bcel", "org.apache.bcel.generic.ConstantPoolGen", 227, 432_833, None),
    anchor("bcel", "org.apache.bcel.generic.BranchInstruction", 229, 2_919_833, Some(518)),
    anchor("la4j", "org.la4j.Matrix", 3_974, 5_530_188, Some(17_085)),
    anchor("commons-jxpath", "org.apache.commons.jxpath.JXPathContext", 79, 222_459, None),
    anchor("gson", "com.google.gson.JsonPrimitive", 85, 15_856, None),
    anchor("bcel", "org.apache.bcel.verifier.structurals.LocalVariables", 12, 3_446, None),
    anchor("bcel", "org.apache.bcel.classfile.StackMapEntry", 2_037, 1_177_182, Some(6_989)),
    anchor("la4j", "org.la4j.matrix.sparse.CCSMatrix", 2_087, 751_634, Some(4_481)),
    anchor(
        "commons-jxpath",
        "org.apache.commons.jxpath.ri.parser.XPathParserTokenManager",
        217,
        1_651_105,
        Some(1_919),
    ),
    anchor("la4j", "org.la4j.matrix.sparse.CRSMatrix", 2_074, 751_634, Some(4_265)),
    anchor("re2j", "com.google.re2j.Regexp", 33, 5_610, None),
    anchor("la4j", "org.la4j.vector.sparse.CompressedVector", 505, 69_398, Some(74)),
    anchor("commons-jxpath", "org.apache.commons.jxpath.ri.compiler.Step", 47, 4_808, None),
    anchor("la4j", "org.la4j.matrix.dense.Basic2DMatrix", 1_480, 715_700, Some(4_640)),
    anchor("la4j", "org.la4j.linear.ForwardBackSubstitutionSolver", 34, 32_383, Some(134)),
    anchor("la4j", "org.la4j.linear.GaussianSolver", 913, 898_386, Some(6_293)),
    anchor(
        "commons-jxpath",
        "org.apache.commons.jxpath.ri.compiler.CoreOperationCompare",
        42,
        10_452,
        None,
    ),
    anchor(
        "commons-jxpath",
        "org.apache.commons.jxpath.ri.model.beans.PropertyIterator",
        12,
        2_414,
        None,
    ),
    anchor("okhttp", "okhttp3.HttpUrl", 27, 15_346, None),
    anchor("re2j", "com.google.re2j.Machine", 921, 56_389, Some(7)),
    anchor("okhttp", "okhttp3.internal.tls.OkHostnameVerifier", 3, 1_171, None),
    anchor("gson", "com.google.gson.GsonBuilder", 66, 16_087, None),
    anchor("okhttp", "okhttp3.ConnectionSpec", 21, 2_860, None),
    anchor("okhttp", "okhttp3.Cookie", 282, 1_511_800, Some(3)),
    anchor("gson", "com.google.gson.internal.LinkedTreeMap", 29, 6_836, None),
    anchor("gson", "com.google.gson.internal.Excluder", 11, 3_874, None),
    anchor("gson", "com.google.gson.internal.bind.JsonTreeReader", 44, 22_795, None),
    anchor("gson", "com.google.gson.reflect.TypeToken", 19, 3_252, None),
    anchor("re2j", "com.google.re2j.RE2", 41, 25_329, None),
    anchor("commons-jxpath", "org.apache.commons.jxpath.util.BasicTypeConverter", 21, 4_318, None),
    anchor("bcel", "org.apache.bcel.verifier.structurals.Subroutines", 6, 1_707, None),
    anchor("gson", "com.google.gson.internal.bind.ReflectiveTypeAdapterFactory", 2, 652, None),
    anchor("gson", "com.google.gson.stream.JsonReader", 4, 627, None),
    anchor("re2j", "com.google.re2j.CharClass", 4, 676, Some(1)),
    anchor("okhttp", "okhttp3.internal.tls.DistinguishedNameParser", 3, 4_458, None),
    anchor("la4j", "org.la4j.decomposition.EigenDecompositor", 3, 650, None),
    anchor("la4j", "org.la4j.decomposition.SingularValueDecompositor", 3, 1_092, None),
];
