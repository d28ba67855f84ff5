/** The key that the start-up note of the server names. */
export const DEFAULT_KEY = 'sk_test_local';
/** How many keys are remembered. */
const KEYS_MAX = 20;

/** A key that was typed, and the short name of its world. */
export interface KnownKey {
  readonly key: string;
  readonly world: string;
}

/**
 * What was typed into this tab: keys, and the admin token. It is forgotten with the tab, and stands in no address. Where the
 * browser keeps nothing, it is forgotten with the page.
 */
export class Keyring {
  /** The key of the world that is looked at. */
  key: string;
  adminToken: string;
  #known: readonly KnownKey[];

  constructor(private readonly storage: Storage | null) {
    this.key = storage?.getItem('playmoney.key') ?? DEFAULT_KEY;
    this.adminToken = storage?.getItem('playmoney.admin') ?? '';
    this.#known = readKnown(storage?.getItem('playmoney.known') ?? '[]');
  }

  /** Looks on with another key, or another admin token. */
  use(key: string, adminToken: string): void {
    this.key = key;
    this.adminToken = adminToken;
    this.#keep('playmoney.key', key);
    this.#keep('playmoney.admin', adminToken);
  }

  /** The key that was typed for a world; undefined: none was. */
  keyOf(world: string): string | undefined {
    return this.#known.find((known) => known.world === world)?.key;
  }

  /** Notes which world a key opened. */
  note(key: string, world: string): void {
    if (this.keyOf(world) === key) return;
    const others = this.#known.filter((known) => known.key !== key);
    this.#known = [{ key, world }, ...others].slice(0, KEYS_MAX);
    this.#keep('playmoney.known', JSON.stringify(this.#known));
  }

  #keep(name: string, value: string): void {
    this.storage?.setItem(name, value);
  }
}

function readKnown(text: string): readonly KnownKey[] {
  try {
    return JSON.parse(text) as readonly KnownKey[];
  } catch {
    return [];
  }
}

/** The memory of this tab; null where the browser refuses it. */
export function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
