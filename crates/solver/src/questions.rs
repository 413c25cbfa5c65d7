//! Which questions settle a value.

use lumbung_engine::kernel::{Kernel, Lanes};

/// Questions with steps of the same length. The one dear question is that which is refuted, just above the value; a step too long asks for
/// another refutation, which spares the first one little (Kalah 6x4 with an 18-seed table: 42.9 million positions with 4, 33.1 with 8).
const SAME_STEPS: i32 = 8;

/// Which question to ask next about a value that lies within bounds.
///
/// In games with relays, first whether the mover takes everything: any seed the opponent stores refutes it, so the tree is almost
/// that of one player, and it is often so. Then whether the opponent does. After that the interval is halved.
///
/// In Kalah and its like both sides store, and most values are near to nothing. The first question is whether the mover does no worse
/// than her opponent; from there the bound is moved in small steps, because what is true by much is proven quickly and
/// what is false by much is refuted quickly.
pub(crate) struct Questions {
    course: Course,
    step: i32,
    in_steps: bool,
    drawn: Option<i32>,
}

/// How far questions have come: with the bounds of the value it says what is asked next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Course {
    /// Questions about the margin so far.
    pub(crate) asked: u16,
    /// The first question was answered with yes, so the bound rises.
    pub(crate) rises: bool,
}

impl Questions {
    /// Questions about a board of `kernel`; `drawn`, if only the outcome matters, is the value at which the game is drawn.
    pub(crate) fn new<B: Lanes>(kernel: &Kernel<B>, drawn: Option<i32>) -> Self {
        let in_steps = !kernel.relays() && !kernel.can_repeat();
        Questions { course: Course::default(), step: kernel.value_step(), in_steps, drawn }
    }

    /// The same, after some were asked.
    pub(crate) fn after(self, course: Course) -> Self {
        Questions { course, ..self }
    }

    /// How far they have come.
    pub(crate) fn course(&self) -> Course {
        self.course
    }

    /// A `beta` with `low < beta <= high`, at a whole number of steps from both.
    pub(crate) fn next(&mut self, (low, high): (i32, i32)) -> i32 {
        if let Some(drawn) = self.drawn {
            // Better than a draw, then no worse than one.
            let wins = low + (drawn - low).div_euclid(self.step) * self.step + self.step;
            let beta = if wins <= high { wins } else { wins - self.step };
            return beta.clamp(low + self.step, high);
        }
        let steps = (high - low) / self.step;
        let course = &mut self.course;
        course.asked = course.asked.saturating_add(1);
        let asked = i32::from(course.asked);
        let middle = low + (steps + 1) / 2 * self.step;
        if self.in_steps {
            // A value far from nothing is not worth a hundred questions: steps grow after a while, up to half of what is left.
            let steps = (1 << ((asked - 2) / SAME_STEPS).clamp(0, 16)) * self.step;
            return match asked {
                1 => middle,
                _ => {
                    course.rises |= asked == 2 && low >= 0;
                    if course.rises { (low + steps).min(middle) } else { (high - steps + self.step).max(middle) }
                }
            };
        }
        match asked {
            1 => high,
            2 => low + self.step,
            _ => middle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_found_in_few_questions_that_make_sense() {
        for in_steps in [false, true] {
            for (step, seeds) in [(1, 7), (2, 7), (2, 48), (2, 96)] {
                for value in (-seeds..=seeds).step_by(step as usize) {
                    let mut questions = Questions { course: Course::default(), step, in_steps, drawn: None };
                    let (mut low, mut high) = (-seeds, seeds);
                    while low < high {
                        let beta = questions.next((low, high));
                        assert!(low < beta && beta <= high && (beta - low) % step == 0, "{low} {beta} {high}");
                        if value >= beta { low = beta } else { high = beta - step }
                    }
                    assert_eq!(low, value);
                    assert!(questions.course.asked <= 26, "{} questions for {value} of {seeds}", questions.course.asked);
                }
            }
        }
    }
}
