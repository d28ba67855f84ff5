import { sandboxHome } from './home.js';
import { wireSearch } from './search.js';

/** The script of the reference page: its search, its parts, which are loaded when they are opened, and its copy buttons. */

const operations = [...document.querySelectorAll<HTMLDetailsElement>('.operation')];
const sections = [...document.querySelectorAll<HTMLElement>('[data-section]')];

function openNamedPart(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(named instanceof HTMLDetailsElement)) return;
  named.open = true;
  named.scrollIntoView();
}

/** Takes the place of the link in a part. It is parsed as a document, which runs no scripts. */
function loadPart(part: HTMLDetailsElement): void {
  const link = part.querySelector<HTMLAnchorElement>('a.part');
  if (link === null) return;
  const request = new XMLHttpRequest();
  request.responseType = 'document';
  request.addEventListener('load', () => {
    const content = request.responseXML?.querySelector('.about');
    if (content && request.status === 200) link.parentElement?.replaceWith(document.adoptNode(content));
    wireCommands(part);
  });
  request.open('GET', link.href);
  request.send();
}

/** Commands call the server that shows the page. A page that is opened as a file has none. */
function wireCommands(place: ParentNode): void {
  for (const command of place.querySelectorAll<HTMLElement>('.command')) {
    if (location.protocol !== 'file:')
      command.textContent = command.textContent.replace(/'http:\/\/127\.0\.0\.1:4010/, `'${sandboxHome()}`);
    const button = command.parentElement?.querySelector('.copy');
    const show = (text: string) => (): void => void (button && (button.textContent = text));
    button?.addEventListener('click', () => {
      navigator.clipboard
        .writeText(command.textContent)
        .then(show('Copied'), show('Select the text to copy it'));
    });
    button?.addEventListener('blur', show('Copy as curl'));
  }
}

wireCommands(document);
if (document.getElementById('words') !== null) {
  wireSearch(
    operations,
    (element) => element.dataset['words'] ?? '',
    'operations',
    () => {
      for (const section of sections)
        section.hidden = section.querySelector('.operation:not([hidden])') === null;
    },
  );
  // The event does not bubble.
  const opened = (event: Event): void => loadPart(event.target as HTMLDetailsElement);
  document.addEventListener('toggle', opened, { capture: true });
  window.addEventListener('hashchange', openNamedPart);
  openNamedPart();
}
