//! Class files of checked programs.
//!
//! Their version is that of Java 5, the newest in which a class file need not say what is on the
//! stack where ways meet; every JVM still infers it. They have lines, the name of the source and the
//! names of variables, so that reports speak of the program as it was written.

use super::error::{JavaliteError, Place};
use super::lower::{self, Code, Step};
use super::typed::{Class, ClassIndex, Member, Method, Program, Type};
use noak::error::EncodeError;
use noak::writer::attributes::code::{CodeWriter, CodeWriterState, InstructionWriter, Label};
use noak::writer::{
    ClassWriter, EncoderContext, FieldRef, FieldWriter, FieldWriterState, MethodRef, MethodWriter,
    MethodWriterState,
};
use noak::{AccessFlags, MString, Version};

/// The names and class files of a program.
pub(super) fn classes(
    program: &Program,
    file: &str,
) -> Result<Vec<(String, Vec<u8>)>, JavaliteError> {
    let indexes = 0..program.classes.len();
    indexes.map(|index| Emitter { classes: &program.classes, index, file }.class()).collect()
}

struct Emitter<'a> {
    classes: &'a [Class],
    index: ClassIndex,
    file: &'a str,
}

impl Emitter<'_> {
    fn class(&self) -> Result<(String, Vec<u8>), JavaliteError> {
        let class = &self.classes[self.index];
        let mut codes = Vec::new();
        for method in &class.methods {
            let code = lower::method(self.index, method);
            codes.push(code.map_err(|_| too_large(method.place, "method", &method.name))?);
        }
        // What is left that does not fit are tables of more than 65,535 names.
        let place = Place { line: class.line, column: 1 };
        let bytes = self.compose(class, &codes);
        let bytes = bytes.map_err(|_| too_large(place, "class", &class.name))?;
        Ok((class.name.clone(), bytes))
    }

    fn compose(&self, class: &Class, codes: &[Code]) -> Result<Vec<u8>, EncodeError> {
        ClassWriter::new()
            .version(Version::V5_0)?
            .access_flags(AccessFlags::PUBLIC | AccessFlags::FINAL | AccessFlags::SUPER)?
            .this_class(class.name.as_str())?
            .super_class("java/lang/Object")?
            .interfaces(|_| Ok(()))?
            .fields(|fields| {
                for (name, of) in &class.fields {
                    fields.begin(|field| self.field(field, name, *of))?;
                }
                Ok(())
            })?
            .methods(|methods| {
                methods.begin(|method| constructor(method, class.line))?;
                for (method, code) in class.methods.iter().zip(codes) {
                    methods.begin(|writer| self.method(writer, method, code))?;
                }
                Ok(())
            })?
            .attributes(|attributes| {
                attributes.begin(|attribute| attribute.source_file(self.file))?;
                Ok(())
            })?
            .into_bytes()
    }

    fn field(
        &self,
        field: FieldWriter<FieldWriterState::AccessFlags>,
        name: &str,
        of: Type,
    ) -> Result<FieldWriter<FieldWriterState::End>, EncodeError> {
        let field = field.access_flags(AccessFlags::PUBLIC)?.name(name)?;
        field.descriptor(self.descriptor(of))?.attributes(|_| Ok(()))
    }

    fn method(
        &self,
        writer: MethodWriter<MethodWriterState::AccessFlags>,
        method: &Method,
        code: &Code,
    ) -> Result<MethodWriter<MethodWriterState::End>, EncodeError> {
        let writer = writer.access_flags(AccessFlags::PUBLIC)?.name(method.name.as_str())?;
        writer.descriptor(self.signature(method))?.attributes(|attributes| {
            attributes.begin(|attribute| attribute.code(|writer| self.code(writer, code)))?;
            Ok(())
        })
    }

    fn code<C: EncoderContext>(
        &self,
        writer: CodeWriter<C, CodeWriterState::MaxStack>,
        code: &Code,
    ) -> Result<CodeWriter<C, CodeWriterState::End>, EncodeError> {
        let mut writer = writer.max_stack(code.stack)?.max_locals(code.slots)?;
        let mut lines = Vec::new();
        let (mut labels, mut marks) = (Vec::new(), Vec::new());
        for _ in 0..code.marks {
            let (label, mark) = writer.new_label()?;
            labels.push(Some(label));
            marks.push(mark);
        }
        let writer = writer.instructions(|writer| {
            for &step in &code.steps {
                match step {
                    Step::Line(line) => {
                        let (label, mark) = writer.new_label()?;
                        writer.label(label)?;
                        lines.push((mark, line as u16));
                    }
                    Step::Mark(mark) => set(writer, labels[mark].take())?,
                    Step::Jump(mark) => drop(writer.goto(marks[mark])?),
                    Step::JumpIfFalse(mark) => drop(writer.ifeq(marks[mark])?),
                    Step::JumpIfNotNull(mark) => drop(writer.ifnonnull(marks[mark])?),
                    Step::JumpIfOtherReference(mark) => drop(writer.ifacmpne(marks[mark])?),
                    Step::JumpIfOtherTruth(mark) => drop(writer.ificmpne(marks[mark])?),
                    step => self.step(writer, step)?,
                }
            }
            Ok(())
        })?;
        writer.exceptions(|_| Ok(()))?.attributes(|attributes| {
            attributes.begin(|attribute| {
                attribute.line_number_table(|table| {
                    for &(mark, line) in &lines {
                        table.begin(|entry| entry.start(mark)?.line_number(line))?;
                    }
                    Ok(())
                })
            })?;
            attributes.begin(|attribute| {
                attribute.local_variable_table(|table| {
                    for local in &code.locals {
                        table.begin(|entry| {
                            let entry = entry.start(marks[local.from])?.end(marks[local.to])?;
                            let entry = entry.name(local.name.as_str())?;
                            entry.descriptor(self.descriptor(local.of))?.index(local.slot)
                        })?;
                    }
                    Ok(())
                })
            })?;
            Ok(())
        })
    }

    /// A step that neither jumps nor is jumped to.
    fn step<C: EncoderContext>(
        &self,
        writer: &mut InstructionWriter<C>,
        step: Step,
    ) -> Result<(), EncodeError> {
        match step {
            Step::PushNull => writer.aconstnull()?,
            Step::PushTruth(true) => writer.iconst1()?,
            Step::PushTruth(false) => writer.iconst0()?,
            Step::Load(slot, of) => match (u8::try_from(slot), of) {
                (Ok(slot), Type::Bool) => writer.iload(slot)?,
                (Ok(slot), _) => writer.aload(slot)?,
                (Err(_), Type::Bool) => writer.iload_wide(slot)?,
                (Err(_), _) => writer.aload_wide(slot)?,
            },
            Step::Store(slot, of) => match (u8::try_from(slot), of) {
                (Ok(slot), Type::Bool) => writer.istore(slot)?,
                (Ok(slot), _) => writer.astore(slot)?,
                (Err(_), Type::Bool) => writer.istore_wide(slot)?,
                (Err(_), _) => writer.astore_wide(slot)?,
            },
            Step::New(class) => {
                let name = self.classes[class].name.as_str();
                writer.new(name)?.dup()?.invokespecial(MethodRef::by(name, ("<init>", "()V")))?
            }
            Step::Get(field) => writer.getfield(self.field_reference(field))?,
            Step::Put(field) => writer.putfield(self.field_reference(field))?,
            Step::Call(Member { class, number }) => {
                let owner = &self.classes[class];
                let method = &owner.methods[number];
                let described = (method.name.as_str(), self.signature(method));
                writer.invokevirtual(MethodRef::by(owner.name.as_str(), described))?
            }
            Step::Pop => writer.pop()?,
            Step::Duplicate => writer.dup()?,
            Step::DuplicateBelow => writer.dupx1()?,
            Step::Return(Type::Bool) => writer.ireturn()?,
            Step::Return(_) => writer.areturn()?,
            // The caller has done these.
            Step::Jump(_)
            | Step::JumpIfFalse(_)
            | Step::JumpIfNotNull(_)
            | Step::JumpIfOtherReference(_)
            | Step::JumpIfOtherTruth(_)
            | Step::Mark(_)
            | Step::Line(_) => writer,
        };
        Ok(())
    }

    fn field_reference(
        &self,
        Member { class, number }: Member,
    ) -> impl noak::writer::Insertable<FieldRef> + '_ {
        let owner = &self.classes[class];
        let (name, of) = &owner.fields[number];
        FieldRef::by(owner.name.as_str(), (name.as_str(), self.descriptor(*of)))
    }

    fn descriptor(&self, of: Type) -> MString {
        self.spelled(of).as_str().into()
    }

    fn signature(&self, method: &Method) -> MString {
        let (parameter, result) = (self.spelled(method.parameter.1), self.spelled(method.result));
        format!("({parameter}){result}").as_str().into()
    }

    fn spelled(&self, of: Type) -> String {
        match of {
            Type::Bool => "Z".to_owned(),
            Type::Class(index) => format!("L{};", self.classes[index].name),
            // Nothing that is declared has these types.
            Type::Null | Type::Nothing => "Ljava/lang/Object;".to_owned(),
        }
    }
}

