//! A certificate as a strategy that a person can play: numbered boards, what to play there, and where each reply leads.
//!
//! Not a part of the checker: it takes a certificate at its word, so check it first.

use std::collections::{HashMap, VecDeque};

use lumbung_engine::referee::{Next, State};
use lumbung_engine::{Pit, Position, Referee, Side};

use crate::entry::{Bound, Entry, Key};
use crate::error::CertificateError;
use crate::header::Claim;
use crate::read::Certificate;

/// A board at which somebody decides something.
#[derive(Clone, Debug)]
pub struct Board {
    /// The position, with the stores of the first way there.
    pub position: Position,
    /// What is known of it.
    pub bound: Bound,
    /// The most moves that can follow, this one included, before a seed leaves the board; `None` where nothing needs to.
    pub within: Option<u32>,
    /// The prover's one way to go on, or all replies of the other.
    pub ways: Vec<Way>,
}

/// A turn of the prover, or a reply.
#[derive(Clone, Debug)]
pub struct Way {
    /// The moves; none for a turn that passes.
    pub moves: Vec<Pit>,
    /// Where they lead.
    pub to: To,
}

/// Where moves lead.
#[derive(Clone, Copy, Debug)]
pub enum To {
    /// To a board, by its number in the strategy, from 0.
    Board(usize),
    /// To the end of the game, with this final margin of South's if the stores are those shown.
    Over(i32),
    /// To a position with so few seeds that the bound can no longer be missed.
    Trivial(usize),
    /// To a position whose bound is that of an endgame table.
    Table(Bound),
}

/// The strategy that a claim rests on.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// What is known of the start: the first board, or what settles the claim without any.
    pub start: To,
    /// The boards in the order in which they are first reached.
    pub boards: Vec<Board>,
}

/// The strategy that a claim rests on.
///
/// # Errors
/// If the certificate cannot be read, or does not hold together.
pub fn strategy(certificate: &Certificate, claim: &Claim) -> Result<Strategy, CertificateError> {
    let mut teller =
        Teller { certificate, referee: Referee::new(certificate.rules()), numbers: HashMap::new(), open: VecDeque::new() };
    let mut boards: Vec<Board> = Vec::new();
    let start = teller.to(&claim.start, claim.needed())?;
    while let Some(position) = teller.open.pop_front() {
        let bound = if position.to_move == claim.player { Bound::AtLeast(0) } else { Bound::AtMost(0) };
        boards.push(teller.board(position, bound)?);
    }
    Ok(Strategy { start, boards })
}

impl Certificate {
    /// All entries, in the order of the file, in memory.
    ///
    /// # Errors
    /// If a block cannot be read.
    pub fn read_all(&self) -> Result<Vec<Entry>, CertificateError> {
        let mut entries = Vec::new();
        for block in 0..self.blocks().len() {
            let records = self.records(block)?;
            entries.extend(records.chunks_exact(self.layout.record()).filter_map(|record| self.layout.decode(record)));
        }
        Ok(entries)
    }
}

struct Teller<'c> {
    certificate: &'c Certificate,
    referee: Referee<'c>,
    /// The boards met, by pits and player to move.
    numbers: HashMap<(Vec<u16>, Side), usize>,
    open: VecDeque<Position>,
}

impl Teller<'_> {
    fn gap(&self, position: &Position) -> CertificateError {
        CertificateError::damaged(self.certificate.path(), format!("it says nothing about {position}"))
    }

    fn to(&mut self, position: &Position, needed: Bound) -> Result<To, CertificateError> {
        if let State::Over(over) = self.referee.state(position) {
            return Ok(To::Over(over.last.margin()));
        }
        if needed.is_trivial(position.seeds_in_play()) {
            return Ok(To::Trivial(position.seeds_in_play()));
        }
        if let Some(bound) = self.of_table(position, needed)? {
            return Ok(To::Table(bound));
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry((position.board.clone(), position.to_move)).or_insert(next);
        if number == next {
            self.open.push_back(position.clone());
        }
        Ok(To::Board(number))
    }

    /// The bound that an endgame table has for a position, if the certificate says no more of it.
    fn of_table(&self, position: &Position, needed: Bound) -> Result<Option<Bound>, CertificateError> {
        let entry = self.certificate.find(&Key::new(position, needed))?;
        Ok(entry.filter(|entry| entry.from_table).map(|entry| entry.bound()))
    }

    fn board(&mut self, position: Position, kind: Bound) -> Result<Board, CertificateError> {
        let entry = self.certificate.find(&Key::new(&position, kind))?.ok_or_else(|| self.gap(&position))?;
        let bound = entry.bound();
        let within = (self.certificate.rules().can_repeat() && bound.for_prover() > 0).then(|| entry.counter.saturating_add(1));
        let ways = match self.referee.state(&position) {
            State::Over(_) => Vec::new(),
            State::Pass => {
                let to = self.to(&self.referee.pass(&position), bound.after(0, false))?;
                vec![Way { moves: Vec::new(), to }]
            }
            State::ToMove(_) if matches!(bound, Bound::AtLeast(_)) => vec![self.turn(position.clone(), bound)?],
            State::ToMove(pits) => {
                let mut ways = Vec::new();
                for pit in pits {
                    let (to, _) = self.step(&position, pit, bound)?;
                    let to = match to {
                        Ok(to) => to,
                        Err((after, needed)) => self.to(&after, needed)?,
                    };
                    ways.push(Way { moves: vec![pit], to });
                }
                ways
            }
        };
        Ok(Board { position, bound, within, ways })
    }

    /// The moves of the prover up to the end of her turn.
    fn turn(&mut self, mut position: Position, mut bound: Bound) -> Result<Way, CertificateError> {
        let mut moves = Vec::new();
        loop {
            let entry = self.certificate.find(&Key::new(&position, bound))?.ok_or_else(|| self.gap(&position))?;
            let pit = entry.pit.ok_or_else(|| self.gap(&position))?;
            moves.push(pit);
            let (to, again) = self.step(&position, pit, entry.bound())?;
            let (after, needed) = match to {
                Ok(to) => return Ok(Way { moves, to }),
                Err(next) => next,
            };
            let over = matches!(self.referee.state(&after), State::Over(_) | State::Pass);
            let known = needed.is_trivial(after.seeds_in_play()) || self.of_table(&after, needed)?.is_some();
            if !again || over || known {
                return Ok(Way { moves, to: self.to(&after, needed)? });
            }
            (position, bound) = (after, needed);
        }
    }

    /// A move: the end it leads to, or else the position after it and what is needed there; and whether the same player moves again.
    #[allow(clippy::type_complexity, reason = "both callers take it apart at once; a name for it would say less")]
    fn step(
        &self,
        position: &Position,
        pit: Pit,
        bound: Bound,
    ) -> Result<(Result<To, (Position, Bound)>, bool), CertificateError> {
        let played = self.referee.play(position, pit).map_err(|_| self.gap(position))?;
        let margin = played.after.margin() - position.margin();
        let gain = if position.to_move == Side::South { margin } else { -margin };
        let again = played.next == Next::Bonus;
        Ok(match played.next {
            Next::Over(over) => (Ok(To::Over(over.last.margin())), false),
            _ => (Err((played.after, bound.after(gain, again))), again),
        })
    }
}
