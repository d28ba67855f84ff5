// The script of each page: the search, which loads its sections from another script, and the list of pages.
import MiniSearch from 'minisearch';

const RESULTS_MAX = 12;
const EXCERPT_LENGTH = 180;
const BEFORE_WORD = 50;

const home = new URL('..', document.currentScript.src);
const form = document.getElementById('manual-search');
const words = document.getElementById('manual-words');
const found = document.getElementById('manual-found');
const status = found.querySelector('[role=status]');
const list = found.querySelector('ol');

let loading;
/** The index, which the first search builds. */
function loadIndex() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL('assets/sections.js', home);
    script.addEventListener('load', () => resolve(indexOf(globalThis.manualSections)));
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  return loading;
}

function indexOf(sections) {
  const index = new MiniSearch({
    fields: ['title', 'heading', 'text'],
    storeFields: ['to', 'title', 'heading', 'text'],
    searchOptions: {
      boost: { title: 3, heading: 4 },
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return index;
}

async function search() {
  const asked = words.value.trim();
  const index = await loadIndex();
  // The user may have typed more while the index loaded.
  if (asked !== words.value.trim()) return;
  const results = index.search(asked);
  found.hidden = asked === '';
  list.replaceChildren(...results.slice(0, RESULTS_MAX).map(resultItem));
  status.textContent =
    results.length === 0
      ? `No results for “${asked}”.`
      : `${results.length} ${results.length === 1 ? 'result' : 'results'}`;
}

function resultItem({ to, title, heading, text, terms }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(to, home);
  link.append(
    element('strong', title),
    heading && ` › ${heading}`,
    element('span', ...excerptOf(text, terms)),
  );
  item.append(link);
  return item;
}

/** The text around the first match, with all matches marked. */
function excerptOf(text, terms) {
  const word = new RegExp(`(${terms.map(escaped).join('|')})`, 'i');
  const start = text.lastIndexOf(' ', Math.max(0, text.search(word) - BEFORE_WORD)) + 1;
  const excerpt = text.slice(start, start + EXCERPT_LENGTH);
  const parts = excerpt.split(new RegExp(word, 'gi'));
  return [
    start > 0 ? '…' : '',
    ...parts.map((part, at) => (at % 2 === 1 ? element('mark', part) : part)),
    '…',
  ];
}

function escaped(term) {
  return term.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/** Arrows move through the results, Escape closes them. */
function moveByKey(event) {
  const stops = [words, ...list.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') close();
  if (step === undefined) return;
  event.preventDefault();
  stops[stops.indexOf(document.activeElement) + step]?.focus();
}

function close() {
  found.hidden = true;
  words.value = '';
  words.focus();
}

words.addEventListener('input', () => void search());
form.addEventListener('keydown', moveByKey);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
// The link may lead to the same page.
list.addEventListener('click', () => {
  found.hidden = true;
});
const pages = document.getElementById('pages');
pages?.addEventListener('click', (event) => {
  if (event.target.closest('a')) pages.hidePopover();
});
// In wide windows the list of pages scrolls separately: show the current page.
const shown = pages?.querySelector('[aria-current]');
if (shown) pages.scrollTop = Math.max(0, shown.offsetTop - pages.clientHeight / 2);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea, select')) return;
  event.preventDefault();
  words.focus();
});
