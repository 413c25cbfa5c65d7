//! Layers on their way into and out of a build.
//!
//! Builders work from no seeds upwards and never change a layer again once it is done. So a finished layer is lent to [`Layers`] while
//! the next one is worked out, on the same threads: encoding and writing overlap with computing. And a build that was cut short begins
//! with the layers that [`Layers`] can read.

use std::path::Path;

use thiserror::Error;

use crate::values::{Values, ValuesMut};

/// Where layers come from and where they go.
pub trait Layers: Sync {
    /// How many layers can be read, the lowest ones of those that are built.
    fn ready(&self) -> usize {
        0
    }

    /// Where a build may put finished layers aside that it has no memory for, if anywhere.
    fn aside(&self) -> Option<&Path> {
        None
    }

    /// Whether [`Layers::read`] gives all values of a layer, not only some of them.
    fn is_whole(&self) -> bool {
        true
    }

    /// Puts the values of a layer that is ready into their places, in the order of the [`Index`](crate::Index); says how many positions
    /// at the beginning of the layer are left out. Successors of those are never left out themselves.
    ///
    /// # Errors
    /// If it cannot be read; then the build stops, and whoever implements this knows why.
    fn read(&self, seeds: usize, values: ValuesMut) -> Result<usize, Halt> {
        let _ = (seeds, values);
        Err(Halt)
    }

    /// Whether [`Layers::finished`] is to be told of this layer.
    fn wants(&self, seeds: usize) -> bool;

    /// Takes a layer that has been worked out, its values in the order of the [`Index`](crate::Index). Layers come one after the other by
    /// rising seeds, each on some thread of the build while the layer above is being worked out.
    ///
    /// # Errors
    /// If it cannot be taken; then the build stops, and whoever implements this knows why.
    fn finished(&self, seeds: usize, values: Values) -> Result<(), Halt>;
}

/// The build is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Halt;

/// Has no layers and wants none: the table in memory is enough.
#[derive(Clone, Copy, Debug)]
pub struct OnlyInMemory;

impl Layers for OnlyInMemory {
    fn wants(&self, _: usize) -> bool {
        false
    }

    fn finished(&self, _: usize, _: Values) -> Result<(), Halt> {
        Ok(())
    }
}
