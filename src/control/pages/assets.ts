import { TEXTS } from '../../core/texts.js';

/** A text that pages and programs load. */
interface Asset {
  readonly text: string;
  /** Changes with the text. */
  readonly tag: string;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** The asset of a name such as `sdk.js`. */
export async function requireAsset(name: string): Promise<Asset> {
  const found = (await TEXTS).assets[name];
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (found === undefined || type === undefined) {
    throw new Error(`There is no asset ${name}. Add it to build/texts.mjs.`);
  }
  return { ...found, type };
}
