/** The folder of the program's files as an address: `dist`, or in the source tree that of this file. */
export const PROGRAM_FOLDER = import.meta.url.replace(/(?:\/chunks)?\/[^/]*$/, '/');

/** A file or folder of the package, by its path from the root. */
export function inPackage(path: string): URL {
  return new URL(`${import.meta.url.endsWith('.ts') ? '../../../' : '../'}${path}`, PROGRAM_FOLDER);
}
