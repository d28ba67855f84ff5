/** The value of `__ASSETS__`: the scripts and style sheets of pages, as JSON. */
export function browserAssets(): Promise<string>;
/** The value of `__OPENAPI__`: the OpenAPI description on one line. */
export function openApiText(): Promise<string>;
