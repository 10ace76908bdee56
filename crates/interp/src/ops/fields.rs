//! Static and instance fields.

use crate::flow::{Flow, linked, malformed};
use crate::globals::Globals;
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{FieldId, FieldRefId, FieldUse};
use dalang_heap::Value;

impl<'p> Machine<'p> {
    fn resolve_field(&self, state: &State<'p>, id: FieldRefId, usage: FieldUse) -> Flow<FieldId> {
        let frame = state.frame();
        let field = linked(self.program.resolve_field(frame.class, id))?;
        linked(self.program.check_field_use(frame.method, field, usage))?;
        Flow::Continue(field)
    }

    /// Rule `jvms/getstatic` - JVMS 6.5.
    pub(crate) fn getstatic(&mut self, state: &mut State<'p>, id: FieldRefId) -> Flow {
        let field = self.resolve_field(state, id, FieldUse::GetStatic)?;
        self.require(state, self.program.field(field).class)?;
        let value = self.get_static(state, field)?;
        if state.track.on {
            self.note_static(state, field);
        }
        if value == Value::NULL && self.program.field(field).class == self.known.system {
            return self.late_static(state, field);
        }
        state.push(value);
        Flow::Continue(())
    }

    /// Notes that a program looks at a static field whose value rests on an assumption: what separates
    /// the names of files, the standard streams, which a setter can have changed, and what static fields
    /// of the target lead to that was not followed.
    pub(crate) fn note_static(&mut self, state: &State<'p>, field: FieldId) {
        let class = self.program.field(field).class;
        if class == self.known.system {
            self.note_stream(state, field);
        } else if self.program.class(class).name == self.known.file
            && self.module(state.frame().class).is_none()
        {
            self.assume(state, "the separators of file names and paths: as on dalang's own host");
        } else if !state.left.is_empty() {
            self.note_left(state, field);
        }
    }

    /// A standard stream is the one that the virtual machine has made, which is certain of a program that
    /// has just been started.
    fn note_stream(&mut self, state: &State<'p>, field: FieldId) {
        let name = self.program.names().text(self.program.field(field).name);
        if self.settings.globals != Globals::Fresh && ["in", "out", "err"].contains(&name) {
            self.assume(
                state,
                &format!("System.{name}: as the virtual machine has made it, and no input"),
            );
        }
    }

    /// The streams of `System` are made when they are first read: few programs need all of them.
    fn late_static(&mut self, state: &mut State<'p>, field: FieldId) -> Flow {
        let name = self.program.names().text(self.program.field(field).name);
        let maker = match name {
            "out" => "makeOut",
            "err" => "makeErr",
            "in" => "makeIn",
            _ => {
                state.push(Value::NULL);
                return Flow::Continue(());
            }
        };
        self.late(state, maker)?;
        state.push(Value::NULL);
        Flow::Continue(())
    }

    /// Rule `jvms/putstatic` - JVMS 6.5.
    pub(crate) fn putstatic(&mut self, state: &mut State<'p>, id: FieldRefId) -> Flow {
        let field = self.resolve_field(state, id, FieldUse::PutStatic)?;
        self.require(state, self.program.field(field).class)?;
        let value = self.fit(state.peek(0), self.program.field(field).value);
        self.set_static(state, field, value)?;
        state.drop(1);
        Flow::Continue(())
    }

    /// Rule `jvms/getfield` - JVMS 6.5.
    #[inline]
    pub(crate) fn getfield(&mut self, state: &mut State<'p>, id: FieldRefId) -> Flow {
        let field = self.resolve_field(state, id, FieldUse::GetField)?;
        if self.is_guarded(state, state.peek(0)) {
            let value = self.guarded_get(state, state.peek(0), field)?;
            state.replace(1, value);
            return Flow::Continue(());
        }
        let object = self.located(state, state.peek(0))?;
        let slot = self.program.field(field).slot as usize;
        self.check_owner(state, object, field)?;
        match state.heap.get(object, slot) {
            Some(value) => {
                let value = self.read(state, value)?;
                state.replace(1, value);
            }
            None => return self.no_such_field(field),
        }
        Flow::Continue(())
    }

    /// Rule `jvms/putfield` - JVMS 6.5.
    #[inline]
    pub(crate) fn putfield(&mut self, state: &mut State<'p>, id: FieldRefId) -> Flow {
        let field = self.resolve_field(state, id, FieldUse::PutField)?;
        if self.is_guarded(state, state.peek(1)) {
            let value = self.fit(state.peek(0), self.program.field(field).value);
            self.guarded_put(state, state.peek(1), field, value)?;
            state.drop(2);
            return Flow::Continue(());
        }
        let object = self.located(state, state.peek(1))?;
        let slot = self.program.field(field).slot as usize;
        self.check_owner(state, object, field)?;
        let value = self.fit(state.peek(0), self.program.field(field).value);
        if !state.heap.set(object, slot, value) {
            return self.no_such_field(field);
        }
        state.drop(2);
        Flow::Continue(())
    }

    /// Class files are not checked for the classes of references, so this is checked here.
    #[inline]
    fn check_owner(
        &self,
        state: &State<'p>,
        object: dalang_heap::Reference,
        field: FieldId,
    ) -> Flow {
        let owner = self.program.field(field).class;
        let class = state.heap.class(object);
        if class == owner || self.program.is_subtype(class, owner) {
            return Flow::Continue(());
        }
        self.no_such_field(field)
    }

    #[cold]
    pub(crate) fn no_such_field<T>(&self, field: FieldId) -> Flow<T> {
        let field = self.program.field_spelling(field);
        malformed(format!("{field} is used of an object that does not have it"))
    }
}
