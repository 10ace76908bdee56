//! `jdk.internal.util.SystemProps.Raw`: the properties of the machine that programs see.
//!
//! They are the same on every host, so that runs are repeatable.

use crate::table::{Row, any};
use dalang_heap::{Reference, Value};
use dalang_interp::{Call, Flow};

/// By the names of the constants that number them.
const PLATFORM: &[(&str, &str)] = &[
    ("_file_encoding_NDX", "UTF-8"),
    ("_native_encoding_NDX", "UTF-8"),
    ("_sun_jnu_encoding_NDX", "UTF-8"),
    ("_stdout_encoding_NDX", "UTF-8"),
    ("_stderr_encoding_NDX", "UTF-8"),
    ("_sun_stdout_encoding_NDX", "UTF-8"),
    ("_sun_stderr_encoding_NDX", "UTF-8"),
    ("_file_separator_NDX", "/"),
    ("_path_separator_NDX", ":"),
    ("_line_separator_NDX", "\n"),
    ("_java_io_tmpdir_NDX", "/tmp"),
    ("_os_name_NDX", "Linux"),
    ("_os_arch_NDX", "amd64"),
    ("_os_version_NDX", "6.0"),
    ("_sun_arch_data_model_NDX", "64"),
    ("_sun_cpu_endian_NDX", "little"),
    ("_sun_io_unicode_encoding_NDX", "UnicodeLittle"),
    ("_user_dir_NDX", "/"),
    ("_user_home_NDX", "/"),
    ("_user_name_NDX", "dalang"),
    ("_display_language_NDX", "en"),
    ("_display_country_NDX", "US"),
];

/// Whether hosts differ in a property.
pub(crate) fn is_of_host(name: &str) -> bool {
    let constant = format!("_{}_NDX", name.replace('.', "_"));
    PLATFORM.iter().any(|(known, _)| *known == constant) || name == "java.home"
}

fn platform(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let class = call.machine.class("jdk/internal/util/SystemProps$Raw")?;
    let number = |call: &mut Call<'_, '_>, name: &str| -> Flow<Option<usize>> {
        let wanted = call.machine.program.names().find(name);
        let fields = &call.machine.program.class(class).static_fields;
        let field =
            fields.iter().find(|&&field| Some(call.machine.program.field(field).name) == wanted);
        match field {
            Some(&field) => match call.machine.get_static(call.state, field)? {
                Value::Int(number) => Flow::Continue(Some(number as usize)),
                _ => Flow::Continue(None),
            },
            None => Flow::Continue(None),
        }
    };
    let length = number(call, "FIXED_LENGTH")?.unwrap_or(64);
    let mut values = vec![Reference::NULL; length];
    for (name, value) in PLATFORM {
        // Versions of the JDK differ in what they have.
        if let Some(place) = number(call, name)?.filter(|&place| place < length) {
            values[place] = call.machine.intern(call.state, value)?;
        }
    }
    let string = call.machine.known.string;
    Flow::Continue(Some(call.machine.allocate_references(call.state, string, &values)?.into()))
}

fn vm(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let feature = call.machine.settings.feature.to_string();
    let pairs = [
        ("java.home", "/jdk"),
        ("java.vm.specification.name", "Java Virtual Machine Specification"),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", &*feature),
        ("java.vm.name", "Dalang"),
        ("java.vm.vendor", "Dalang"),
        ("java.vm.version", env!("CARGO_PKG_VERSION")),
        ("java.vm.info", "interpreted mode"),
        ("java.class.path", ""),
        ("java.library.path", ""),
        ("sun.boot.library.path", ""),
        ("java.vm.compressedOopsMode", "32-bit"),
        ("jdk.debug", "release"),
    ];
    let mut values = Vec::new();
    for text in pairs.iter().flat_map(|&(name, value)| [name, value]) {
        values.push(call.machine.intern(call.state, text)?);
    }
    values.push(Reference::NULL);
    let string = call.machine.known.string;
    Flow::Continue(Some(call.machine.allocate_references(call.state, string, &values)?.into()))
}

pub(crate) const ROWS: &[Row] = &[any("platformProperties", platform), any("vmProperties", vm)];