fn set<C: EncoderContext>(
    writer: &mut InstructionWriter<C>,
    label: Option<Label>,
) -> Result<(), EncodeError> {
    if let Some(label) = label {
        writer.label(label)?;
    }
    Ok(())
}

/// What javac makes for a class without a constructor.
fn constructor(
    writer: MethodWriter<MethodWriterState::AccessFlags>,
    line: u32,
) -> Result<MethodWriter<MethodWriterState::End>, EncodeError> {
    let writer = writer.access_flags(AccessFlags::PUBLIC)?.name("<init>")?.descriptor("()V")?;
    writer.attributes(|attributes| {
        attributes.begin(|attribute| {
            attribute.code(|writer| {
                let mut writer = writer.max_stack(1)?.max_locals(1)?;
                let (label, start) = writer.new_label()?;
                let writer = writer.instructions(|writer| {
                    let above = MethodRef::by("java/lang/Object", ("<init>", "()V"));
                    writer.label(label)?.aload0()?.invokespecial(above)?.return_()?;
                    Ok(())
                })?;
                writer.exceptions(|_| Ok(()))?.attributes(|attributes| {
                    attributes.begin(|attribute| {
                        attribute.line_number_table(|table| {
                            table.begin(|entry| entry.start(start)?.line_number(line as u16))?;
                            Ok(())
                        })
                    })?;
                    Ok(())
                })
            })
        })?;
        Ok(())
    })
}

fn too_large(place: Place, kind: &str, name: &str) -> JavaliteError {
    let what = format!("{kind} `{name}` does not fit into a class file");
    JavaliteError::new(place, what, "divide it into several")
}
