// A game as it is played on the page: where it began, what was played, and how far it was taken back.

import { identity, parse } from './position.js';

export class Game {
  /** Begins at the answer of the server for a start, whose moves are taken as played. */
  constructor(answer) {
    this.start = answer.start;
    this.nodes = [{ position: parse(answer.start), side: null, pit: null, again: false }];
    for (const step of answer.steps) this.nodes.push({ ...step, position: parse(step.position) });
    this.at = this.nodes.length - 1;
    this.answers = new Map();
    this.keep(answer);
  }

  get node() {
    return this.nodes[this.at];
  }

  get position() {
    return this.node.position;
  }

  /** What the server said of the position that is shown. */
  get answer() {
    return this.answers.get(this.node);
  }

  keep(answer) {
    // A game that is over is shown settled.
    this.node.position = parse(answer.position);
    this.answers.set(this.node, answer);
  }

  /** Adds a move; what had been taken back is gone. */
  add(step, answer) {
    this.nodes.splice(this.at + 1);
    this.nodes.push({ side: step.side, pit: step.pit, again: step.next === 'bonus', move: step, position: parse(answer.position) });
    this.at += 1;
    const before = this.nodes.slice(0, this.at).map((node) => identity(node.position));
    answer.recurred = !answer.over && before.includes(identity(this.position));
    this.keep(answer);
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at + 1 < this.nodes.length;
  }

  /** The moves up to what is shown, turn by turn. */
  get turns() {
    const turns = [];
    let open = false;
    for (const node of this.nodes.slice(1, this.at + 1)) {
      if (!open) turns.push({ side: node.side, pits: [] });
      if (node.pit !== null) turns.at(-1).pits.push(node.pit);
      open = node.again;
    }
    return turns;
  }

  /** The moves as text: `7 / 3`. */
  get moves() {
    return this.turns.map((turn) => (turn.pits.length ? turn.pits.join(' ') : '-')).join(' / ');
  }
}

/** What names rules in an address: a game, or the fingerprint of rules of their own. */
export const idOf = (rules) => rules.game ?? rules.fingerprint.slice(0, 12);
/** What uses rules of their own. */
export const usersOf = ({ tables = [], certificates = [] }) =>
  [...tables.map((id) => `the table ${id}`), ...certificates.map((id) => `the proof ${id}`)].join(', ') || 'a table or a proof';
/** A game as people call it. */
export const titleOf = (game) => (game.rules.game === null ? `${game.name} as in ${[...(game.tables ?? []), ...(game.certificates ?? [])][0] ?? idOf(game.rules)}` : game.name);
