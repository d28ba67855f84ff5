/** How many texts a pool remembers before it starts anew. */
const POOL_MAX = 1024;

/**
 * Hands out one string for equal texts. Each request brings its own copies of the few identifiers and codes that all of them
 * name, and kept with each record they would be a quarter of a charge's memory.
 */
export class TextPool {
  readonly #texts = new Map<string, string>();

  share(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= POOL_MAX) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
