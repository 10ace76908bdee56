//! Any SMT-LIB 2 solver as a child process.
//!
//! Here is the conversation: what is asserted, in which scope, how an answer is recognised. Starting
//! a program is `smtlib/command.rs`, talking to it without blocking is `smtlib/process.rs`, reading
//! its replies is `smtlib/reply.rs`; the text itself is the term crate's.
//!
//! Invariant: death, silence or nonsense of the child is [`Reply::Unknown`], never a hang and never
//! an answer. An answer is taken only between the marks that we asked the solver to echo, so that no
//! stray line can pass for it, and a model only after evaluating the conjuncts under it. After any
//! fault the child is ended and the next question starts another.

mod command;
mod process;
mod reply;

pub use command::{SmtCommand, SmtError};

use super::{Backend, Verdict};
use crate::answer::Reason;
use crate::limits::Limits;
use dalang_term::{
    Assignment, Evaluation, Pool, PoolId, PostOrder, SmtEmitter, SymbolId, TermId, smt_name,
};
use process::{Fault, Process, Until};
use rustc_hash::FxHashSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// What a solver answered.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// The conjuncts hold under this assignment; it was evaluated.
    Sat(Assignment),
    /// No assignment makes them hold.
    Unsat,
    /// No answer, for this reason.
    Unknown(String),
}

/// A conjunct that the child has asserted, in a scope of its own.
struct Asserted {
    term: TermId,
    /// Those of its symbols that no conjunct below it in the stack has.
    symbols: Vec<SymbolId>,
}

/// What a running child knows.
struct Session {
    process: Process,
    /// The logic it was started with includes floats.
    floats: bool,
    emitter: SmtEmitter,
    stack: Vec<Asserted>,
    questions: u64,
    /// The time limit it was told last.
    limit: Option<Duration>,
}

/// A solver process that keeps what consecutive questions have in common.
///
/// A question about another pool's terms, whose numbers mean other terms, starts another child.
pub struct SmtProcess {
    command: SmtCommand,
    session: Option<Session>,
    /// Floats were asked about once, so the next session includes them from the start.
    floats: bool,
    /// The pool whose terms the child knows.
    pool: Option<PoolId>,
}

impl Backend for SmtProcess {
    fn decide(
        &mut self,
        pool: &Pool,
        conjuncts: &[TermId],
        symbols: &[SymbolId],
        limits: &Limits,
    ) -> Verdict {
        match self.check_until(pool, conjuncts, limits) {
            Reply::Sat(assignment) => Verdict::Sat(
                symbols.iter().map(|&symbol| (symbol, assignment.get(symbol))).collect(),
            ),
            // Asking for a core would slow every question down; the whole is one.
            Reply::Unsat => Verdict::Unsat(conjuncts.to_vec()),
            Reply::Unknown(_) if limits.is_stopped() => Verdict::Unknown(Reason::Stopped),
            Reply::Unknown(why) => Verdict::Unknown(Reason::Process(why)),
        }
    }
}

impl SmtProcess {
    /// Starts the solver.
    ///
    /// # Errors
    ///
    /// When the program is not there or does not start. One that starts and misbehaves is found out
    /// by the first question.
    pub fn spawn(command: &SmtCommand) -> Result<SmtProcess, SmtError> {
        let session = Session::start(command, false)?;
        Ok(SmtProcess {
            command: command.clone(),
            session: Some(session),
            floats: false,
            pool: None,
        })
    }

    /// Can these Boolean terms hold together? Gives up after the limit.
    pub fn check(&mut self, pool: &Pool, conjuncts: &[TermId], limit: Duration) -> Reply {
        self.check_until(pool, conjuncts, &Limits { time: limit, ..Limits::default() })
    }

    fn check_until(&mut self, pool: &Pool, conjuncts: &[TermId], limits: &Limits) -> Reply {
        match self.try_check(pool, conjuncts, limits) {
            Ok(reply) => reply,
            Err(fault) => {
                self.session = None;
                Reply::Unknown(format!("`{}`: {fault}", self.command))
            }
        }
    }

    fn try_check(
        &mut self,
        pool: &Pool,
        conjuncts: &[TermId],
        limits: &Limits,
    ) -> Result<Reply, Fault> {
        let (limit, deadline) = (limits.time, limits.deadline());
        let deadline = deadline.unwrap_or(Instant::now() + Duration::from_secs(1 << 30));
        let until = Until { deadline, stop: limits.stop.clone() };
        let known = self.pool.replace(pool.id());
        if known.is_some_and(|known| known != pool.id()) {
            self.session = None;
        }
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.command, self.floats)?,
        };
        let mut text = session.change_to(pool, conjuncts);
        if session.emitter.uses_floats() && !session.floats {
            self.floats = true;
            session = Session::start(&self.command, true)?;
            text = session.change_to(pool, conjuncts);
        }
        if self.command.is_z3() && session.limit != Some(limit) {
            // We end it ourselves at the limit; this ends it should we be ended before.
            let backstop = limit.as_millis().saturating_add(1000).min(u128::from(u32::MAX));
            put(&mut text, format_args!("(set-option :timeout {backstop})\n"));
            session.limit = Some(limit);
        }
        let reply = session.ask(pool, text, conjuncts, &until)?;
        self.session = Some(session);
        Ok(reply)
    }
}

