//! linking
