/** Put in by the build (and by vitest): what src/browser becomes, as a JSON text. */
declare const __ASSETS__: string;

/** The texts by their names, each with a tag that changes with the text. */
const TEXTS = new Map(
  Object.entries(JSON.parse(__ASSETS__) as Record<string, { readonly text: string; readonly tag: string }>),
);

/** A text that pages load. */
export interface Asset {
  readonly text: string;
  readonly tag: string;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** The asset of a name such as `sdk.js`; undefined: there is none. */
export function assetNamed(name: string): Asset | undefined {
  const found = TEXTS.get(name);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  return found && type !== undefined ? { ...found, type } : undefined;
}
