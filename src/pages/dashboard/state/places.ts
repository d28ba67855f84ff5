/** How far the page was scrolled at each entry of the browser's history, in pixels, by the number of the entry. */
const places = new Map<number, number>();
let entry = 0;
let entries = 0;

/** Remembers how far the page is scrolled. The browser would scroll back before the list is there. */
export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  findPlace();
  addEventListener('scroll', () => places.set(entry, scrollY), { passive: true });
}

/** How far to scroll at the entry of the history that is shown now: 0 for a new one. */
export function findPlace(): number {
  const known: unknown = history.state;
  entry = typeof known === 'number' ? known : ++entries;
  history.replaceState(entry, '');
  return places.get(entry) ?? 0;
}
