import { once } from './once.js';

/** A text that is compressed, and then Base64. */
export interface StoredAsset {
  readonly gzip: string;
  /** The length without compression. */
  readonly bytes: number;
  /** Changes with the text. */
  readonly tag: string;
}

/** The lists that a form can offer. */
export interface PlaceTexts {
  readonly countries: readonly {
    readonly twoLetterCode: string;
    readonly threeLetterCode: string;
    /** Three digits. */
    readonly numericCode: string;
    readonly name: string;
  }[];
  readonly currencies: readonly { readonly code: string; readonly number: string; readonly name: string }[];
  /** By name, such as `Australia/Sydney`. */
  readonly timezones: readonly string[];
}

/** Names for invented people, and addresses in the United States that do not exist. */
export interface PeopleTexts {
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly addresses: readonly Readonly<Record<'line1' | 'city' | 'state' | 'postalCode', string>>[];
}

/** The long texts of the package. Most processes need none of them. */
interface Texts {
  /** The files that pages load, by name: `sdk.js`. */
  readonly assets: Readonly<Record<string, StoredAsset>>;
  readonly people: PeopleTexts;
  readonly places: PlaceTexts;
  /** The definitions of the library, by name. A server reads them from files. */
  readonly scenarios: Readonly<Record<string, { readonly description?: string }>>;
}

/** Set by the build (and by vitest): the texts as JSON, which a browser has to fetch, and a server reads from a file. */
declare const __TEXTS__: string | (() => string | Promise<string>);

export const readTexts = once(
  async () => JSON.parse(typeof __TEXTS__ === 'function' ? await __TEXTS__() : __TEXTS__) as Texts,
);
