/** Bundles a module of this folder into a file that every runtime can run; resolves with the file. */
export function bundleOf(name: string, outfile: string): Promise<string>;
