// The view of claims: what is settled, by which evidence, under which readings.

import { ask, query } from './api.js';
import { $, el, table } from './dom.js';

const MARKS = { holds: '✓ holds', refuted: '✗ refuted', open: '? open' };
const status = (word) => el('span', { class: `mark ${word ?? 'none'}` }, MARKS[word] ?? 'not checked');

export class Claims {
  async open(params) {
    const root = $('claims');
    const id = params.get('claim');
    if (id) {
      const claim = await ask(`claims/${encodeURIComponent(id)}`);
      root.replaceChildren(...this.one(claim));
      return;
    }
    const { claims } = await ask('claims');
    root.replaceChildren(el('ul', { class: 'list' }, claims.map((claim) => el('li', { class: 'card' },
      el('a', { class: 'title', href: `/claims${query({ claim: claim.id })}` }, claim.title),
      el('p', {}, status(claim.status), ` ${[claim.game, claim.board].filter(Boolean).join(', ')}`,
        claim.certificates.length ? [' · ', claim.certificates.length === 1 ? 'proof: ' : 'proofs: ', ...proofs(claim)] : [])))));
  }

  one(claim) {
    const result = claim.result?.claims[0];
    const parts = [
      el('p', {}, el('a', { href: '/claims' }, 'All claims')),
      el('section', { class: 'card' }, el('h2', {}, claim.title), el('p', {}, status(claim.status), ' ', [claim.game, claim.board].filter(Boolean).join(', ')),
        ...claim.statement.split(/\n\s*\n/).map((paragraph) => el('p', {}, paragraph)),
        claim.certificates.length ? el('p', {}, 'Proofs of positions it speaks of, to walk through: ', ...proofs(claim)) : null,
        claim.sources.length ? el('details', {}, el('summary', {}, 'Sources'), el('ul', {}, claim.sources.map((source) => el('li', {}, source)))) : null,
        el('p', { class: 'note' }, 'To check it: ', el('code', {}, `lumbung claim check ${claim.id}`))),
    ];
    if (!result) {
      parts.push(el('p', { class: 'card' }, 'No result is recorded here.'));
      return parts;
    }
    for (const reading of result.readings) parts.push(this.reading(reading));
    return parts;
  }

  reading(reading) {
    const { game, readings, set } = reading.rules;
    const says = (one, finding) => {
      const from = one.board ? { board: one.board } : { position: one.position };
      const href = finding.line ? `/${query({ game, reading: readings.join(','), set, ...from, moves: finding.line })}` : null;
      return el('span', {}, finding.says ?? finding.kind, href ? [' — ', el('a', { href }, 'on the board')] : []);
    };
    const board = (one) => {
      const line = (finding) => el('li', {}, status(finding.status), ' ', says(one, finding));
      const found = one.found?.length ? [el('p', {}, 'Found beside it:'), el('ul', {}, one.found.map(line))] : [];
      return el('div', {}, el('h4', {}, one.board ?? one.position, ' ', status(one.status)), el('ul', {}, one.claimed.map(line)), found);
    };
    const title = reading.name === 'default' ? 'Under its own rules' : `Under ${reading.name}`;
    // Many boards of which one thing each is said are a table.
    const boards = reading.boards.length > 3 && reading.boards.every((one) => one.claimed.length === 1 && !one.found?.length)
      ? [table(title, ['board', 'result', 'found'], reading.boards.map((one) => [one.board ?? one.position, status(one.status), says(one, one.claimed[0])]))]
      : reading.boards.map(board);
    return el('section', { class: 'card' }, el('h3', {}, title, ' ', status(reading.status)), ...boards,
      el('p', { class: 'note' }, `Fingerprint of the rules: ${reading.rules.fingerprint.slice(0, 16)}…`));
  }
}

/** The proofs of a claim, each a link, with commas between. */
const proofs = (claim) =>
  claim.certificates.flatMap((certificate, place) => [place ? ', ' : '', el('a', { href: `/certificates${query({ certificate })}` }, certificate)]);