impl Session {
    fn start(command: &SmtCommand, floats: bool) -> Result<Session, SmtError> {
        Ok(Session {
            process: Process::start(command)?,
            floats,
            emitter: SmtEmitter::new(),
            stack: Vec::new(),
            questions: 0,
            limit: None,
        })
    }

    /// The text that changes what is asserted to these conjuncts, keeping the common beginning.
    fn change_to(&mut self, pool: &Pool, conjuncts: &[TermId]) -> String {
        let mut text = String::new();
        if self.questions == 0 {
            // The narrower logic lets solvers choose their bit-vector engine.
            let logic = if self.floats { "QF_BVFP" } else { "QF_BV" };
            text.push_str("(set-option :print-success false)\n");
            text.push_str("(set-option :global-declarations true)\n");
            text.push_str("(set-option :produce-models true)\n");
            put(&mut text, format_args!("(set-logic {logic})\n"));
        }
        let same = |(asserted, term): &(&Asserted, &TermId)| asserted.term == **term;
        let common = self.stack.iter().zip(conjuncts).take_while(same).count();
        if self.stack.len() > common {
            put(&mut text, format_args!("(pop {})\n", self.stack.len() - common));
            self.stack.truncate(common);
        }
        let mut known: FxHashSet<SymbolId> = self.symbols().collect();
        for &term in &conjuncts[common..] {
            let root = self.emitter.define(pool, term, &mut text);
            put(&mut text, format_args!("(push 1)\n(assert {})\n", root.name));
            for side in &root.sides {
                put(&mut text, format_args!("(assert {side})\n"));
            }
            let mut symbols: Vec<_> =
                PostOrder::new(pool, [term]).filter_map(|it| pool.as_symbol(it)).collect();
            symbols.retain(|&symbol| known.insert(symbol));
            self.stack.push(Asserted { term, symbols });
        }
        text
    }

    fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        self.stack.iter().flat_map(|asserted| asserted.symbols.iter().copied())
    }

    fn ask(
        &mut self,
        pool: &Pool,
        mut text: String,
        conjuncts: &[TermId],
        until: &Until,
    ) -> Result<Reply, Fault> {
        text.push_str("(check-sat)\n");
        match self.exchange(text, until)?.as_str() {
            "unsat" => Ok(Reply::Unsat),
            "unknown" => Ok(Reply::Unknown(String::from("the solver answered unknown"))),
            "sat" => {
                let assignment = self.assignment(pool, until)?;
                let mut evaluation = Evaluation::new(assignment.clone());
                if conjuncts.iter().all(|&term| evaluation.holds(pool, term)) {
                    Ok(Reply::Sat(assignment))
                } else {
                    Ok(Reply::Unknown(String::from("the solver's model does not satisfy")))
                }
            }
            other => Err(nonsense(other)),
        }
    }

    /// The values of the symbols that the asserted terms have.
    fn assignment(&mut self, pool: &Pool, until: &Until) -> Result<Assignment, Fault> {
        let symbols: Vec<_> = self.symbols().collect();
        if symbols.is_empty() {
            return Ok(Assignment::new());
        }
        let mut text = String::from("(get-value (");
        for &symbol in &symbols {
            put(&mut text, format_args!("{} ", smt_name(pool, symbol)));
        }
        text.push_str("))\n");
        let reply = self.exchange(text, until)?;
        let sorts: Vec<_> = symbols.iter().map(|&symbol| pool.symbol_sort(symbol)).collect();
        let values = reply::values(&reply, &sorts).ok_or_else(|| nonsense(&reply))?;
        Ok(symbols.into_iter().zip(values).collect())
    }

    /// Sends commands of which the last is answered; gives that answer, if it is the only one.
    fn exchange(&mut self, mut text: String, until: &Until) -> Result<String, Fault> {
        self.questions += 1;
        let mark = format!("dalang-{}", self.questions);
        put(&mut text, format_args!("(echo \"{mark}\")\n"));
        self.process.send(text)?;
        let reply = self.process.receive(until)?;
        if let Some(message) = reply::error(&reply) {
            return Err(Fault::Complaint(shorten(message)));
        }
        let echo = self.process.receive(until)?;
        if echo.trim_matches('"') == mark { Ok(reply) } else { Err(nonsense(&echo)) }
    }
}

fn nonsense(reply: &str) -> Fault {
    Fault::Nonsense(shorten(reply))
}

fn shorten(text: &str) -> String {
    const LENGTH: usize = 120;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Appends formatted text; a string takes all there is.
fn put(text: &mut String, more: std::fmt::Arguments<'_>) {
    let written = text.write_fmt(more);
    debug_assert!(written.is_ok());
}
