import { plainLine } from '../../core/text.js';
import { maskPans } from '../../core/card.js';
import { type Difference, Said } from './diff.js';

/** Differences of one answer that are shown, characters of a value, and members that are gone before they share a line. */
const DIFFERENCES_MAX = 20;
const VALUE_LENGTH_MAX = 100;
const GONE_MAX = 3;
/** How much of what two texts begin with alike is shown. */
const ALIKE_LENGTH = 20;

/** The differences of one answer, a line each: what became another thing, what is new, then what is gone. */
export function shownDifferences(differences: readonly Difference[]): string[] {
  const changed: string[] = [];
  const added: string[] = [];
  const gone: Difference[] = [];
  const empty: string[] = [];
  for (const difference of differences) {
    const { place, recorded, replayed } = difference;
    if (replayed === undefined) gone.push(difference);
    // An error has members for all that may be said; those that say nothing are no news each.
    else if (recorded === undefined && replayed === null) empty.push(place);
    else (recorded === undefined ? added : changed).push(lineOf(difference));
  }
  if (empty.length > 0) added.push(`absent → null: ${cut(empty.join(', '))}`);
  const goneLines =
    gone.length > GONE_MAX ? [`gone: ${cut(gone.map(({ place }) => place).join(', '))}`] : gone.map(lineOf);
  const lines = [...changed, ...added, ...goneLines].map(plainLine);
  const more = lines.length - DIFFERENCES_MAX;
  return more > 0 ? [...lines.slice(0, DIFFERENCES_MAX), `and ${more} more`] : lines;
}

function lineOf({ place, recorded, replayed }: Difference): string {
  const [one, other] = withoutBeginning(textOf(recorded), textOf(replayed));
  return `${place}: ${cut(one)} → ${cut(other)}`;
}

function textOf(value: unknown): string {
  if (value === undefined) return 'absent';
  return maskPans(value instanceof Said ? value.text : JSON.stringify(value));
}

/** Two texts of which one is long, from a little before where they differ. */
function withoutBeginning(one: string, other: string): [string, string] {
  if (Math.max(one.length, other.length) <= VALUE_LENGTH_MAX) return [one, other];
  let alike = 0;
  while (alike < one.length && one[alike] === other[alike]) alike++;
  const from = alike - ALIKE_LENGTH;
  return from <= 0 ? [one, other] : [`…${one.slice(from)}`, `…${other.slice(from)}`];
}

function cut(text: string): string {
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
