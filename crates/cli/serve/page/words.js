// What happened, in words.

import { NAMES, inPlay, other } from './position.js';
import { counted } from './dom.js';

const KINDS = {
  opposite: 'capture opposite',
  sandwich: 'capture between two equal pits',
  count: 'capture by count',
  'beyond-gap': 'capture beyond the gap',
};

const listed = (parts) => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`);
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const pitOf = (place, side, own) => (place.row === side ? `pit ${place.pit}` : own ? `pit ${place.pit} of ${NAMES[place.row]}'s row` : `${NAMES[place.row]}'s pit ${place.pit}`);

/** A capture: `nembak: takes 8 from North's pit 1`. */
export function captured(capture, side, territory) {
  const taken = capture.taken.map((one) => `${one.seeds} from ${pitOf(one, side, territory)}`);
  return `${capture.word ?? KINDS[capture.kind]}: takes ${listed(taken)}`;
}

/** A lap: `Lap 2: 8 from North's pit 1`. */
export const lapped = (lap, number, side, territory) => `Lap ${number}: ${counted(lap.lifted, 'seed')} from ${pitOf(lap.from, side, territory)}.`;

/** A move with all it forced. */
export function moved(move, territory) {
  const name = NAMES[move.side];
  if (move.pit === null) return `${name} passes.`;
  if (move.endless) return `${name} plays pit ${move.pit}: its laps go on for ever, so nothing moves.`;
  const parts = [`${name} plays pit ${move.pit}, ${counted(move.lap_count, 'lap')}.`];
  if (move.capture) parts.push(`${capital(captured(move.capture, move.side, territory))}.`);
  if (move.next === 'bonus') parts.push(`Bonus move: ${name} moves again.`);
  return parts.join(' ');
}

/** How a game ended, and with what result. */
export function ended(answer, position, territory) {
  const { south, north } = position.stores;
  const gift = answer.gift ? ` ${NAMES[answer.gift.from]} gives ${counted(answer.gift.seeds, 'seed')} to ${NAMES[other(answer.gift.from)]}.` : '';
  const left = inPlay(position) ? ` ${counted(inPlay(position), 'seed')} stay on the board, for nobody.` : '';
  const result = south === north ? `A draw, ${south} to ${north}.` : south > north ? `South wins by ${south - north}, ${south} to ${north}.` : `North wins by ${north - south}, ${north} to ${south}.`;
  return `The ${territory ? 'round' : 'game'} is over: ${answer.reason}.${gift}${left} ${result}`;
}

/** Who is to do what. */
export function calls(answer, position, territory) {
  const name = NAMES[position.toMove];
  if (answer.over) return ended(answer, position, territory);
  if (answer.must_pass) return `${name} has no move and must pass.`;
  const back = answer.recurred ? ' This position has come back; play that goes on for ever gains nothing.' : '';
  return `${name} to move.${back}`;
}
