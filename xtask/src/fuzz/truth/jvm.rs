//! The JVM's side: what the driver (`java/Driver.java`) is told to run, and what it says.

use super::generate::{Group, Method};
use super::opinion::Failure;
use anyhow::{Context, bail};
use dalang_classes::path::Jdk;
use dalang_explore::{Global, GlobalStep, Witness, WitnessBody, WitnessObject, WitnessValue};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the driver is told, line by line.
#[derive(Default)]
pub struct Orders {
    text: String,
}

impl Orders {
    /// What follows is about this group; `classes` are the names of its classes, and `written` those of
    /// the static fields that can change.
    pub fn group(&mut self, group: &Group, classes: &[String], written: &[&str]) {
        let limits = group.limits;
        let objects = limits.objects.map_or(String::new(), |most| most.to_string());
        let numbers: Vec<String> = group.literals.numbers.iter().map(i64::to_string).collect();
        let written = if limits.statics { written.join(",") } else { String::new() };
        let stirred = if limits.statics { group.stirred.join(",") } else { String::new() };
        let texts: Vec<&str> = group.literals.texts.iter().map(String::as_str).collect();
        let _ = writeln!(self.text, "group\t{}\t{}", group.name, classes.join(","));
        let _ = writeln!(
            self.text,
            "limits\t{}\t{}\t{objects}\t0,{}\t{}\t{written}\t{stirred}",
            limits.array,
            limits.string,
            numbers.join(",").trim_end_matches(','),
            texts.join(",")
        );
    }

    /// Run the method on a witness; the answer has the number.
    pub fn run(&mut self, number: usize, method: &Method, witness: &Witness) {
        self.text.push_str("witness\n");
        for object in &witness.objects {
            self.object(object);
        }
        for (_, input) in &witness.inputs {
            let _ = writeln!(self.text, "input\t{}", spelled(input));
        }
        for (global, value) in &witness.statics {
            self.global(global, value);
        }
        let _ = writeln!(self.text, "run\t{number}\t{}", place(method));
    }

    /// Run the method on random inputs.
    pub fn fuzz(&mut self, method: &Method, inputs: u32, seed: u64) {
        let seed = seed as i64 ^ (method.case as i64) << 20;
        let _ = writeln!(self.text, "fuzz\t{}\t{}\t{inputs}\t{seed}", method.case, place(method));
    }

    /// A static field, or what one leads to that keeps its object.
    fn global(&mut self, global: &Global, value: &WitnessValue) {
        let _ = writeln!(self.text, "static\t{}\t{}", spelled(value), way(global));
    }

