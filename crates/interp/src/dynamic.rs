//! Call sites and constants that bootstrap methods compute.
//!
//! The bootstrap methods that `javac` uses are known by name and done natively, see
//! [`bootstrap`](crate::bootstrap); others are stops. What a call site does is found out when it is
//! first executed. As in Java that is so for each instruction, not for each entry of the constant
//! pool. What is known of a site has no references in it: those belong to states.

use crate::bootstrap::concat::Concat;
use crate::bootstrap::lambda::{Entry, Lambda};
use crate::bootstrap::records::RecordMethod;
use crate::bootstrap::switches::Labels;
use crate::flow::{Flow, bug, malformed, unsupported};
use crate::handle::{Handle, Member};
use crate::machine::Machine;
use crate::state::State;
use dalang_classes::{ClassId, Constant, ConstantId, DynamicRef, DynamicRefId, MethodId};
use dalang_heap::Value;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of call sites.
#[derive(Default)]
pub(crate) struct Sites {
    /// By method and instruction.
    linked: FxHashMap<(MethodId, u16), Site>,
    /// The classes of lambdas, by the number of the class.
    pub(crate) made: Vec<Option<Rc<Lambda>>>,
    /// What a call of a method on an instance of such a class does, if it is not an ordinary call.
    pub(crate) entries: FxHashMap<(ClassId, MethodId), Option<Rc<Entry>>>,
}

/// What a call site does.
#[derive(Clone)]
pub(crate) enum Site {
    Lambda(Rc<Lambda>),
    Concat(Rc<Concat>),
    Record(Rc<RecordMethod>),
    Switch(Rc<Labels>),
}

/// What a bootstrap method is given, apart from its lookup object.
#[derive(Clone, Copy)]
pub(crate) struct Request<'p> {
    /// The class that the call site or constant is in.
    pub(crate) user: ClassId,
    /// The method and instruction; none for a constant.
    pub(crate) site: Option<(MethodId, u16)>,
    /// Name and type.
    pub(crate) reference: &'p DynamicRef,
    /// The static arguments.
    pub(crate) arguments: &'p [ConstantId],
}

impl Sites {
    pub(crate) fn is_made(&self, class: ClassId) -> bool {
        self.made.get(class.index()).is_some_and(Option::is_some)
    }
}

impl<'p> Machine<'p> {
    /// Whether a class was made at run time, for lambdas for instance.
    pub fn is_made(&self, class: ClassId) -> bool {
        self.dynamic.is_made(class)
    }

    /// Rule `jvms/invokedynamic` - JVMS 6.5.
    pub(crate) fn invoke_dynamic(&mut self, state: &mut State<'p>, id: DynamicRefId) -> Flow {
        let (class, at) = (state.frame().class, (state.frame().method, state.frame().pc));
        let site = if let Some(site) = self.dynamic.linked.get(&at) {
            site.clone()
        } else {
            let site = self.link_site(class, at, id)?;
            self.dynamic.linked.insert(at, site.clone());
            site
        };
        match site {
            Site::Lambda(lambda) => self.make_lambda(state, &lambda)?,
            Site::Concat(concat) => return self.concatenate(state, &concat),
            Site::Record(method) => return self.record_method(state, &method),
            Site::Switch(labels) => self.switch_label(state, &labels)?,
        }
        state.frame_mut().pc += 1;
        Flow::Continue(())
    }

    /// What was found out of a call site that was executed before.
    pub(crate) fn linked_site(&self, at: (MethodId, u16)) -> Flow<Site> {
        match self.dynamic.linked.get(&at) {
            Some(site) => Flow::Continue(site.clone()),
            None => bug("a call site is in use and not linked"),
        }
    }

    fn link_site(&mut self, user: ClassId, at: (MethodId, u16), id: DynamicRefId) -> Flow<Site> {
        let (request, bootstrap) = self.request(user, Some(at), id)?;
        let site = match bootstrap {
            "java.lang.invoke.LambdaMetafactory.metafactory" => {
                Site::Lambda(self.link_lambda(request, false)?)
            }
            "java.lang.invoke.LambdaMetafactory.altMetafactory" => {
                Site::Lambda(self.link_lambda(request, true)?)
            }
            "java.lang.invoke.StringConcatFactory.makeConcatWithConstants" => {
                Site::Concat(Rc::new(self.link_recipe(request)?))
            }
            "java.lang.invoke.StringConcatFactory.makeConcat" => {
                Site::Concat(Rc::new(Concat::new(request)?))
            }
            "java.lang.runtime.ObjectMethods.bootstrap" => {
                Site::Record(Rc::new(self.link_record(request)?))
            }
            "java.lang.runtime.SwitchBootstraps.typeSwitch" => {
                Site::Switch(Rc::new(self.link_switch(request, false)?))
            }
            "java.lang.runtime.SwitchBootstraps.enumSwitch" => {
                Site::Switch(Rc::new(self.link_switch(request, true)?))
            }
            other => return unsupported(format!("the bootstrap method {other}")),
        };
        Flow::Continue(site)
    }

    /// What the bootstrap method of a call site or constant is given, and its spelling.
    pub(crate) fn request(
        &self,
        user: ClassId,
        site: Option<(MethodId, u16)>,
        id: DynamicRefId,
    ) -> Flow<(Request<'p>, &'p str)> {
        let program = self.program;
        let pool = &program.class(user).pool;
        let (reference, bootstrap) = (pool.dynamic(id), pool.bootstrap(id));
        let request = Request { user, site, reference, arguments: &bootstrap.arguments };
        let Some(Constant::MethodHandle(handle)) = pool.constant(bootstrap.handle) else {
            return bug("a bootstrap method is no method handle");
        };
        let Member::Method(method) = self.resolve_handle(user, handle)?.member else {
            return unsupported("a bootstrap method that is a field");
        };
        let method = program.method(method);
        let class = program.class_spelling(method.class);
        let spelling = format!("{class}.{}", program.names().text(method.name));
        let spelling = program.names().intern(&spelling);
        Flow::Continue((request, program.names().text(spelling)))
    }

    /// A static argument that is a method handle.
    pub(crate) fn handle_argument(&self, request: Request<'p>, index: usize) -> Flow<Handle> {
        match self.static_argument(request, index)? {
            Constant::MethodHandle(handle) => self.resolve_handle(request.user, handle),
            _ => malformed("a bootstrap method wants a method handle and is given something else"),
        }
    }

    /// A static argument.
    pub(crate) fn static_argument(&self, request: Request<'p>, index: usize) -> Flow<Constant<'p>> {
        let pool = &self.program.class(request.user).pool;
        match request.arguments.get(index).and_then(|&id| pool.constant(id)) {
            Some(constant) => Flow::Continue(constant),
            None => crate::flow::malformed("a bootstrap method has too few arguments"),
        }
    }

    /// A constant that is not in the class file as such.
    pub(crate) fn dynamic_constant(
        &mut self,
        state: &mut State<'p>,
        class: ClassId,
        constant: Constant<'_>,
    ) -> Flow<Value> {
        match constant {
            Constant::Dynamic(id) => self.compute_constant(state, class, id),
            Constant::MethodType(descriptor) => {
                Flow::Continue(self.method_type(state, descriptor)?.into())
            }
            Constant::MethodHandle(handle) => {
                Flow::Continue(self.handle_constant(state, class, handle)?.into())
            }
            _ => bug("a constant that is in the class file was taken for a computed one"),
        }
    }
}
