/** A module of this folder with the plays, as the text of one module that a page or Node can load. */
export function bundled(name: string): Promise<string>;
