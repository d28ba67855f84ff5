/** A list that says something. */
export function listOf(items: readonly object[]): readonly object[] | null {
  return items.length === 0 ? null : items;
}
