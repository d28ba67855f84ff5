/** The folder of the program's files as an address: `dist`, or in the source tree that of this file. */
export const PROGRAM_FOLDER = import.meta.url.replace(/(?:\/chunks)?\/[^/]*$/, '/');

/** The address of a sandbox in process. Names below localhost never belong to another machine. */
export const WITHIN = 'http://playmoney.localhost';
