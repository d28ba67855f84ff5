/** The value of `__ASSETS__`: a JSON text of what runs in pages. */
export function browserAssets(): Promise<string>;
