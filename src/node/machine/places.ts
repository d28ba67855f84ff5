/** The folder of the program's files as an address: `dist`, or in the source tree that of this file. */
export const PROGRAM_FOLDER = import.meta.url.replace(/(?:\/chunks)?\/[^/]*$/, '/');
