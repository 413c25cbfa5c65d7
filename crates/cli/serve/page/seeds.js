// Seeds in a pit: a dozen that can be counted, a heap with its number beyond.

import { svg } from './dom.js';

/** The most seeds that are drawn one by one. */
export const COUNTABLE = 12;

const RINGS = [
  [],
  [[0, 0]],
  [[-11, 0], [11, 0]],
  [[0, -12], [-11, 8], [11, 8]],
  [[-11, -11], [11, -11], [-11, 11], [11, 11]],
  [[-14, -14], [14, -14], [0, 0], [-14, 14], [14, 14]],
];

/** Where to draw so many seeds, on a field of -50 to 50. */
function places(seeds) {
  if (seeds < RINGS.length) return RINGS[seeds];
  if (seeds <= 7) return [[0, 0], ...circle(seeds - 1, 22)];
  if (seeds <= 9) return [[0, 0], ...circle(seeds - 1, 25)];
  return [...circle(3, 11), ...circle(seeds - 3, 29)];
}

const circle = (seeds, radius) =>
  Array.from({ length: seeds }, (_, place) => {
    const angle = (2 * Math.PI * place) / seeds - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });

/** Draws a pit with its seeds. */
export function pit(seeds) {
  const hollow = [svg('circle', { class: 'hollow', r: 46 }), svg('circle', { class: 'shade', r: 40 })];
  return svg('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true', focusable: 'false' }, hollow, heap(seeds));
}

/** Draws seeds alone. */
function heap(seeds) {
  if (seeds <= COUNTABLE) return places(seeds).map(([x, y]) => svg('circle', { class: 'seed', cx: x.toFixed(1), cy: y.toFixed(1), r: 8.2 }));
  const pile = [...circle(12, 32), ...circle(8, 18), [0, 0]];
  return [
    ...pile.map(([x, y]) => svg('circle', { class: 'seed heap', cx: x.toFixed(1), cy: y.toFixed(1), r: 8.2 })),
    svg('circle', { class: 'plate', r: 21 }),
    Object.assign(svg('text', { class: 'many', y: 1 }), { textContent: seeds }),
  ];
}
