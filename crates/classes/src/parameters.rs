//! What the parameters of a method are called.

use crate::ids::MethodId;
use crate::line::one_line;
use crate::link::Program;

impl Program {
    /// Names for the parameters of a method, the receiver left out: those of the source, from
    /// `LocalVariableTable` or else from `MethodParameters`, or `arg0`, `arg1` and so on. There is
    /// one for each parameter, no two are the same, none is `this`, and each is one line.
    pub fn parameter_names(&self, id: MethodId) -> Vec<String> {
        let method = self.method(id);
        let count = method.signature.parameters.len();
        let mut names: Vec<String> = Vec::with_capacity(count);
        let (locals, declared) = (self.local_names(id), self.declared_names(id));
        for place in 0..count {
            let given = locals[place].or(declared[place]).map(one_line);
            let usable =
                |name: &str| !name.is_empty() && name != "this" && !names.iter().any(|n| n == name);
            let name = match given {
                Some(name) if usable(&name) => name.into_owned(),
                _ => {
                    let mut name = format!("arg{place}");
                    while !usable(&name) {
                        name.push('\'');
                    }
                    name
                }
            };
            names.push(name);
        }
        names
    }

    /// The names that parameters have as local variables where the method begins.
    fn local_names(&self, id: MethodId) -> Vec<Option<&str>> {
        let method = self.method(id);
        let code = self.code(id).ok().flatten();
        let mut slot = u16::from(!method.flags.is_static());
        let parameters = method.signature.parameters.iter();
        let name = parameters.map(|parameter| {
            let local = code.and_then(|code| code.local(slot, 0));
            slot += parameter.kind().slots();
            local.map(|local| self.names().text(local.name))
        });
        name.collect()
    }

    /// The names that the method declares for its parameters. A table that is not about just these
    /// parameters is not believed.
    fn declared_names(&self, id: MethodId) -> Vec<Option<&str>> {
        let count = self.method(id).signature.parameters.len();
        let table = self.parameters(id).filter(|table| table.len() == count);
        match table {
            Some(table) => {
                let name = |name| self.names().text(name);
                table.iter().map(|parameter| parameter.name.map(name)).collect()
            }
            None => vec![None; count],
        }
    }
}
