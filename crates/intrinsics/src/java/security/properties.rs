//! `java.security.Security.SecPropLoader`, since Java 24: the JDK's own security properties.

use crate::jdk::internal::loader::resources::stream_of;
use crate::table::{Row, required};
use dalang_heap::Value;
use dalang_interp::{Call, Flow, pass_on, unsupported};

/// `Security.props.load(...)`, on the JDK's file. It includes no other.
fn load(call: &mut Call<'_, '_>) -> Flow<Option<Value>> {
    let Some(bytes) = call.machine.program.library().file("conf/security/java.security") else {
        return unsupported("the security properties of this JDK");
    };
    if bytes.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"include")) {
        return unsupported("security properties that include others");
    }
    let security = call.machine.class("java/security/Security")?;
    call.machine.require(call.state, security)?;
    let field = call.machine.static_field(security, "props")?;
    let properties = call.machine.get_static(call.state, field)?;
    let stream = stream_of(call, bytes)?;
    let class = call.machine.class("java/util/Properties")?;
    let method = call.machine.method(class, "load", "(Ljava/io/InputStream;)V")?;
    call.invoke_virtual(method, &[properties, stream.into()], pass_on)
}

pub(crate) const ROWS: &[Row] =
    &[required("loadMaster", "()V", "the host's files are not seen", load)];
