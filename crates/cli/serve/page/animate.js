// A move shown as it is sown: lap after lap, with pause, step and speed.

import { parse, placeOf } from './position.js';

/** Milliseconds for a seed and between laps. */
const SPEEDS = { slow: [420, 900], seeds: [150, 450], fast: [45, 160], laps: [0, 800], instant: [0, 0] };
/** Longer moves are cut short: nobody waits for a thousand laps. */
const MOST_LAPS = 200;

/** Lets a move go on, wait, take a step or end. */
export class Pace {
  constructor() {
    this.speed = 'seeds';
    this.paused = false;
    this.running = false;
    this.reset();
  }

  reset() {
    this.finishing = false;
    this.steps = 0;
    this.cancelled = false;
  }

  /** Whether seeds are worth showing one by one. */
  get quick() {
    return this.finishing || this.cancelled || this.speed === 'instant';
  }

  /** Whether each lap is worth a word. */
  get isSlow() {
    return this.paused || this.steps > 0 || this.speed === 'slow' || this.speed === 'laps';
  }

  wake() {
    this.waiting?.();
  }

  pause(paused) {
    this.paused = paused;
    this.wake();
  }

  step() {
    this.paused = true;
    this.steps += 1;
    this.wake();
  }

  finish() {
    this.finishing = true;
    this.wake();
  }

  cancel() {
    this.cancelled = true;
    this.wake();
  }

  sleep(time) {
    return new Promise((done) => {
      const timer = setTimeout(done, time);
      this.waiting = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  async rest(time) {
    if (!this.quick && time > 0) await this.sleep(time);
  }

  /** Before a lap: waits while it is paused, unless a step was asked for. */
  async lap() {
    while (this.paused && this.steps === 0 && !this.quick) await this.sleep(60_000);
    if (this.steps > 0) this.steps -= 1;
  }
}

/** Shows a move on a board; `before` is the position it was made in, and `onLap` is told of each lap as it begins. */
export async function animate(board, before, move, rules, pace, territory, onLap = () => {}) {
  pace.reset();
  if (pace.speed === 'instant' || move.pit === null || move.endless) return;
  pace.running = true;
  const now = { ...before, board: [...before.board], stores: { ...before.stores } };
  const show = (marks) => board.show(now, { marks, territory });
  for (const [place, lap] of move.laps.slice(0, MOST_LAPS).entries()) {
    await pace.lap();
    if (pace.quick) break;
    onLap(lap, place + 1);
    const [eachSeed, eachLap] = SPEEDS[pace.speed];
    const from = placeOf(before, lap.from);
    let at = from;
    let hand = lap.lifted;
    now.board[from] = 0;
    board.hand(hand);
    show({ lifted: from });
    await pace.rest(eachLap / 2);
    if (eachSeed > 0) {
      if (rules.origin === 'first') {
        now.board[from] += 1;
        hand -= 1;
      }
      while (hand > 0 && !pace.quick) {
        at = next(now, move.side, at, rules.sown);
        if (at === from && rules.origin === 'skipped') continue;
        if (at === move.side) now.stores[at] += 1;
        else now.board[at] += 1;
        hand -= 1;
        board.hand(hand || '');
        show({ lifted: from, dropped: at });
        await pace.rest(eachSeed);
      }
    }
    // What the referee says is what counts.
    const after = parse(lap.position);
    now.board = after.board;
    now.stores = after.stores;
    board.hand('');
    show({ lifted: from, dropped: placeOf(before, lap.last) });
    await pace.rest(eachLap / 2);
  }
  if (move.capture && !pace.quick) {
    show({ taken: move.capture.taken.map((one) => placeOf(before, one)) });
    await pace.rest(SPEEDS[pace.speed][1]);
  }
  board.hand('');
  pace.running = false;
}

/** The slot after a ring pit or a store, on a player's circuit. */
function next(position, side, at, sown) {
  const { pits } = position;
  if (at === 'south') return pits;
  if (at === 'north') return 0;
  const place = (at + 1) % (2 * pits);
  const afterStore = side === 'south' ? pits : 0;
  return sown && place === afterStore ? side : place;
}
