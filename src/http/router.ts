import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * A trie router that looks paths without placeholders up in a map. Such a path has one match for
 * each method, and walking the trie for it would cost each charge more than finding its customer.
 */
export class LiteralFirstRouter<T> implements Router<T> {
  readonly name = 'LiteralFirstRouter';
  readonly #trie = new TrieRouter<T>();
  /** The paths without placeholders, and their matches by method once asked for. */
  readonly #literals = new Map<string, Map<string, Result<T>>>();

  add(method: string, path: string, handler: T): void {
    this.#trie.add(method, path, handler);
    if (!path.includes(':') && !path.includes('*')) this.#literals.set(path, new Map());
  }

  match(method: string, path: string): Result<T> {
    const known = this.#literals.get(path);
    if (known === undefined) return this.#trie.match(method, path);
    const before = known.get(method);
    if (before !== undefined) return before;
    const result = this.#trie.match(method, path);
    // Bounded: a client that makes up methods does not fill the memory.
    if (known.size < 10) known.set(method, result);
    return result;
  }
}
