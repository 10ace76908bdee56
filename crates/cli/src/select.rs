//! Which methods are explored.

mod nearest;

use crate::config::Plan;
use crate::targets::Target;
use anyhow::{Context, bail};
use dalang_classes::code::Instruction;
use dalang_classes::{ClassId, Method, MethodId, Program};
use dalang_explore::Entry;
use dalang_report::Unloaded;
use nearest::nearest;

/// What is explored, in order, and what of the target cannot be.
pub struct Selection {
    pub entries: Vec<Entry>,
    pub unloaded: Vec<Unloaded>,
}

/// Selects what the plan names, or everything.
///
/// # Errors
/// A name that means nothing, too much, or a method without a body; nothing to explore at all.
pub fn select(target: &Target, plan: &Plan) -> anyhow::Result<Selection> {
    let selector = Selector { program: &target.program, own: &target.own };
    let mut entries = Vec::new();
    let mut unloaded = Vec::new();
    for name in &plan.methods {
        entries.extend(selector.methods(name)?.into_iter().map(Entry::Method));
    }
    let named: Vec<ClassId> =
        plan.classes.iter().map(|name| selector.class(name)).collect::<anyhow::Result<_>>()?;
    let all = plan.methods.is_empty() && plan.classes.is_empty();
    let classes = if all { selector.all(&mut unloaded) } else { named };
    for class in classes {
        let mut found = if plan.main { selector.mains(class) } else { selector.default(class) };
        if all && let Some(methods) = target.entries.get(selector.class_name(class)) {
            found.retain(|entry| methods.iter().any(|name| name == selector.name(entry.method())));
        }
        entries.extend(found);
    }
    let mut seen = Vec::new();
    entries.retain(|entry| {
        let fresh = !seen.contains(entry);
        seen.push(*entry);
        fresh
    });
    if entries.is_empty() && unloaded.is_empty() {
        let what = if plan.main { "no `public static void main(String[])`" } else { "no method" };
        bail!("there is {what} to explore: the classes have none with a body that can be called");
    }
    Ok(Selection { entries, unloaded })
}

/// The classes that a bound on objects names, by internal name.
///
/// # Errors
/// A name that means nothing, too much, or a class that has no objects of its own.
pub fn counted(target: &Target, named: &[(String, u32)]) -> anyhow::Result<Vec<(String, u32)>> {
    let selector = Selector { program: &target.program, own: &target.own };
    let mut counted: Vec<(String, u32)> = Vec::new();
    for (name, most) in named {
        let class = selector.counted(name).context("--n")?;
        let internal = selector.class_name(class).to_owned();
        if counted.iter().any(|known| known.0 == internal) {
            bail!("--n: {} has two numbers; give it one", target.program.class_spelling(class));
        }
        counted.push((internal, *most));
    }
    Ok(counted)
}

struct Selector<'a> {
    program: &'a Program,
    own: &'a [String],
}

/// What follows the name of a method.
enum Signature {
    Any,
    /// As class files have it.
    Descriptor(String),
    /// As Java source has it, without blanks.
    Types(Vec<String>),
}

