/** What is used of the types of Cloudflare Workers, so that the project needs no package for them. */

export interface ObjectStorage {
  get<T>(key: string): Promise<T | undefined>;
  get<T>(keys: readonly string[]): Promise<Map<string, T>>;
  put(entries: Readonly<Record<string, unknown>>): Promise<void>;
  delete(keys: readonly string[]): Promise<number>;
  deleteAll(): Promise<void>;
  getAlarm(): Promise<number | null>;
  setAlarm(instant: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

export interface ObjectState {
  readonly storage: ObjectStorage;
  /** Ends the object in memory. Calls under way fail. */
  abort(reason?: string): void;
}

interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

/** The bindings and variables of wrangler.jsonc. */
export interface Bindings {
  readonly WORLDS: ObjectNamespace;
  /** Read in variables.ts. A variable of wrangler.jsonc may be any JSON. */
  readonly KEYS?: unknown;
  readonly ADMIN_TOKEN?: unknown;
  readonly ALLOWED_ORIGINS?: unknown;
  readonly WEBHOOKS?: unknown;
  readonly EXPIRE?: unknown;
}
