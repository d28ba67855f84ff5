import { shortHash } from '../core/ids/random.js';

/**
 * The name of the world of a key, which does not reveal the key. Its first digit follows from the last character of the key, so that a
 * proxy in front of several servers can send a call with the key and a page with the name to the same one.
 */
export function deriveWorldName(key: string): string {
  const last = key.charCodeAt(key.length - 1) & 15;
  return last.toString(16) + shortHash(`world:${key}`).slice(1);
}
