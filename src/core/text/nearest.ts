/** Only the first characters of words are compared, so that hostile input stays cheap. */
const WORD_CHARACTERS_MAX = 64;

/** Two edits would turn a word this short into many unrelated names, such as `rate` into `state`. */
const SHORT_WORD_MAX = 4;

/**
 * Returns the candidates that the caller may have meant by `word`, nearest first. An edit is a character added, removed or
 * replaced, or two neighbours swapped. Letter case does not matter.
 */
export function findNearest(word: string, candidates: Iterable<string>, max = 3): string[] {
  const wanted = toComparable(word);
  if (wanted === '') return [];
  const limit = wanted.length <= SHORT_WORD_MAX ? 1 : Math.max(2, Math.floor(wanted.length / 3));

  const found: { candidate: string; edits: number }[] = [];
  for (const candidate of candidates) {
    const known = toComparable(candidate);
    // Each extra character is an edit.
    if (Math.abs(wanted.length - known.length) > limit) continue;
    const edits = countEdits(wanted, known);
    if (edits <= limit) found.push({ candidate, edits });
  }
  // The sort is stable: equally near candidates keep their order.
  found.sort((a, b) => a.edits - b.edits);
  return found.slice(0, max).map(({ candidate }) => candidate);
}

/** Ends a message: ". Did you mean x?", or nothing if no candidate is similar. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  return suggest(findNearest(word, candidates, 1)[0]);
}

/** Like `didYouMean`, for a suggestion that is known. */
export function suggest(meant: string | undefined): string {
  return meant === undefined ? '' : `. Did you mean ${meant}?`;
}

function toComparable(word: string): string {
  return word.slice(0, WORD_CHARACTERS_MAX).toLowerCase();
}

/** The Damerau-Levenshtein distance. `edits[i][j]` is the distance of the first i characters of `a` from the first j of `b`. */
function countEdits(a: string, b: string): number {
  const edits = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => edits[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    edits.push(row);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      // Before the first character is undefined, which equals no character.
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(at(i, j - 1) + 1, at(i - 1, j) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}
