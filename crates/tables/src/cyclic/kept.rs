//! Kept steps: moves into the layer in work, found once and followed in every sweep.
//!
//! Finding the steps of a row takes as long as raising some hundred values. So they are kept, where there is room for them.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::moves::Step;
use crate::rows::runs::{Places, Runs, Then};

/// The steps of some rows that follow each other.
#[derive(Debug, Default)]
pub(super) struct Kept<'g> {
    /// For each row where its steps end, of either kind; they start where those of the row before end.
    ends: Vec<(usize, usize)>,
    /// Steps that raise many values, and where in `W` the line starts that they read.
    many: Vec<(&'g Runs, usize)>,
    /// Steps that raise the value of one rank, and where in `W` the one is that they read.
    one: Vec<(u32, usize)>,
}

impl<'g> Kept<'g> {
    /// Keeps the steps of the next row, which capture nothing. `None` if there are others among them.
    pub(super) fn keep(&mut self, steps: &[Step<'g>]) -> Option<()> {
        for step in steps {
            let at = step.at.filter(|_| step.gain == 0)?;
            match step.places {
                Places::Rows(runs) => self.many.push((runs, at)),
                Places::Row(rank) => self.one.push((rank, at)),
            }
        }
        self.ends.push((self.many.len(), self.one.len()));
        Some(())
    }

    /// Raises the values of lines that follow each other, the first of them that of the first row.
    pub(super) fn raise<'v>(&self, w: &[i8], lines: impl Iterator<Item = &'v mut [i8]>) {
        let (mut many, mut one) = (0, 0);
        for (values, &ends) in lines.zip(&self.ends) {
            for &(runs, at) in &self.many[std::mem::replace(&mut many, ends.0)..ends.0] {
                runs.raise(values, &w[at..][..runs.read()], 0, Then::Other);
            }
            for &(rank, at) in &self.one[std::mem::replace(&mut one, ends.1)..ends.1] {
                let value = &mut values[rank as usize];
                *value = (*value).max(-w[at]);
            }
        }
    }

    /// Bytes that it takes.
    fn bytes(&self) -> usize {
        size_of_val(&*self.ends) + size_of_val(&*self.many) + size_of_val(&*self.one)
    }
}

/// Room for kept steps, in bytes. Threads may take some at once.
#[derive(Debug)]
pub(super) struct Room(AtomicUsize);

impl Room {
    pub(super) fn new(bytes: usize) -> Self {
        Room(AtomicUsize::new(bytes))
    }

    /// Whether there is any.
    pub(super) fn is_left(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// The steps if there is room for them, as tight as they can be.
    pub(super) fn take<'g>(&self, mut kept: Kept<'g>) -> Option<Kept<'g>> {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(kept.bytes()));
        if taken.is_err() {
            self.0.store(0, Ordering::Relaxed);
            return None;
        }
        kept.ends.shrink_to_fit();
        kept.many.shrink_to_fit();
        kept.one.shrink_to_fit();
        Some(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_room_for_is_kept_and_raises_what_the_steps_do() {
        let runs = Runs::new(&[(0, 1), (2, 0)], (3, 2));
        let step = |places, at| Step { places, at, gain: 0, starves: false };
        let mut kept = Kept::default();
        assert!(kept.keep(&[step(Places::Rows(&runs), Some(1)), step(Places::Row(1), Some(0))]).is_some());
        assert!(kept.keep(&[]).is_some());
        assert!(kept.keep(&[step(Places::Row(0), Some(0))]).is_some());
        let mut values = [-9; 9];
        // The first line reads -(-5) and -(4) for ranks 2 and 0, and -(7) for rank 1.
        kept.raise(&[7, -5, 4], values.chunks_exact_mut(3));
        assert_eq!(values, [-4, -7, 5, -9, -9, -9, -7, -9, -9]);
        let bytes = kept.bytes();
        let room = Room::new(bytes + 1);
        let kept = room.take(kept).unwrap();
        assert!(room.is_left());
        assert!(room.take(kept).is_none());
        assert!(!room.is_left());
        // Captures and ends of the game belong to the base.
        assert!(Kept::default().keep(&[step(Places::Row(1), None)]).is_none());
        assert!(Kept::default().keep(&[Step { gain: 2, ..step(Places::Row(1), Some(0)) }]).is_none());
    }
}
