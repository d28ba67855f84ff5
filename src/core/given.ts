import { findNearest } from './text/nearest.js';
import { quoteText } from './text/text.js';

/** Refuses an option that is not among the known ones: a typo would silently leave the default. */
export function refuseUnknownNames(owner: string, options: object, known: object): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const all = Object.keys(known);
  const [meant] = findNearest(unknown, all, 1);
  const hint = meant === undefined ? `Known: ${all.join(', ')}.` : `Did you mean ${meant}?`;
  throw new TypeError(`${owner} has no option ${quoteText(unknown)}. ${hint}`);
}

export function dropNulls<F extends object>(fields: F): { [K in keyof F]?: NonNullable<F[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof F]?: NonNullable<F[K]> };
}
