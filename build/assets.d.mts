/** The value of `__ASSETS__`: a JSON text of what runs in pages. */
export function browserAssets(): Promise<string>;
/** The value of `__OPENAPI__`: the description of the interface, in one line. */
export function openApiText(): Promise<string>;