    fn object(&mut self, object: &WitnessObject) {
        let _ = write!(self.text, "object\t{}\t", object.class);
        let line = match &object.body {
            WitnessBody::Fields(fields) => {
                let fields =
                    fields.iter().map(|(name, value)| format!("\t{name}\t{}", spelled(value)));
                format!("fields{}", fields.collect::<String>())
            }
            WitnessBody::Array(length, values) => {
                let values =
                    values.iter().map(|(index, value)| format!("\t{index}\t{}", spelled(value)));
                format!("array\t{length}{}", values.collect::<String>())
            }
            WitnessBody::Text(text) => format!("text\t{}", units(text)),
            WitnessBody::Interned(text) => format!("interned\t{}", units(text)),
            WitnessBody::Boxed(value) => format!("boxed\t{}", spelled(value)),
            WitnessBody::Cached(value) => format!("cached\t{}", spelled(value)),
            WitnessBody::Constant(name) => format!("constant\t{name}"),
            WitnessBody::Static(global) => format!("static\t{}", way(global)),
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// The class and name of a static field, and the steps from there.
fn way(global: &Global) -> String {
    let mut text = format!("{}\t{}", global.class, global.field);
    for step in &global.way {
        let _ = match step {
            GlobalStep::Field(class, field) => write!(text, "\tfield\t{class}.{field}"),
            GlobalStep::Element(index, _) => write!(text, "\telement\t{index}"),
        };
    }
    text
}

/// UTF-16 in hexadecimal digits.
fn units(text: &[u16]) -> String {
    let mut digits = String::new();
    for unit in text {
        let _ = write!(digits, "{unit:04x}");
    }
    digits
}

fn place(method: &Method) -> String {
    format!("{}\t{}", method.class, method.name)
}

fn spelled(value: &WitnessValue) -> String {
    match value {
        WitnessValue::Null => "N".to_owned(),
        WitnessValue::Boolean(value) => format!("Z{value}"),
        WitnessValue::Integer(value) => format!("I{value}"),
        WitnessValue::Char(value) => format!("C{value}"),
        WitnessValue::Float(value) => format!("F{}", value.to_bits()),
        WitnessValue::Double(value) => format!("D{}", value.to_bits()),
        WitnessValue::Object(number) => format!("O{number}"),
    }
}

/// What a method did on random inputs.
#[derive(Default)]
pub struct Runs {
    /// How many there were.
    pub done: u64,
    /// How many returned.
    pub normal: u64,
    /// Each way to fail, and the first input that did.
    pub failures: BTreeMap<Failure, String>,
}

/// What the driver says.
#[derive(Default)]
pub struct Answers {
    /// How runs on witnesses ended, by their number.
    pub ran: BTreeMap<usize, Failure>,
    /// Random runs, by case.
    pub fuzzed: BTreeMap<u64, Runs>,
}

impl Answers {
    fn read(text: &str) -> anyhow::Result<Self> {
        let mut answers = Self::default();
        let mut is_whole = false;
        for line in text.lines() {
            let words: Vec<&str> = line.split('\t').collect();
            match words[..] {
                ["ran", number, exception, line] => {
                    answers.ran.insert(number.parse()?, (exception.to_owned(), line.parse()?));
                }
                ["fuzzed", case, done, normal] => {
                    let runs = answers.fuzzed.entry(case.parse()?).or_default();
                    (runs.done, runs.normal) = (done.parse()?, normal.parse()?);
                }
                ["failed", case, exception, line, input] => {
                    let runs = answers.fuzzed.entry(case.parse()?).or_default();
                    let failure = (exception.to_owned(), line.parse()?);
                    runs.failures.insert(failure, input.to_owned());
                }
                ["end"] => is_whole = true,
                _ => bail!("the driver says: {line}"),
            }
        }
        if !is_whole {
            bail!("the driver did not come to its end");
        }
        Ok(answers)
    }
}

/// Runs the driver.
pub fn drive(jdk: &Jdk, driver: &Path, classes: &Path, orders: &Orders) -> anyhow::Result<Answers> {
    let file = classes.join("orders.txt");
    std::fs::write(&file, &orders.text).context("the driver's orders cannot be written")?;
    let path = std::env::join_paths([classes, driver])?;
    let mut java = Command::new(jdk.home.join("bin/java"));
    java.env_remove("JDK_JAVA_OPTIONS").env_remove("JAVA_TOOL_OPTIONS");
    // Exceptions must have their stack traces, however often they are thrown.
    java.args(["-ea", "-XX:-OmitStackTraceInFastThrow", "-XX:TieredStopAtLevel=1"]);
    // Witnesses have collections with fields of their own.
    for package in ["java.lang", "java.util", "java.util.concurrent", "java.util.concurrent.atomic"]
    {
        java.args(["--add-opens", &format!("java.base/{package}=ALL-UNNAMED")]);
    }
    java.args(["-XX:+UseSerialGC", "-Xshare:auto", "-cp"]).arg(path).arg("Driver").arg(&file);
    let output = java.stdin(Stdio::null()).output().context("java cannot be run")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    Answers::read(&text).with_context(|| format!("java ended with {}: {errors}", output.status))
}
