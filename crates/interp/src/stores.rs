//! Whether an array can hold a reference: the check of `aastore`, exact over the classes that the
//! array and the value can be of.

use crate::elements::elements;
use crate::flow::{Flow, malformed, raise};
use crate::machine::Machine;
use crate::state::State;
use crate::symbolic::ask;
use dalang_classes::{ClassId, Shape};
use dalang_heap::policy::typing::{self, Subject};
use dalang_heap::{Alternative, DomainId, Effect, Held, Reference, Resolution, Value};
use dalang_term::Pool;
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// Throws an `ArrayStoreException` if an array cannot hold a reference.
    #[inline]
    pub fn check_store(&mut self, state: &mut State<'p>, array: Reference, value: Value) -> Flow {
        if value == Value::NULL {
            return Flow::Continue(());
        }
        let value = self.any_mirror(state, value)?;
        let found = state.heap.object(array);
        if self.unknowns.policy.keeps_references()
            && (found.inexact || self.is_guarded(state, value))
        {
            return self.guarded_store_check(state, &[(Pool::TRUE, array)], value);
        }
        if found.inexact {
            return self.check_uncertain(state, array, value);
        }
        let class = found.class;
        if self.unknowns.domains.is_sole(class) {
            self.note_class(state, array);
        }
        let Shape::Array { component, .. } = self.program.class(class).shape else {
            return malformed("a reference is stored in something that is no array");
        };
        self.check_component(state, component, value)
    }

    /// Whether a reference is not null and of a type.
    pub fn is_instance(
        &mut self,
        state: &mut State<'p>,
        value: Value,
        class: ClassId,
    ) -> Flow<bool> {
        if let Some(is) = self.symbolic_instanceof(state, value, class)? {
            return Flow::Continue(is);
        }
        Flow::Continue(match self.known_value(state, value) {
            null if null == Value::NULL => false,
            value => {
                let object = self.located(state, value)?;
                self.program.is_subtype(state.heap.class(object), class)
            }
        })
    }

    /// Whether a reference is null or of a type.
    pub fn castable(&mut self, state: &mut State<'p>, value: Value, class: ClassId) -> Flow<bool> {
        if let Some(fits) = self.symbolic_cast(state, value, class)? {
            return Flow::Continue(fits);
        }
        Flow::Continue(match self.known_value(state, value) {
            null if null == Value::NULL => true,
            value => {
                let object = self.located(state, value)?;
                self.program.is_subtype(state.heap.class(object), class)
            }
        })
    }

    /// Throws an `ArrayStoreException` if a reference is not of a type.
    fn check_component(&mut self, state: &mut State<'p>, component: ClassId, value: Value) -> Flow {
        if component == self.known.object {
            return Flow::Continue(());
        }
        if let Some((subject, domain)) = self.uncertain(state, value) {
            self.note_test(state, subject, component);
            return self.check_subject(state, component, value, subject, domain);
        }
        match self.known_value(state, value) {
            null if null == Value::NULL => Flow::Continue(()),
            value => {
                let object = self.located(state, value)?;
                let class = state.heap.class(object);
                if self.program.is_subtype(class, component) {
                    return Flow::Continue(());
                }
                raise("java/lang/ArrayStoreException", self.program.java_name(class))
            }
        }
    }

    fn check_subject(
        &mut self,
        state: &mut State<'p>,
        component: ClassId,
        value: Value,
        subject: Subject,
        domain: DomainId,
    ) -> Flow {
        let inside = self.unknowns.domains.cut(self.program, domain, component, true);
        if inside == domain {
            return Flow::Continue(());
        }
        if inside == DomainId::EMPTY {
            let value = self.needed(state, value, dalang_heap::Need::Nullness)?;
            if value == Value::NULL {
                return Flow::Continue(());
            }
            let class = self.likely_class(state, value);
            return raise("java/lang/ArrayStoreException", self.program.java_name(class));
        }
        let outside = self.unknowns.domains.cut(self.program, domain, component, false);
        let inside = self.unknowns.domains.parts(self.program, inside);
        let outside = self.unknowns.domains.parts(self.program, outside);
        ask(typing::store(subject, &inside, &outside))
    }

    /// The same, if the class of the array is uncertain.
    #[cold]
    fn check_uncertain(&mut self, state: &mut State<'p>, array: Reference, value: Value) -> Flow {
        let value = self.known_value(state, value);
        if value == Value::NULL || self.is_held(state, array, value) {
            return Flow::Continue(());
        }
        // What no class above all others allows, none allows.
        let Shape::Array { component, .. } = self.program.class(state.heap.class(array)).shape
        else {
            return malformed("a reference is stored in something that is no array");
        };
        self.note_class(state, array);
        let domain = self.possible(state, array);
        let arrays = Rc::clone(self.unknowns.domains.classes(domain));
        if value == Value::Reference(array) {
            return self.check_itself(state, array, &arrays);
        }
        self.check_component(state, component, value)?;
        let Some((subject, values)) = self.uncertain(state, value) else {
            return self.check_known(state, array, &arrays, value);
        };
        let mut all = vec![Alternative {
            rule: "typing/store-pass",
            effect: Effect::Hold(array, held(subject)),
            condition: None,
        }];
        for (classes, inside) in self.groups(&arrays, values) {
            if inside == values {
                continue;
            }
            let unfit = self.without(values, inside);
            for part in self.unknowns.domains.parts(self.program, classes) {
                let effect = Effect::Unfit(array, part, held(subject), unfit);
                all.push(Alternative { rule: "typing/store-fail", effect, condition: None });
            }
        }
        if all.len() == 1 {
            return Flow::Continue(());
        }
        ask(all)
    }

    /// The array holds a value of a known class, or it does not.
    fn check_known(
        &mut self,
        state: &mut State<'p>,
        array: Reference,
        arrays: &[ClassId],
        value: Value,
    ) -> Flow {
        let object = self.located(state, value)?;
        let class = state.heap.class(object);
        let parts = arrays.iter().partition(|&&array| self.holds(array, class));
        self.check_parts(array, class, parts)
    }

    /// The array holds itself, or it does not.
    fn check_itself(&mut self, state: &State<'p>, array: Reference, arrays: &[ClassId]) -> Flow {
        let class = state.heap.class(array);
        let parts = arrays.iter().partition(|&&array| self.holds(array, array));
        self.check_parts(array, class, parts)
    }

    fn check_parts(
        &mut self,
        array: Reference,
        class: ClassId,
        (fit, unfit): (Vec<ClassId>, Vec<ClassId>),
    ) -> Flow {
        if unfit.is_empty() {
            return Flow::Continue(());
        }
        if fit.is_empty() {
            return raise("java/lang/ArrayStoreException", self.program.java_name(class));
        }
        let mut groups = Vec::new();
        for classes in [fit, unfit] {
            let domain = self.unknowns.domains.of(&classes);
            groups.extend(self.unknowns.domains.parts(self.program, domain));
        }
        ask(typing::store_array(array, &groups))
    }

    fn holds(&self, array: ClassId, class: ClassId) -> bool {
        match self.program.class(array).shape {
            Shape::Array { component, .. } => self.program.is_subtype(class, component),
            _ => false,
        }
    }

    /// Array classes by which of the values they can hold.
    fn groups(&mut self, arrays: &[ClassId], values: DomainId) -> Vec<(DomainId, DomainId)> {
        let mut groups: Vec<(DomainId, Vec<ClassId>)> = Vec::new();
        for &array in arrays {
            let Shape::Array { component, .. } = self.program.class(array).shape else { continue };
            let inside = self.unknowns.domains.cut(self.program, values, component, true);
            match groups.iter_mut().find(|group| group.0 == inside) {
                Some(group) => group.1.push(array),
                None => groups.push((inside, vec![array])),
            }
        }
        groups
            .into_iter()
            .map(|(inside, classes)| (self.unknowns.domains.of(&classes), inside))
            .collect()
    }

    fn without(&mut self, all: DomainId, some: DomainId) -> DomainId {
        let some = Rc::clone(self.unknowns.domains.classes(some));
        let rest: Vec<ClassId> = self
            .unknowns
            .domains
            .classes(all)
            .iter()
            .copied()
            .filter(|class| !some.contains(class))
            .collect();
        self.unknowns.domains.of(&rest)
    }

    /// Whether a value was found in the array, or stored in it, so that it can be stored again.
    fn is_held(&mut self, state: &State<'p>, array: Reference, value: Value) -> bool {
        let Some(elements) = elements(state, array) else { return false };
        let term = match value {
            Value::Term(term) => self.unknowns.inputs.of_term(&self.pool, term),
            _ => None,
        };
        let mut all: Vec<Held> = elements.read.iter().map(|&input| Held::Input(input)).collect();
        all.extend(&elements.held);
        all.into_iter().any(|held| match held {
            Held::Input(input) => {
                term == Some(input)
                    || matches!(state.knowledge.resolution(input),
                        Some(Resolution::Object(object)) if Value::Reference(object) == value)
            }
            Held::Object(object) => Value::Reference(object) == value,
        })
    }
}

fn held(subject: Subject) -> Held {
    match subject {
        Subject::Maybe(input) | Subject::Location(input) => Held::Input(input),
        Subject::Object(object) => Held::Object(object),
    }
}
