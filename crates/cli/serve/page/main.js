// The page: one address, one view.

import { $, problem } from './dom.js';
import { wasAborted } from './api.js';
import { Certificates } from './certificates.js';
import { Claims } from './claims.js';
import { Play } from './play.js';
import { Tables } from './tables.js';

const VIEWS = { '/': 'play', '/tables': 'tables', '/claims': 'claims', '/certificates': 'certificates' };
const TITLES = { play: 'Play', tables: 'Tables', claims: 'Claims', certificates: 'Proofs' };
const views = { play: new Play(), tables: new Tables(), claims: new Claims(), certificates: new Certificates() };

/** Shows what the address names. */
async function show() {
  const name = VIEWS[location.pathname] ?? 'play';
  problem();
  views.play.stop();
  views.certificates.leave();
  for (const one of Object.keys(views)) $(`view-${one}`).hidden = one !== name;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = `${TITLES[name]} · Lumbung`;
  document.body.dataset.ready = '';
  try {
    await views[name].open(new URLSearchParams(location.search));
  } catch (error) {
    if (!wasAborted(error)) {
      // What can be shown is, below the reason.
      await views[name].open(new URLSearchParams(), false).catch(() => {});
      problem(error.message);
    }
  }
  document.body.dataset.ready = name;
}

// Links within the page load nothing anew.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const address = new URL(link.href);
  if (address.origin !== location.origin || !(address.pathname in VIEWS) || address.hash) return;
  event.preventDefault();
  history.pushState(null, '', address);
  show().then(() => $('main').focus({ preventScroll: true }));
  scrollTo(0, 0);
});
addEventListener('popstate', show);
show();
