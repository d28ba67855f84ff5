/** A bundle in CommonJS has no `import.meta`. */
const FILE = (import.meta.url as string | undefined) ?? 'file:///bundle/index.cjs';

/** The folder of the program's files as an address: `dist`, or in the source tree that of this file. */
export const PROGRAM_FOLDER = FILE.replace(/(?:\/chunks)?\/[^/]*$/, '/');
