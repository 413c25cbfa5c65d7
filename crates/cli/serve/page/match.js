// A match over rounds: those that were played, and how the one that is played began.

import { NAMES, other, ownerOf, parse, write } from './position.js';
import { counted } from './dom.js';

export class Match {
  constructor() {
    /** The position from which the first round began; unknown as long as no game has. */
    this.start = null;
    /** The moves of the rounds before, each with the sons that its winner chose. */
    this.rounds = [];
    /** Sons that were chosen for this round, as they are written before its moves. */
    this.sons = '';
    this.debt = null;
  }

  /** Takes up a match at the round that was played last, or at the one that follows it: its start and its moves. */
  open(answer, text, owes) {
    if (text.trim().endsWith(';') && answer.next.length === 1) {
      this.start = answer.start;
      this.next(answer.match.moves, answer.next[0], answer.match.rounds.at(-1), owes);
      return { position: answer.next[0].position };
    }
    const pieces = answer.match.moves.split(';').map((piece) => piece.trim());
    const last = answer.match.rounds.length - 1;
    const round = answer.match.rounds[last];
    const [, sons, moves] = /^(\[[^\]]*\]\s*)?(.*)$/.exec(pieces[last]);
    this.start = answer.start;
    this.rounds = pieces.slice(0, last);
    this.sons = sons ?? '';
    this.debt = round.debt;
    const first = parse(answer.start);
    const owners = [...round.owners].map((letter) => (letter === 's' ? 'south' : 'north'));
    // A round begins with all pits full again.
    return { position: last === 0 ? answer.start : write({ ...first, toMove: round.starter, owners }), moves };
  }

  /** Goes on to the next round. */
  next(played, next, ended, owes) {
    this.rounds = played.split(';').map((piece) => piece.trim());
    this.sons = next.sons;
    const lent = ended.refill?.lent ?? 0;
    const winner = parse(next.position).toMove;
    this.debt = owes && lent > 0 ? { debtor: other(winner), seeds: lent } : null;
  }

  /** The moves of all rounds as text. */
  moves(round) {
    return [...this.rounds, `${this.sons}${round}`.trim()].join(' ; ');
  }

  /** Which round it is, and who owns what. */
  says(position) {
    const owned = (side) => position.board.filter((_, ring) => ownerOf(position, ring) === side).length;
    const debt = this.debt ? ` ${NAMES[this.debt.debtor]} owes ${counted(this.debt.seeds, 'seed')}.` : '';
    return `Round ${this.rounds.length + 1}: South owns ${counted(owned('south'), 'pit')}, North ${owned('north')}.${debt}`;
  }
}
