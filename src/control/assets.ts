/** Put in by the build (and by vitest): what src/browser becomes, with a tag that changes with the text. */
declare const __ASSETS__: Readonly<Record<string, { readonly text: string; readonly tag: string }>>;

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
  const found = Object.hasOwn(__ASSETS__, name) ? __ASSETS__[name] : undefined;
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  return found && type !== undefined ? { ...found, type } : undefined;
}
