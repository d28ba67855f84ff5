/** Words are compared by their first characters only, so that hostile input stays cheap. */
const WORD_CHARACTERS_MAX = 64;

/** How many edits are forgiven in a short word; in a longer one, a third of its length. */
const EDITS_MIN = 2;

/**
 * The candidates that somebody may have meant by `word`, nearest first and at most `max` of them: those
 * within two edits, or a third of the word's length if that is more; one edit for up to three characters. Upper and lower case are one. An edit
 * is a character added, removed or replaced, or two neighbours swapped.
 */
export function nearest(word: string, candidates: Iterable<string>, max = 3): string[] {
  const wanted = comparable(word);
  if (wanted === '') return [];
  // Two edits would turn any word of three characters into most others.
  const limit = wanted.length <= 3 ? 1 : Math.max(EDITS_MIN, Math.floor(wanted.length / 3));

  const found: { candidate: string; edits: number }[] = [];
  for (const candidate of candidates) {
    const edits = editsBetween(wanted, comparable(candidate), limit);
    if (edits <= limit) found.push({ candidate, edits });
  }
  // The sort is stable: equally near candidates stay in the order they came in.
  found.sort((a, b) => a.edits - b.edits);
  return found.slice(0, max).map(({ candidate }) => candidate);
}

function comparable(word: string): string {
  return word.slice(0, WORD_CHARACTERS_MAX).toLowerCase();
}

/**
 * The Damerau-Levenshtein distance (each stretch edited once), or some number above `limit` as soon as it
 * must be more. Row i holds the distances between the first i characters of `a` and every beginning of `b`.
 */
function editsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow(a, b, i, last, beforeLast);
    // No later row goes below the least of this one: a swap skips a row, but not the cost of reaching it.
    if (Math.min(...row) > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}

function nextRow(
  a: string,
  b: string,
  i: number,
  last: readonly number[],
  beforeLast: readonly number[],
): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j++) {
    const same = a[i - 1] === b[j - 1];
    let edits = Math.min(at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + (same ? 0 : 1));
    // In front of a word is undefined, which equals no character.
    const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    if (swapped) edits = Math.min(edits, at(beforeLast, j - 2) + 1);
    row.push(edits);
  }
  return row;
}

/** Rows are always as long as they are read; the fallback is never taken. */
function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