impl Selector<'_> {
    fn all(&self, unloaded: &mut Vec<Unloaded>) -> Vec<ClassId> {
        let mut classes = Vec::new();
        for name in self.own {
            match self.program.load(name) {
                Ok(class) => classes.push(class),
                Err(failure) => unloaded
                    .push(Unloaded { class: name.replace('/', "."), reason: failure.remedy() }),
            }
        }
        classes
    }

    /// The methods and constructors of a class that others can call.
    fn default(&self, class: ClassId) -> Vec<Entry> {
        let is_chosen = |id: &MethodId| {
            let method = self.program.method(*id);
            let open = match self.name(*id) {
                "<clinit>" => false,
                "<init>" => method.flags.is_public() && self.makes(*id),
                _ => method.flags.is_public() || method.flags.is_package_private(),
            };
            open && method.has_code() && !is_made_up(method)
        };
        self.program.class(class).methods().filter(is_chosen).map(Entry::Method).collect()
    }

    /// Whether a constructor makes objects of its class, and does something of its own. That of an
    /// abstract class runs for a class below alone, and one that only calls the constructor above it is
    /// what the compiler adds to a class without any.
    fn makes(&self, constructor: MethodId) -> bool {
        let class = self.program.class(self.program.method(constructor).class);
        let is_empty = match self.program.code(constructor) {
            Ok(Some(code)) => matches!(
                code.instructions[..],
                [Instruction::Load(0), Instruction::InvokeSpecial(_), Instruction::Return]
            ),
            _ => false,
        };
        !class.flags.is_abstract() && !is_empty
    }

    fn mains(&self, class: ClassId) -> Vec<Entry> {
        let is_main = |id: &MethodId| {
            let method = self.program.method(*id);
            let descriptor = self.program.names().text(method.descriptor);
            self.name(*id) == "main"
                && descriptor == "([Ljava/lang/String;)V"
                && method.flags.is_static()
                && method.flags.is_public()
                && method.has_code()
        };
        self.program.class(class).methods().filter(is_main).map(Entry::Main).collect()
    }

    fn class_name(&self, id: ClassId) -> &str {
        self.program.names().text(self.program.class(id).name)
    }

    fn name(&self, id: MethodId) -> &str {
        self.program.names().text(self.program.method(id).name)
    }

    /// The class that a name means: the target's own by its whole name or the end of it, or any
    /// other by its whole name.
    fn class(&self, name: &str) -> anyhow::Result<ClassId> {
        let wanted = name.replace('/', ".");
        let exact = |class: &&String| spellings(class).contains(&wanted);
        let end = format!(".{wanted}");
        let similar = |class: &&String| spellings(class).iter().any(|name| name.ends_with(&end));
        let mut found: Vec<&String> = self.own.iter().filter(exact).collect();
        if found.is_empty() {
            found = self.own.iter().filter(similar).collect();
        }
        match &found[..] {
            [class] => match self.program.load(class) {
                Ok(class) => Ok(class),
                Err(failure) => bail!("{name} cannot be analysed: {}", failure.remedy()),
            },
            [] => self.foreign(&wanted),
            several => {
                let names: Vec<String> =
                    several.iter().map(|name| name.replace('/', ".")).collect();
                bail!("{name} could be {}; write more of its name", names.join(" or "))
            }
        }
    }

    /// The class that a bound on objects names: as any other, or of `java.lang` or `java.util` by its
    /// simple name. It can have objects of its own.
    fn counted(&self, name: &str) -> anyhow::Result<ClassId> {
        let known = ["java/lang", "java/util"].iter().find_map(|package| {
            let is_simple = !name.contains(['.', '/']);
            is_simple.then(|| self.program.load(&format!("{package}/{name}")).ok()).flatten()
        });
        let class = match (self.class(name), known) {
            (Ok(class), _) | (Err(_), Some(class)) => class,
            (Err(error), None) => return Err(error),
        };
        let declared = self.program.class(class);
        if !(declared.flags.is_abstract() || declared.flags.is_interface()) {
            return Ok(class);
        }
        let classes = self.all(&mut Vec::new());
        let below = |other: &&ClassId| {
            let flags = self.program.class(**other).flags;
            self.program.is_subtype(**other, class) && !flags.is_abstract() && !flags.is_interface()
        };
        let below: Vec<String> =
            classes.iter().filter(below).map(|&class| self.program.class_spelling(class)).collect();
        let what = self.program.class_spelling(class);
        let instead = match &below[..] {
            [] => String::new(),
            classes => format!("; name {}", classes.join(" or ")),
        };
        bail!("{what} is abstract, so it has no objects of its own{instead}")
    }

    /// A class of the class path or the library, whatever of its name is a package.
    fn foreign(&self, wanted: &str) -> anyhow::Result<ClassId> {
        let mut internal = wanted.replace('.', "/");
        loop {
            if let Ok(class) = self.program.load(&internal)
                && !self.program.class(class).is_array()
            {
                return Ok(class);
            }
            let Some(place) = internal.rfind('/') else { break };
            internal.replace_range(place..=place, "$");
        }
        let own: Vec<String> = self.own.iter().map(|name| name.replace('/', ".")).collect();
        bail!("there is no class {wanted}{}", nearest(wanted, &own))
    }

    /// The methods that a name means: all that overload it, unless a signature follows.
    fn methods(&self, text: &str) -> anyhow::Result<Vec<MethodId>> {
        let (name, signature) = signature(text)?;
        let (class, method) = match name.split_once("::").or_else(|| name.rsplit_once('.')) {
            Some((class, method)) => (self.class(class)?, method),
            None => (self.class_with(name)?, name),
        };
        let declared: Vec<MethodId> = self.program.class(class).methods().collect();
        let named: Vec<MethodId> =
            declared.iter().copied().filter(|&id| self.name(id) == method).collect();
        let fits = |id: &MethodId| self.fits(*id, &signature);
        let mut found: Vec<MethodId> = named.iter().copied().filter(fits).collect();
        if found.is_empty() {
            bail!("{}", self.unknown(class, method, &named, &declared));
        }
        // A bridge leads to the method that was meant, unless it is all there is.
        if found.iter().any(|&id| !is_made_up(self.program.method(id))) {
            found.retain(|&id| !is_made_up(self.program.method(id)));
        }
        match found.iter().find(|&&id| !self.program.method(id).has_code()) {
            Some(&empty) => bail!("{}", self.no_body(empty)),
            None => Ok(found),
        }
    }

    /// The only class of the target with a method of this name.
    fn class_with(&self, method: &str) -> anyhow::Result<ClassId> {
        let classes = self.all(&mut Vec::new());
        let has = |class: &ClassId| {
            self.program.class(*class).methods().any(|id| self.name(id) == method)
        };
        let found: Vec<ClassId> = classes.iter().copied().filter(has).collect();
        match found[..] {
            [class] => Ok(class),
            [] => {
                let all = classes.iter().flat_map(|&class| self.program.class(class).methods());
                let mut names: Vec<String> = all.map(|id| self.name(id).to_owned()).collect();
                names.sort_unstable();
                names.dedup();
                bail!("no class of the target has a method {method}{}", nearest(method, &names))
            }
            _ => {
                let name =
                    |&class: &ClassId| format!("{}.{method}", self.program.class_spelling(class));
                let names: Vec<String> = found.iter().map(name).collect();
                bail!("{method} could be {}; write which one", names.join(" or "))
            }
        }
    }

    fn fits(&self, id: MethodId, signature: &Signature) -> bool {
        let method = self.program.method(id);
        match signature {
            Signature::Any => true,
            Signature::Descriptor(text) => self.program.names().text(method.descriptor) == text,
            Signature::Types(types) => {
                let parameters = &method.signature.parameters;
                let fit = |(&value, wanted): (_, &String)| {
                    let spelled = self.program.type_spelling(value);
                    let dotted = spelled.replace('$', ".");
                    [spelled, dotted]
                        .iter()
                        .any(|name| name == wanted || name.ends_with(&format!(".{wanted}")))
                };
                parameters.len() == types.len() && parameters.iter().zip(types).all(fit)
            }
        }
    }

    fn unknown(
        &self,
        class: ClassId,
        method: &str,
        named: &[MethodId],
        declared: &[MethodId],
    ) -> String {
        let spelling = self.program.class_spelling(class);
        if !named.is_empty() {
            let all: Vec<String> =
                named.iter().map(|&id| self.program.method_spelling(id)).collect();
            return format!(
                "{spelling} has no {method} with these parameters; there is {}",
                all.join(" and ")
            );
        }
        let inherits = |&above: &ClassId| {
            self.program.class(above).methods().any(|id| self.name(id) == method)
        };
        let lineage = self.program.class(class).lineage();
        if let Some(&above) = lineage.iter().rev().find(|above| inherits(above)) {
            let above = self.program.class_spelling(above);
            return format!("{spelling} inherits {method} from {above}; name {above}.{method}");
        }
        let names: Vec<String> = declared.iter().map(|&id| self.name(id).to_owned()).collect();
        format!("{spelling} has no method {method}{}", nearest(method, &names))
    }

    fn no_body(&self, id: MethodId) -> String {
        let method = self.program.method(id);
        let why = if method.flags.is_abstract() { "abstract" } else { "native" };
        let spelling = self.program.method_spelling(id);
        format!("{spelling} is {why}: it has no body to explore; name a method that has one")
    }
}

/// How the name of a class can be written: with nested classes after `$`, or after a dot.
fn spellings(class: &str) -> [String; 2] {
    let spelled = class.replace('/', ".");
    let dotted = spelled.replace('$', ".");
    [spelled, dotted]
}

/// Whether the compiler made it, for reasons of its own.
fn is_made_up(method: &Method) -> bool {
    method.flags.is_synthetic() || method.flags.is_bridge()
}

fn signature(text: &str) -> anyhow::Result<(&str, Signature)> {
    let Some((name, rest)) = text.split_once('(') else { return Ok((text, Signature::Any)) };
    let Some((parameters, result)) = rest.split_once(')') else {
        bail!("{text}: the parameters have no end; write `C.m(ILjava/lang/String;)V` or `C.m`")
    };
    if !result.is_empty() {
        return Ok((name, Signature::Descriptor(format!("({rest}"))));
    }
    let bare: String = parameters.chars().filter(|c| !c.is_whitespace()).collect();
    let types = bare.split(',').filter(|part| !part.is_empty()).map(str::to_owned);
    Ok((name, Signature::Types(types.collect())))
}
