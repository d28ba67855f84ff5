import { homeInPage, keyInPage } from '../../home.js';
import type { Access } from './api.js';

/** The key that the server prints when it starts. */
export const DEFAULT_KEY = 'sk_test_local';

/**
 * The keys and the admin token that were entered in this tab. They are stored until the tab is closed, and no address contains
 * them. If the browser allows no storage, they are lost when the page reloads.
 */
export class Keyring {
  key: string;
  /** The world that is shown, if it was opened by its name, because its key was not entered. */
  world: string | null = null;
  adminToken: string;
  /** Whether nothing was entered in this tab yet. */
  readonly isNew: boolean;
  #known: ReadonlyMap<string, string>;

  constructor(private readonly storage: Storage | null) {
    this.isNew = storage?.getItem('playmoney.key') === null;
    this.key = storage?.getItem('playmoney.key') ?? keyInPage() ?? DEFAULT_KEY;
    this.adminToken = storage?.getItem('playmoney.admin') ?? '';
    this.#known = readKnown(storage?.getItem('playmoney.known') ?? '[]');
  }

  /** Switches to another key or admin token. With another token alone, a world that was opened by its name stays. */
  switchTo(key: string, adminToken: string): void {
    if (key !== this.key || adminToken === this.adminToken) this.world = null;
    this.key = key;
    this.adminToken = adminToken;
    this.#save('playmoney.key', key);
    this.#save('playmoney.admin', adminToken);
  }

  /** Shows the world of a key that the address has, or that of a name, or else that of the key that was entered last. */
  begin(key: string | null, world: string | null): void {
    if (key !== null) this.switchTo(key, this.adminToken);
    else if (world !== null) this.open(world);
  }

  /** Switches to the world of a name: by its key if that was entered, else by the name itself. */
  open(world: string): void {
    const key = this.keyOf(world);
    if (key === undefined) this.world = world;
    else this.switchTo(key, this.adminToken);
  }

  get access(): Access {
    const { key, world, adminToken } = this;
    return { key, world, adminToken };
  }

  get name(): string | undefined {
    return this.world ?? [...this.#known].find(([, key]) => key === this.key)?.[0];
  }

  keyOf(world: string): string | undefined {
    return this.#known.get(world);
  }

  remember(key: string, world: string): void {
    if (this.keyOf(world) === key) return;
    this.#known = new Map([...this.#known, [world, key]]);
    this.#save('playmoney.known', JSON.stringify([...this.#known]));
  }

  get shared(): { readonly known: readonly (readonly [string, string])[]; readonly adminToken: string } {
    return { known: [...this.#known], adminToken: this.adminToken };
  }

  /** Takes keys that another tab or the server knows. Returns whether the world that is shown can be opened better with them. */
  learn(known: Iterable<readonly [world: string, key: string]>, adminToken = ''): boolean {
    for (const [world, key] of known) this.remember(key, world);
    const isToken = adminToken !== '' && this.adminToken === '';
    if (isToken) this.switchTo(this.key, adminToken);
    return isToken || (this.world !== null && this.keyOf(this.world) !== undefined);
  }

  #save(name: string, value: string): void {
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

/** The storage of this tab; null when the browser refuses access, and in a page that is a file, since files share one. */
export function tabStorage(): Storage | null {
  if (homeInPage() !== undefined) return null;
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
