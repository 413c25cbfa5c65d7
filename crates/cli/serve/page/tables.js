// The view of endgame tables: layers, counts, histograms, extreme positions, look-ups.

import { ask, query } from './api.js';
import { $, count, counted, el, svg, table } from './dom.js';
import { idOf } from './game.js';
import { signed } from './position.js';
import { sourceOf, worthOf } from './worth.js';

/** A link to a position on the board. */
const onBoard = (about, position, text = position) =>
  el('a', { href: `/${query({ game: idOf(about.rules), reading: about.rules.readings.join(','), position, values: 1 })}` }, text);

export class Tables {
  async open(params) {
    const { tables } = await ask('tables');
    const root = $('tables');
    if (!tables.length) {
      root.replaceChildren(el('p', { class: 'card' }, 'There are no tables here. Build one, and start the server with it: ',
        el('code', {}, 'lumbung table build kalah --pits 6 --seeds 14 --out k14'), ', then ', el('code', {}, 'lumbung serve --tables k14'), '.'));
      return;
    }
    const about = params.has('table') ? tables.find((one) => one.id === params.get('table')) : tables[0];
    if (!about) throw new Error(`There is no table ${params.get('table')} here; the tables are ${tables.map((one) => one.id).join(', ')}.`);
    const rows = tables.map((one) => [
      el('a', { href: `/tables${query({ table: one.id })}`, 'aria-current': one === about ? 'true' : undefined }, one.id),
      [one.game, ...one.rules.readings, ...(one.rules.game === null ? ['rules of its own'] : [])].join(', '), `${one.pits}`, `${one.seeds}`, count(one.positions), `${count(Math.ceil(one.bytes / 1000))} kB`, one.complete ? one.encoding : `${one.encoding}, unfinished`]);
    const { layers } = await ask(`tables/${encodeURIComponent(about.id)}`);
    const chosen = params.has('seeds') ? layers.find((layer) => String(layer.seeds) === params.get('seeds')) : layers.at(-1);
    if (!chosen) throw new Error(`The table ${about.id} has no layer of ${params.get('seeds')} seeds; it has those of ${layers[0].seeds} to ${layers.at(-1).seeds}.`);
    root.replaceChildren(
      el('section', { class: 'card' }, table('Tables', ['table', 'game', 'pits', 'seeds', 'positions', 'size', 'encoding'], rows)),
      el('section', { class: 'card', 'aria-labelledby': 'layers-title' }, el('h2', { id: 'layers-title' }, `Layers of ${about.id}`), shares(layers), this.layers(about, layers, chosen)),
      this.layer(about, chosen),
      this.lookUp(about, params.get('position')));
  }

  layers(about, layers, chosen) {
    return table('Layers, values of the player to move', ['seeds', 'positions', 'won', 'drawn', 'lost', 'mean', 'lowest', 'highest'], layers.map((layer) => [
      el('a', { href: `/tables${query({ table: about.id, seeds: layer.seeds })}`, 'aria-current': layer === chosen ? 'true' : undefined }, String(layer.seeds)),
      count(layer.positions), count(layer.win), count(layer.draw), count(layer.loss), layer.mean.toFixed(2),
      onBoard(about, layer.min_position, signed(layer.min)), onBoard(about, layer.max_position, signed(layer.max))]));
  }

  layer(about, layer) {
    const values = Object.entries(layer.histogram).map(([value, positions]) => [Number(value), positions]).sort((a, b) => a[0] - b[0]);
    return el('section', { class: 'card', 'aria-labelledby': 'layer-title' },
      el('h2', { id: 'layer-title' }, `${counted(layer.seeds, 'seed')} in play`),
      histogram(values),
      el('p', {}, `Lowest ${signed(layer.min)}: `, onBoard(about, layer.min_position), `. Highest ${signed(layer.max)}: `, onBoard(about, layer.max_position), '.'),
      el('details', {}, el('summary', {}, 'Every value'), table('How often each value occurs', ['value', 'positions'], values.map(([value, positions]) => [signed(value), count(positions)]))));
  }

