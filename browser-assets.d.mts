/** The texts by their names, such as sdk.js, each with a tag that changes with the text. */
export function browserAssets(): Promise<
  Readonly<Record<string, { readonly text: string; readonly tag: string }>>
>;
