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
