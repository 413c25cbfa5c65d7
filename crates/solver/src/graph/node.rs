//! Positions of a graph, and their numbers.

use lumbung_engine::kernel::{Children, Kernel, Lanes, Seat, Status, Then};
use lumbung_engine::position::MAX_PITS;
use lumbung_engine::rules::Stores;
use lumbung_engine::{Pit, Position, RuleSet, Side};
use lumbung_tables::Index;

use super::Counting;

/// A position of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node<B> {
    /// The pits, seen by the player to choose.
    pub(super) board: B,
    pub(super) seat: Seat,
    /// Under [`Counting::Irving`] the player to choose, and both players' stores; elsewhere South's and nothing.
    side: Side,
    stores: [u16; 2],
}

/// What a position calls for; values are those of the player to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    Over(i32),
    Pass,
    Move,
}

/// A move or a pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<B> {
    /// Where it leads; nowhere if it ends the game.
    pub(super) to: Option<Node<B>>,
    /// What it gains the player who chooses.
    pub(super) gain: i32,
    /// She chooses again.
    pub(super) again: bool,
    /// The pit; none for a pass.
    pub(super) pit: Option<Pit>,
}

/// The last board of a walk over places, which tells those near it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<B>(Option<(usize, u64, B)>);

impl<B> Default for Cursor<B> {
    fn default() -> Self {
        Cursor(None)
    }
}

/// So many steps from one board to the next take less time than to find a board by its number.
const STEPS: u64 = 8;

/// The laps of the moves of a position.
pub(super) struct Laps {
    /// Of each pit; 0 where it may not be lifted or its laps never end.
    pub(super) of: [u64; 2 * MAX_PITS],
    /// Pits whose laps never end, if the game is not over, or over only because there is no legal move.
    pub(super) endless: u64,
}

/// A game, and what a position of it is.
pub(super) struct World<'k, B> {
    pub(super) kernel: &'k Kernel<B>,
    index: Index,
    counting: Counting,
    /// Positions that share a board.
    kinds: u64,
    /// Seeds in all, stores included.
    total: u16,
    bonus: bool,
}

impl<'k, B: Lanes> World<'k, B> {
    /// `None` if the positions cannot be numbered in 64 bits.
    pub(super) fn new(rules: &RuleSet, kernel: &'k Kernel<B>, start: &Position, counting: Counting) -> Option<Self> {
        let seeds = start.seeds_in_play();
        let total = start.stores.iter().sum::<u16>() + seeds as u16;
        let index = Index::new(kernel.pits(), seeds)?;
        let kinds = match counting {
            Counting::Ours => Index::seats_of(kernel.owners()),
            Counting::Irving => 2 * (u64::from(total) + 1),
        };
        index.total().checked_mul(kinds)?;
        Some(World { kernel, index, counting, kinds, total, bonus: matches!(rules.stores, Stores::Sown { bonus: Some(_) }) })
    }

    /// Positions that could have so many seeds in play, whether they can arise or not.
    pub(super) fn places(&self, seeds: usize) -> u64 {
        self.index.layer_len(seeds) * self.kinds
    }

    pub(super) fn start(&self, position: &Position) -> Node<B> {
        let board = self.kernel.pack(position);
        let seat = self.kernel.seat(position.to_move);
        match self.counting {
            Counting::Ours => Node { board, seat, side: Side::South, stores: [0, 0] },
            Counting::Irving => Node { board, seat, side: position.to_move, stores: position.stores },
        }
    }

    /// The number of a position among the [`World::places`] of its layer.
    #[inline(always)]
    pub(super) fn place(&self, node: &Node<B>) -> u64 {
        let kind = match self.counting {
            Counting::Ours => node.seat.index() as u64,
            Counting::Irving => u64::from(node.stores[0]) * 2 + node.side.index() as u64,
        };
        (self.index.rank(&node.board) - self.index.layer_start(node.board.seeds() as usize)) * self.kinds + kind
    }

    /// The position with so many seeds in play that has a number.
    pub(super) fn node(&self, seeds: usize, place: u64) -> Node<B> {
        self.next(&mut Cursor::default(), seeds, place)
    }

