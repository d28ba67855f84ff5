import { byId } from './forms/elements.js';

/** Shows only those things that contain all words of the search field of a page. Returns how to search anew. */
export function wireSearch<T extends HTMLElement>(
  all: readonly T[],
  textOf: (element: T) => string,
  noun: string,
  shown = (): void => {},
): void {
  const words = byId('words', HTMLInputElement);
  const search = (): void => {
    const terms = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const element of all) element.hidden = !terms.every((word) => textOf(element).includes(word));
    const left = all.filter(({ hidden }) => !hidden).length;
    byId('found', HTMLElement).textContent = terms.length === 0 ? '' : `${left} of ${all.length} ${noun}`;
    shown();
  };
  words.addEventListener('input', search);
  byId('search', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
  // A browser may have kept what was typed before.
  search();
}
