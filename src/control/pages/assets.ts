import { shortHash } from '../../core/ids/random.js';

/** Defined by the build (and by vitest): the bundles of src/pages, as JSON. */
declare const __ASSETS__: string;
/** Also defined by the build: docs/openapi.json without its white space. */
declare const __OPENAPI__: string;

const TAG_LENGTH = 16;

interface Text {
  readonly text: string;
  /** Changes with the text. */
  readonly tag: string;
}

/** The texts by name. They have hundreds of kilobytes, so this module is only loaded when one is requested. */
const TEXTS: ReadonlyMap<string, Text> = new Map([
  ...Object.entries(JSON.parse(__ASSETS__) as Record<string, Text>),
  ['openapi.json', { text: __OPENAPI__, tag: shortHash(__OPENAPI__, TAG_LENGTH) }],
]);

/** A text that pages and programs load. */
export interface Asset extends Text {
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** The asset of a name such as `sdk.js`. */
export function requireAsset(name: string): Asset {
  const found = TEXTS.get(name);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (found === undefined || type === undefined) {
    throw new Error(`There is no asset ${name}. Add it to build/assets.mjs.`);
  }
  return { ...found, type };
}
