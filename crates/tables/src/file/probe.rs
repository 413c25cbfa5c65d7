//! Looking up single boards in a table on disk.
//!
//! **Why half of the positions are enough.** Under rules that cannot repeat a position the compact encoding stores one only if the player
//! to move has at least as many seeds in her row as the other. Let her have fewer, and sown stores. A move that leaves her own row passes her store and drops a
//! seed there, and captured seeds go there too; such a move leads to a layer with fewer seeds. Any other move leaves both rows with
//! the seeds they had, stores nothing and earns no bonus; then the other player is to move and has the fuller row, which is stored.
//! So is the board after a pass. Hence the value follows from those of the successors, and the recursion ends, for it either
//! reaches a stored value or goes down a layer. On average two or three stored values answer a look-up.

use lumbung_engine::kernel::{Kernel, Lanes, Seat};

use super::directory::Directory;
use super::error::FileError;
use super::evaluate::evaluate;

/// Looks up boards in a table; any number of threads may share it.
///
/// The layers are mapped into memory. Another program that writes into their files or shortens them meanwhile makes the behaviour
/// undefined; see [`Directory`].
#[derive(Debug)]
pub struct Probe<'d, B> {
    directory: &'d Directory,
    kernel: Kernel<B>,
}

impl<'d, B: Lanes> Probe<'d, B> {
    /// A probe of a table; `None` if its boards do not fit into `B` (see [`lumbung_engine::kernel::dispatch`]).
    pub fn new(directory: &'d Directory) -> Option<Self> {
        let pits = directory.manifest().pits;
        let kernel = Kernel::new(directory.rules(), pits, directory.index().max_seeds(), directory.manifest().owners())?;
        Some(Probe { directory, kernel })
    }

    /// The kernel of the table's rules.
    pub fn kernel(&self) -> &Kernel<B> {
        &self.kernel
    }

    /// What the player on `seat` gains over the other from `board` on, where she is to move.
    ///
    /// # Errors
    /// If the board has more seeds than the table, or what would have to be read is damaged.
    pub fn value(&self, board: &B, seat: Seat) -> Result<i32, FileError> {
        match self.stored(board, seat)? {
            Some(value) => Ok(value),
            None => evaluate(&self.kernel, board, seat, |board, seat| self.value(board, seat)),
        }
    }

    /// The value of a board if it is stored.
    pub(super) fn stored(&self, board: &B, seat: Seat) -> Result<Option<i32>, FileError> {
        let seeds = board.seeds() as usize;
        let layer = self.directory.layer(seeds)?;
        let index = self.directory.index();
        let place = index.place(board, seat) - index.layer_start(seeds);
        layer.value(place as usize)
    }
}
