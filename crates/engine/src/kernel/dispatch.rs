//! Choosing the packed board that fits.

use super::Kernel;
use super::lanes::{Bytes16, Lanes, Wide};
use crate::position::Owners;
use crate::rules::RuleSet;

/// Something to be done with a kernel, whatever its board: a search, a table, a count.
pub trait Visitor {
    /// What it yields.
    type Output;
    /// Does it.
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output;
}

/// Compiles `rules` on the smallest packed board for `pits` pits a row and `max_seeds` seeds, and hands it to `visitor`. Every
/// board within the project's limits (18 pits a row, 1,023 seeds) fits one.
///
/// # Panics
/// If the board is beyond those limits.
pub fn dispatch<V: Visitor>(rules: &RuleSet, pits: usize, max_seeds: usize, owners: Owners, visitor: V) -> V::Output {
    if let Some(kernel) = Kernel::<Bytes16>::new(rules, pits, max_seeds, owners) {
        visitor.visit(kernel)
    } else if let Some(kernel) = Kernel::<Wide<u8, 32>>::new(rules, pits, max_seeds, owners) {
        visitor.visit(kernel)
    } else if let Some(kernel) = Kernel::<Wide<u16, 32>>::new(rules, pits, max_seeds, owners) {
        visitor.visit(kernel)
    } else {
        let kernel = Kernel::<Wide<u16, 48>>::new(rules, pits, max_seeds, owners);
        visitor.visit(kernel.expect("the limits of position.rs keep every board within 48 lanes of 16 bits"))
    }
}
