/** The long texts of the package. Most processes need none of them, so this module is loaded late. */
interface Texts {
  /** What pages load, by name: compressed and in Base64, with a tag that changes with the text. */
  readonly assets: Readonly<Record<string, { readonly gzip: string; readonly tag: string }>>;
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
