const SHOWN_MAX = 40;
/** Identifiers and numbers, what came in its place: by these findings of one kind differ. */
const OWN = /[0-9a-f]{8,}|\d+|; got .*/g;

/** What is wrong, in words; of each kind the first is kept. */
export class Findings {
  readonly #kinds = new Map<string, { readonly first: string; times: number }>();
  count = 0;

  add(what: string): void {
    this.count++;
    const kind = what.replaceAll(OWN, '#');
    const known = this.#kinds.get(kind);
    if (known !== undefined) known.times++;
    else this.#kinds.set(kind, { first: what, times: 1 });
  }

  /** A line for each kind. */
  text(): string {
    const lines = [...this.#kinds.values()].map(
      ({ first, times }) => `- ${times === 1 ? '' : `${times} times: `}${first}\n`,
    );
    const more = lines.length - SHOWN_MAX;
    return `${lines.slice(0, SHOWN_MAX).join('')}${more > 0 ? `- and ${more} more kinds\n` : ''}`;
  }
}
