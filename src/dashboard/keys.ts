/** The key that the start-up note of the server names. */
export const DEFAULT_KEY = 'sk_test_local';

/**
 * What was typed into this tab: keys, and the admin token. It is forgotten with the tab, and stands in no address. Where the
 * browser keeps nothing, it is forgotten with the page.
 */
export class Keyring {
  /** The key of the world that is looked at. */
  key: string;
  adminToken: string;
  /** The keys that were typed, by the short names of their worlds. */
  #known: ReadonlyMap<string, string>;

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
    return this.#known.get(world);
  }

  /** Notes which world a key opened. */
  note(key: string, world: string): void {
    if (this.keyOf(world) === key) return;
    this.#known = new Map([...this.#known, [world, key]]);
    this.#keep('playmoney.known', JSON.stringify([...this.#known]));
  }

  #keep(name: string, value: string): void {
    this.storage?.setItem(name, value);
  }
}

function readKnown(text: string): ReadonlyMap<string, string> {
  try {
    return new Map(JSON.parse(text) as [string, string][]);
  } catch {
    return new Map();
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
