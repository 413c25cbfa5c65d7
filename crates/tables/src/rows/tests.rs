use super::*;
use lumbung_engine::Owners;
use lumbung_engine::kernel::{Kernel, Lanes, Visitor, dispatch};
use lumbung_engine::rules::preset;

struct Plain(usize);
impl Visitor for Plain {
    type Output = Table;
    fn visit<B: Lanes>(self, kernel: Kernel<B>) -> Table {
        crate::plain::build(&kernel, self.0, &AtomicBool::new(false)).unwrap()
    }
}

pub(super) fn same_as_plain(rules: &RuleSet, pits: usize, seeds: usize) {
    let stop = AtomicBool::new(false);
    let options = Options { threads: 1, memory: None, stop: &stop, progress: &|_| {} };
    let fast = build(rules, pits, seeds, options).unwrap();
    let plain = dispatch(rules, pits, seeds, Owners::rows(pits), Plain(seeds));
    for s in 0..=seeds {
        if let Some(at) = fast.layer(s).iter().zip(plain.layer(s)).position(|(a, b)| a != b) {
            let board: lumbung_engine::kernel::Wide<u8, 32> = plain.index().unrank(plain.index().layer_start(s) + at as u64);
            panic!(
                "{pits} pits, {s} seeds: {} by rows, {} by moves: {board:?}\n{rules:?}",
                fast.layer(s)[at],
                plain.layer(s)[at]
            );
        }
    }
}

#[test]
fn kalah_is_the_same_as_plain() {
    let rules = &preset("kalah").unwrap().rules;
    for (pits, seeds) in [(1, 12), (2, 12), (3, 10), (6, 8)] {
        same_as_plain(rules, pits, seeds);
    }
}
