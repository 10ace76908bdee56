//! `ConstantBootstraps`: constants that are computed when they are first loaded.

use crate::flow::{Flow, bug, linked, raise, unsupported};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Constant, DynamicRefId, Primitive, ValueType};
use dalang_heap::Value;

impl<'p> Machine<'p> {
    /// The value of a dynamic constant.
    pub(crate) fn compute_constant(
        &mut self,
        state: &mut State<'p>,
        user: ClassId,
        id: DynamicRefId,
    ) -> Flow<Value> {
        let (request, bootstrap) = self.request(user, None, id)?;
        let name = self.program.names().text(request.reference.name);
        let Some(own) = request.reference.value else { return bug("a constant has no type") };
        match bootstrap {
            "java.lang.invoke.ConstantBootstraps.nullConstant" => Flow::Continue(Value::NULL),
            "java.lang.invoke.ConstantBootstraps.primitiveClass" => {
                let named = |primitive: &Primitive| name.chars().eq([primitive.letter()]);
                let primitive = Primitive::ALL.into_iter().find(named);
                if primitive.is_none() && name != "V" {
                    let message = format!("not primitive: {name}");
                    return raise("java/lang/IllegalArgumentException", message);
                }
                let class = self.program.primitive(primitive);
                self.mirror(state, class).map_continue(Value::Reference)
            }
            "java.lang.invoke.ConstantBootstraps.enumConstant" => {
                self.static_constant(state, own, own, name)
            }
            "java.lang.invoke.ConstantBootstraps.getStaticFinal" => {
                let mut owner = own;
                if !request.arguments.is_empty() {
                    let Constant::Class(class) = self.static_argument(request, 0)? else {
                        return unsupported("a static field of a computed class");
                    };
                    owner = ValueType::Reference(self.program.class(user).pool.class(class).name);
                }
                self.static_constant(state, owner, own, name)
            }
            other => unsupported(format!("the bootstrap method {other}")),
        }
    }

    /// The value of a static final field of a class.
    fn static_constant(
        &mut self,
        state: &mut State<'p>,
        owner: ValueType,
        own: ValueType,
        name: &str,
    ) -> Flow<Value> {
        let class = linked(self.program.class_of_type(owner))?;
        let field = self.static_field(class, name)?;
        let declared = self.program.field(field);
        if declared.value != own || !declared.flags.is_final() {
            return unsupported("a constant that is a static field of another type");
        }
        self.require(state, class)?;
        self.get_static(state, field)
    }
}
