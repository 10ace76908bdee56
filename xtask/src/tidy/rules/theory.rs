//! What a file of rewrite rules declares: rows of its tables, and functions with their docs.
//!
//! Test modules are left out: their rules are examples.

use crate::tidy::tree::File;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprArray, ExprLit, ExprStruct, FnArg, ItemFn, ItemMod, Lit, Member, Meta,
};
use syn::{PathArguments, ReturnType, Signature, Type};

/// One file of rules.
pub(super) struct Theory<'t> {
    pub(super) file: &'t File,
    pub(super) rows: Vec<Row>,
    pub(super) functions: Vec<Function>,
    tables: usize,
    table: Option<usize>,
}

/// One `Rule { name, apply }`.
pub(super) struct Row {
    pub(super) line: usize,
    /// The number, within the file, of the table the row is in; none for a rule on its own.
    pub(super) table: Option<usize>,
    /// None when it is not a string literal.
    pub(super) name: Option<String>,
    /// The segments of the path; none when it is not a path.
    pub(super) apply: Option<Vec<String>>,
}

/// One function, whether it is a rule or not.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) line: usize,
    /// The lines of its documentation, trimmed.
    pub(super) docs: Vec<String>,
    /// Could it stand in a table?
    pub(super) rule_shaped: bool,
}

impl<'t> Theory<'t> {
    /// None when the file does not parse: that is a finding of the check of imports.
    pub(super) fn read(file: &'t File) -> Option<Theory<'t>> {
        let syntax = syn::parse_file(&file.text).ok()?;
        let mut theory =
            Theory { file, rows: Vec::new(), functions: Vec::new(), tables: 0, table: None };
        theory.visit_file(&syntax);
        Some(theory)
    }
}

impl<'ast> Visit<'ast> for Theory<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !module.attrs.iter().any(is_cfg_test) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.functions.push(Function {
            name: function.sig.ident.to_string(),
            line: function.sig.ident.span().start().line,
            docs: function.attrs.iter().flat_map(doc_lines).collect(),
            rule_shaped: is_rule_shaped(&function.sig),
        });
        visit::visit_item_fn(self, function);
    }

    fn visit_expr_array(&mut self, table: &'ast ExprArray) {
        let outer = self.table.replace(self.tables);
        self.tables += 1;
        visit::visit_expr_array(self, table);
        self.table = outer;
    }

    fn visit_expr_struct(&mut self, row: &'ast ExprStruct) {
        if row.path.segments.last().is_some_and(|segment| segment.ident == "Rule") {
            self.rows.push(Row {
                line: row.path.span().start().line,
                table: self.table,
                name: field(row, "name").and_then(string),
                apply: field(row, "apply").and_then(path),
            });
        }
        visit::visit_expr_struct(self, row);
    }
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    let condition = attribute.parse_args::<syn::Ident>();
    attribute.path().is_ident("cfg") && condition.is_ok_and(|condition| condition == "test")
}

fn doc_lines(attribute: &Attribute) -> Vec<String> {
    let text = match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => string(&pair.value),
        _ => None,
    };
    text.unwrap_or_default().lines().map(|line| line.trim().to_owned()).collect()
}

fn field<'e>(row: &'e ExprStruct, name: &str) -> Option<&'e Expr> {
    let named = |member: &Member| matches!(member, Member::Named(ident) if ident == name);
    row.fields.iter().find(|field| named(&field.member)).map(|field| &field.expr)
}

fn string(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

fn path(value: &Expr) -> Option<Vec<String>> {
    match value {
        Expr::Path(value) => {
            Some(value.path.segments.iter().map(|segment| segment.ident.to_string()).collect())
        }
        _ => None,
    }
}

/// `fn(&mut Pool, Node) -> Option<TermId>`, whatever the parameters are called.
fn is_rule_shaped(signature: &Signature) -> bool {
    let types: Vec<&Type> = signature.inputs.iter().filter_map(typed).collect();
    let [pool, node] = types.as_slice() else {
        return false;
    };
    let ReturnType::Type(_, result) = &signature.output else {
        return false;
    };
    let is_pool = matches!(pool, Type::Reference(to) if to.mutability.is_some()
        && last_name(&to.elem).is_some_and(|name| name == "Pool"));
    is_pool && last_name(node).is_some_and(|name| name == "Node") && is_optional_term(result)
}

fn typed(argument: &FnArg) -> Option<&Type> {
    match argument {
        FnArg::Typed(argument) => Some(&argument.ty),
        FnArg::Receiver(_) => None,
    }
}

fn last_name(named: &Type) -> Option<&syn::Ident> {
    match named {
        Type::Path(named) => named.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

fn is_optional_term(result: &Type) -> bool {
    let Type::Path(result) = result else {
        return false;
    };
    let Some(option) = result.path.segments.last() else {
        return false;
    };
    let PathArguments::AngleBracketed(arguments) = &option.arguments else {
        return false;
    };
    let is_term = matches!(arguments.args.first(), Some(syn::GenericArgument::Type(term))
        if last_name(term).is_some_and(|name| name == "TermId"));
    option.ident == "Option" && is_term
}
