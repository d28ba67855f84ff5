/** The members that say something. */
export function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** A list that says something. */
export function listOf(items: readonly object[]): readonly object[] | null {
  return items.length === 0 ? null : items;
}
