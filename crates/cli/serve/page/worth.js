// Values as they are shown on pits: a sign and a word besides the colour.

import { ringOf, signed } from './position.js';
import { count } from './dom.js';

const WORDS = { won: 'wins', lost: 'loses', drawn: 'draws' };
const SIGNS = { won: '▲', lost: '▼', drawn: '=' };

/** What is shown on a pit for the value of its move. */
export function worthOf(move) {
  const [low, high] = move.bounds;
  const exact = move.value !== null;
  const text = exact ? signed(move.value) : `${signed(low)}…${signed(high)}`;
  const word = move.outcome ? WORDS[move.outcome] : 'open';
  const sign = SIGNS[move.outcome] ?? '?';
  const said = `${exact ? `value ${move.value}` : `value between ${low} and ${high}`}, ${move.outcome ? WORDS[move.outcome] : 'not settled'}${move.best ? ', best' : ''}`;
  return { text, sign, word, said, kind: move.outcome ?? 'open', best: move.best };
}

/** The values of a position, by ring pit. */
export const worths = (position, values) =>
  new Map(values.moves.map((move) => [ringOf(position, position.toMove, move.pit), worthOf(move)]));

/** Where values come from and how sure they are, in a line. */
export function sourceOf(values) {
  if (values.source === 'rules') return '';
  if (values.source === 'table') return `Exact, from the table ${values.table}.`;
  const visited = values.nodes ? ` (${count(values.nodes)} positions)` : '';
  if (values.proven) return `Exact, by search${visited}.`;
  const why = { shared: 'others wanted to search too', time: 'its time was over', nodes: 'its positions were used up', memory: 'its memory was full' };
  return `Not all settled${visited}: ${why[values.stopped] ?? 'the search was stopped'}. What is shown is proven.`;
}

/** The move to play: of the best proven values the first. */
export function bestOf(values) {
  const better = (a, b) => b.bounds[0] - a.bounds[0] || b.bounds[1] - a.bounds[1] || a.pit - b.pit;
  const sure = values.moves.filter((move) => move.best);
  return [...(sure.length ? sure : values.moves)].sort(better)[0];
}
