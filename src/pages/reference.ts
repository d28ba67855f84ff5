import { byId } from './forms/elements.js';
import { homeOf } from './home.js';

/** The script of the reference page: its search and its copy buttons. */

const words = byId('words', HTMLInputElement);
const found = byId('found', HTMLElement);
const operations = [...document.querySelectorAll<HTMLDetailsElement>('.operation')];
const sections = [...document.querySelectorAll<HTMLElement>('[data-section]')];

function search(): void {
  const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const operation of operations) {
    const has = operation.dataset['words'] ?? '';
    operation.hidden = !asked.every((word) => has.includes(word));
  }
  for (const section of sections) section.hidden = section.querySelector('.operation:not([hidden])') === null;
  const left = operations.filter(({ hidden }) => !hidden).length;
  found.textContent = asked.length === 0 ? '' : `${left} of ${operations.length} operations`;
}

function openNamed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(named instanceof HTMLDetailsElement)) return;
  named.open = true;
  named.scrollIntoView();
}

words.addEventListener('input', search);
byId('search', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
window.addEventListener('hashchange', openNamed);

// The commands call the server that shows the page. A page that is opened as a file has none.
const shownCommands = location.protocol === 'file:' ? [] : document.querySelectorAll<HTMLElement>('.command');
for (const command of shownCommands) {
  command.textContent = command.textContent.replace(/'http:\/\/127\.0\.0\.1:4010/, `'${homeOf()}`);
}

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  const label = button.textContent;
  const say = (said: string) => (): void => {
    button.textContent = said;
  };
  button.addEventListener('click', () => {
    const command = button.parentElement?.querySelector('.command')?.textContent ?? '';
    navigator.clipboard.writeText(command).then(say('Copied'), say('Select the text to copy it'));
  });
  button.addEventListener('blur', say(label));
}

search();
openNamed();