    /// As [`World::node`], on a walk over places.
    pub(super) fn next(&self, cursor: &mut Cursor<B>, seeds: usize, place: u64) -> Node<B> {
        let (number, kind) = (place / self.kinds, place % self.kinds);
        let board = match cursor.0 {
            Some((of, at, mut board)) if of == seeds && at <= number && number - at <= STEPS => {
                for _ in at..number {
                    self.index.advance(&mut board);
                }
                board
            }
            _ => self.index.unrank(self.index.layer_start(seeds) + number),
        };
        cursor.0 = Some((seeds, number, board));
        let side = if kind & 1 == 0 { Side::South } else { Side::North };
        match self.counting {
            Counting::Ours => Node { board, seat: self.kernel.seat(side), side: Side::South, stores: [0, 0] },
            Counting::Irving => {
                let south = (kind / 2) as u16;
                let north = self.total - seeds as u16 - south;
                Node { board, seat: Seat::FIRST, side, stores: [south, north] }
            }
        }
    }

    /// What the position calls for. Fills `edges` with what may follow: nothing if the game is over.
    pub(super) fn follow(&self, node: &Node<B>, children: &mut Children<B>, edges: &mut Vec<Edge<B>>) -> Calls {
        edges.clear();
        if let Some(outcome) = self.majority(node) {
            return Calls::Over(outcome);
        }
        match self.kernel.status(&node.board, node.seat, children) {
            Status::Over(value) => Calls::Over(self.worth(node, value)),
            Status::Pass => {
                let to = Node { board: node.board.swap(), seat: self.kernel.other(node.seat), side: node.side.other(), ..*node };
                edges.push(Edge { to: Some(self.without_names(to)), gain: 0, again: false, pit: None });
                Calls::Pass
            }
            Status::ToMove => {
                for child in children.iter() {
                    let again = child.then != Then::Other;
                    let mut to = Node { board: child.board, ..*node };
                    if !again {
                        (to.seat, to.side) = (self.kernel.other(node.seat), node.side.other());
                    }
                    let (leads, gain) = match self.counting {
                        // Nobody has a move on a board without seeds, and there is nothing to settle.
                        Counting::Ours => (child.then != Then::Over && child.board != B::EMPTY, child.gain),
                        Counting::Irving => {
                            // Whatever leaves the board goes to the mover; a game that is over is not swept.
                            to.stores[node.side.index()] += (node.board.seeds() - child.board.seeds()) as u16;
                            (true, 0)
                        }
                    };
                    edges.push(Edge { to: leads.then(|| self.without_names(to)), gain, again, pit: Some(child.pit) });
                }
                Calls::Move
            }
        }
    }

    /// The most moves of a position.
    pub(super) fn most_moves(&self) -> u64 {
        let pits = self.kernel.pits() as u64;
        if self.kernel.owners().are_rows() { pits } else { 2 * pits }
    }

    /// Whether a turn can have several moves.
    pub(super) fn has_bonus_moves(&self) -> bool {
        self.bonus
    }

    /// The laps of all pits that may be lifted.
    pub(super) fn laps(&self, node: &Node<B>, calls: Calls) -> Laps {
        let mut laps = Laps { of: [0; 2 * MAX_PITS], endless: 0 };
        let Node { board, seat, .. } = node;
        // A game that is over for lack of a legal move may be so because all moves are endless.
        let asked = match calls {
            Calls::Over(_) => self.kernel.can_be_endless() && !self.kernel.has_ended(board, *seat),
            Calls::Pass | Calls::Move => true,
        };
        if asked {
            for pit in self.kernel.liftable(board, *seat) {
                match self.kernel.laps(board, pit) {
                    Some(count) => laps.of[usize::from(pit.0)] = count,
                    None => laps.endless += 1,
                }
            }
        }
        laps
    }

    /// Whether the values of the position at a place are told with the other sign: South's are told where a position names the
    /// players.
    pub(super) fn is_told_reversed(&self, place: u64) -> bool {
        self.counting == Counting::Irving && place % 2 == Side::North.index() as u64
    }

    fn without_names(&self, node: Node<B>) -> Node<B> {
        match self.counting {
            Counting::Ours => Node { side: Side::South, ..node },
            Counting::Irving => node,
        }
    }

    /// Under [`Counting::Irving`]: the outcome for the player to choose, if a store holds more than half of all seeds.
    fn majority(&self, node: &Node<B>) -> Option<i32> {
        let own = node.side.index();
        match self.counting {
            Counting::Irving if 2 * node.stores[own] > self.total => Some(1),
            Counting::Irving if 2 * node.stores[1 - own] > self.total => Some(-1),
            _ => None,
        }
    }

    /// What a settlement is worth to the player to choose.
    fn worth(&self, node: &Node<B>, settlement: i32) -> i32 {
        match self.counting {
            Counting::Ours => settlement,
            Counting::Irving => {
                let own = node.side.index();
                (i32::from(node.stores[own]) - i32::from(node.stores[1 - own]) + settlement).signum()
            }
        }
    }
}
