//! From a position to a session: the board that fits, the tables that fit, and threads with stacks deep enough.

use lumbung_engine::kernel::{Bytes16, Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::Cycle;
use lumbung_engine::{Position, RuleSet};

use crate::checkpoint::Checkpoint;
use crate::limits::Progress;
use crate::session::{Session, SessionError};
use crate::solve::{Options, SolveError};
use crate::transposition::{Compact, Transpositions, Whole};

/// Something to be done in a session, whatever the board and the tables.
pub(crate) trait Work: Send {
    type Output: Send;
    fn run<B: Lanes, T: Transpositions<B>>(self, session: &mut Session<'_, B, T>) -> Self::Output;
}

/// Sets up a session for a position and does the work in it.
pub(crate) fn in_session<W: Work>(
    rules: &RuleSet,
    position: &Position,
    options: &Options,
    progress: &dyn Progress,
    work: W,
) -> Result<W::Output, SolveError> {
    if rules.end.cycle == Cycle::RowOwner {
        return Err(SolveError::RowOwnerCycle);
    }
    if options.tables.is_some() && !position.owners.are_rows() {
        return Err(SolveError::TableOwners(position.owners));
    }
    let seeds = position.seeds_in_play();
    let dispatched = OnDeepStack { rules, position, options, progress, work };
    dispatch(rules, position.pits(), seeds, position.owners, dispatched)
}

/// Stack of a searching thread. A line of play can be many thousands of moves long (it is given up before it takes half of this);
/// untouched stack costs nothing.
pub(crate) const STACK_BYTES: usize = 1 << 30;

struct OnDeepStack<'a, W> {
    rules: &'a RuleSet,
    position: &'a Position,
    options: &'a Options,
    progress: &'a dyn Progress,
    work: W,
}

impl<W: Work> Visitor for OnDeepStack<'_, W> {
    type Output = Result<W::Output, SolveError>;

    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Self::Output {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(rayon::current_num_threads())
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|error| SolveError::Threads(error.to_string()))?;
        let OnDeepStack { rules, position, options, progress, work } = self;
        let checkpoint = || options.checkpoint.as_ref().map(|path| Checkpoint::new(path, rules, position));
        let limits = &options.limits;
        let compact = |bytes| {
            let (pits, seeds) = (kernel.pits(), kernel.max_seeds());
            Compact::for_boards(pits, seeds, kernel.is_symmetric(), kernel.value_parity(), bytes)
        };
        std::thread::scope(|scope| {
            let on_deep_stack = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
                // Wider boards have so many positions that their numbers leave no room in a word.
                if B::STRIDE == Bytes16::STRIDE
                    && let Some(session) = Session::new(rules, &kernel, compact, limits, progress, &pool)
                {
                    return start(session, options, checkpoint(), work);
                }
                let whole = |bytes| Some(Whole::<B>::new(bytes));
                let session = Session::new(rules, &kernel, whole, limits, progress, &pool);
                start(session.expect("a table of whole boards can have any size"), options, checkpoint(), work)
            });
            match on_deep_stack.map_err(|error| SolveError::Threads(error.to_string()))?.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}

fn start<'a, B: Lanes, T: Transpositions<B>, W: Work>(
    mut session: Session<'a, B, T>,
    options: &Options,
    checkpoint: Option<Checkpoint<'a>>,
    work: W,
) -> Result<W::Output, SolveError> {
    session.ordering = options.ordering;
    let most = session.kernel.max_seeds();
    let fixed = options.table_seeds.filter(|_| options.tables.is_none()).map(|seeds| seeds.min(most));
    let kept = checkpoint.map_or(Ok(()), |checkpoint| session.keep(checkpoint, fixed));
    let begun = kept.and_then(|()| match (&options.tables, options.table_seeds) {
        (Some(path), fixed) => session.load_table(path, fixed.map(|seeds| seeds.min(most))),
        (None, Some(seeds)) => session.fix_table(seeds.min(most)),
        (None, None) => Ok(()),
    });
    let begun = begun.and_then(|()| session.build_earlier_table());
    match (begun, options.table_seeds.unwrap_or(most)) {
        // A limit that was reached before the search began stops it as well.
        (Ok(()) | Err(SessionError::Stopped(_)), _) => Ok(work.run(&mut session)),
        (Err(SessionError::File(error)), _) => Err(error.into()),
        (Err(SessionError::Checkpoint(error)), _) => Err(error.into()),
        (Err(SessionError::Memory { needed, allowed, fits }), seeds) => {
            Err(SolveError::TableMemory { seeds, needed, allowed, fits })
        }
        (Err(SessionError::Owners), _) => Err(SolveError::TableOwners(session.kernel.owners())),
        (Err(SessionError::Table(error)), seeds) => Err(SolveError::Table { seeds, error }),
    }
}
