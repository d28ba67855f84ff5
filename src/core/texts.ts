/** A text that is compressed, and then Base64. */
export interface StoredAsset {
  readonly gzip: string;
  /** Its length without compression. */
  readonly bytes: number;
  /** Changes with the text. */
  readonly tag: string;
}

/** The long texts of the package. Most processes need none of them, so this module is loaded late. */
interface Texts {
  /** What pages load, by name. */
  readonly assets: Readonly<Record<string, StoredAsset>>;
  /** The lists of names that people are invented from. */
  readonly people: unknown;
  /** The definitions of the library, by name. A server reads them from files. */
  readonly scenarios: Readonly<Record<string, { readonly description?: string }>>;
}

/** Set by the build (and by vitest): the texts as JSON, which a browser has to fetch, and a server reads from a file. */
declare const __TEXTS__: string | Promise<string> | (() => string);

export const TEXTS: Promise<Texts> = read();

async function read(): Promise<Texts> {
  return JSON.parse(await (typeof __TEXTS__ === 'function' ? __TEXTS__() : __TEXTS__)) as Texts;
}
