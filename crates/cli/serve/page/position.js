// Positions as text and as data; pits are numbered round the ring, South's row first, from 0.

export const SIDES = ['south', 'north'];
export const NAMES = { south: 'South', north: 'North' };
export const other = (side) => (side === 'south' ? 'north' : 'south');

/** Reads a position that the server has written. */
export function parse(text) {
  const [south, north, stores, toMove, owners] = text.split('/');
  const row = (list) => list.split(',').map(Number);
  const board = [...row(south), ...row(north)];
  const pits = board.length / 2;
  const own = owners ? [...owners].map((letter) => (letter === 's' ? 'south' : 'north')) : null;
  return {
    text,
    pits,
    board,
    stores: { south: row(stores)[0], north: row(stores)[1] },
    toMove: toMove === 'n' ? 'north' : 'south',
    owners: own,
  };
}

/** Writes a position. */
export function write({ pits, board, stores, toMove, owners }) {
  const parts = [board.slice(0, pits).join(','), board.slice(pits).join(','), `${stores.south},${stores.north}`, toMove[0]];
  if (owners) parts.push(owners.map((side) => side[0]).join(''));
  return parts.join('/');
}

/** The row of a ring pit. */
export const rowOf = (position, ring) => (ring < position.pits ? 'south' : 'north');
/** Who owns a ring pit. */
export const ownerOf = (position, ring) => position.owners?.[ring] ?? rowOf(position, ring);
/** A pit as a player counts it, from 1, as a ring pit. */
export const ringOf = (position, side, number) =>
  (number - 1 + (side === 'north' ? position.pits : 0)) % (2 * position.pits);
/** A ring pit as a player counts it, from 1. */
export const numberOf = (position, side, ring) =>
  ((ring + (side === 'north' ? position.pits : 0)) % (2 * position.pits)) + 1;
/** A place of the interface, `{row, pit}`, as a ring pit, or the name of a store. */
export const placeOf = (position, place) => (place.pit === undefined ? place.row : ringOf(position, place.row, place.pit));
/** Seeds on the board. */
export const inPlay = (position) => position.board.reduce((sum, seeds) => sum + seeds, 0);
/** What decides whether a position has come back. */
export const identity = (position) => `${position.board}/${position.toMove}`;
/** A number with its sign. */
export const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0');