  lookUp(about, position) {
    const input = el('input', { name: 'position', id: 'look-up', value: position ?? '', spellcheck: 'false', autocomplete: 'off', placeholder: Array(2).fill(Array(about.pits).fill(0).join(',')).join('/'), required: true });
    const found = el('div', { id: 'found', 'aria-live': 'polite' });
    const look = async () => {
      found.replaceChildren();
      try {
        const values = await ask(`tables/${encodeURIComponent(about.id)}/value`, { position: input.value.trim() });
        const side = values.position.split('/')[3] === 'n' ? 'North' : 'South';
        const moves = values.moves.map((move) => {
          const worth = worthOf(move);
          return [String(move.pit), worth.text, `${worth.sign} ${worth.word}`, signed(move.gain), [move.best ? 'best' : '', move.again ? 'moves again' : ''].filter(Boolean).join(', ')];
        });
        found.replaceChildren(
          el('p', {}, el('b', {}, `${side} gains ${signed(values.value)} from here on. `), sourceOf(values), ' ', onBoard(about, values.position, 'On the board')),
          moves.length ? table('Every move', ['pit', 'value', 'result', 'gain at once', 'remark'], moves) : el('p', {}, values.state === 'over' ? 'The game is over.' : 'The turn passes.'));
      } catch (error) {
        found.replaceChildren(el('p', { class: 'refused' }, error.message));
      }
    };
    const form = el('form', { class: 'bar', on: { submit: (event) => {
      event.preventDefault();
      look();
    } } }, el('label', { class: 'long' }, 'Position ', input), el('button', { type: 'submit' }, 'Look up'));
    if (position) look();
    return el('section', { class: 'card', 'aria-labelledby': 'look-up-title' }, el('h2', { id: 'look-up-title' }, 'Look a position up'), form, found);
  }
}

/** How much of each layer is won, drawn and lost. */
function shares(layers) {
  const width = 640;
  const height = 120;
  const step = width / layers.length;
  const bars = layers.flatMap((layer, place) => {
    let top = 0;
    return [['win', layer.win], ['draw', layer.draw], ['loss', layer.loss]].map(([kind, positions]) => {
      const part = (height * positions) / layer.positions;
      const bar = svg('rect', { class: kind, x: (place * step + 1).toFixed(2), y: top.toFixed(2), width: Math.max(1, step - 2).toFixed(2), height: part.toFixed(2) });
      top += part;
      return bar;
    });
  });
  const every = Math.ceil(layers.length / 16);
  const labels = layers.filter((_, place) => place % every === 0).map((layer, place) =>
    Object.assign(svg('text', { x: (place * every * step + step / 2).toFixed(2), y: height + 20 }), { textContent: layer.seeds }));
  return el('figure', {},
    svg('svg', { viewBox: `0 0 ${width} ${height + 26}`, class: 'plot', role: 'img', 'aria-label': 'The share of won, drawn and lost positions in each layer; the table below has the numbers' }, bars, labels),
    el('figcaption', {}, 'By seeds in play: ', el('span', { class: 'key win' }, 'won'), ' ', el('span', { class: 'key draw' }, 'drawn'), ' ', el('span', { class: 'key loss' }, 'lost'), ' for the player to move'));
}

/** How often each value occurs. */
function histogram(values) {
  const width = 640;
  const height = 180;
  const low = values[0][0];
  const high = values.at(-1)[0];
  const step = width / (high - low + 1);
  const most = Math.max(...values.map(([, positions]) => positions));
  const bars = values.map(([value, positions]) => {
    const tall = Math.max(1, (height * positions) / most);
    const kind = value > 0 ? 'win' : value < 0 ? 'loss' : 'draw';
    const bar = svg('rect', { class: kind, x: ((value - low) * step + 0.5).toFixed(2), y: (height - tall).toFixed(2), width: Math.max(1, step - 1).toFixed(2), height: tall.toFixed(2) });
    bar.append(Object.assign(svg('title'), { textContent: `${signed(value)}: ${count(positions)}` }));
    return bar;
  });
  const every = Math.max(1, Math.ceil((high - low + 1) / 16));
  const labels = values.filter(([value]) => value % every === 0).map(([value]) =>
    Object.assign(svg('text', { x: ((value - low) * step + step / 2).toFixed(2), y: height + 20 }), { textContent: signed(value) }));
  return el('figure', {}, svg('svg', { viewBox: `0 0 ${width} ${height + 26}`, class: 'plot', role: 'img', 'aria-label': `Positions by value, from ${low} to ${high}; the list below has the numbers` }, bars, labels),
    el('figcaption', {}, `Positions by value; the tallest bar is ${count(most)}`));
}
