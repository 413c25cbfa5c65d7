//! Which questions settle a value.

/// Which question to ask next about a value that lies within bounds.
///
/// First whether the mover takes everything: any seed the opponent stores refutes it, so the tree is almost that of one player, and
/// in games with relays it is often so. Then whether the opponent does. After that the interval is halved.
pub(crate) struct Questions {
    asked: u32,
    step: i32,
    drawn: Option<i32>,
}

impl Questions {
    /// `step` is the distance of two values of the board; `drawn`, if only the outcome matters, the value at which the game is drawn.
    pub(crate) fn new(step: i32, drawn: Option<i32>) -> Self {
        Questions { asked: 0, step, drawn }
    }

    /// A `beta` with `low < beta <= high`, at a whole number of steps from both.
    pub(crate) fn next(&mut self, (low, high): (i32, i32)) -> i32 {
        self.asked += 1;
        let steps = (high - low) / self.step;
        if let Some(drawn) = self.drawn {
            // Better than a draw, then no worse than one.
            let wins = low + (drawn - low).div_euclid(self.step) * self.step + self.step;
            let beta = if wins <= high { wins } else { wins - self.step };
            return beta.clamp(low + self.step, high);
        }
        match self.asked {
            1 => high,
            2 => low + self.step,
            _ => low + (steps + 1) / 2 * self.step,
        }
    }
}
