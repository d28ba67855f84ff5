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
