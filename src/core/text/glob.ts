/** Longer patterns are refused, because a match can take time in proportion to the pattern's length times the text's. */
export const PATTERN_LENGTH_MAX = 128;

export const STAR = 0x2a;
const QUESTION = 0x3f;

/** A test for a pattern in which `*` matches any characters and `?` matches one. The whole text must match. */
export function compileGlob(pattern: string, unknown = -1): (text: string) => boolean {
  if (unknown === -1 && !pattern.includes('*') && !pattern.includes('?')) return (text) => text === pattern;
  return (text) => matchesGlobPattern(pattern, text, unknown);
}

/**
 * Matches without recursion. After a mismatch only the last star takes one more character, because whatever an earlier
 * star could take instead, the last one can take as well. `unknown` is a character of the text that fits any of the pattern.
 */
function matchesGlobPattern(pattern: string, text: string, unknown: number): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let starText = 0;
  while (place < text.length) {
    const wanted = pattern.charCodeAt(at);
    const given = text.charCodeAt(place);
    if (wanted === STAR) {
      star = at++;
      starText = place;
    } else if (at < pattern.length && (wanted === QUESTION || wanted === given || given === unknown)) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++starText;
    } else return false;
  }
  while (pattern.charCodeAt(at) === STAR) at++;
  return at === pattern.length;
}

/** Whether some text matches both patterns, in which `*` stands for any characters. */
export function patternsOverlap(one: string, other: string): boolean {
  // Whether the characters of `one` so far and the first n of `other` have a text in common.
  let reached = [true];
  for (let n = 0; n < other.length; n++) reached.push(reached[n] === true && other[n] === '*');
  for (const character of one) {
    const next = [reached[0] === true && character === '*'];
    for (let n = 0; n < other.length; n++) {
      const isStar = character === '*' || other[n] === '*';
      next.push(
        isStar ? next[n] === true || reached[n + 1] === true : character === other[n] && reached[n] === true,
      );
    }
    reached = next;
  }
  return reached[other.length] === true;
}
