/** The program of a version of Node, from the registry unless it is this one; null where it cannot be had. */
export function nodeOf(major: number): Promise<string | null>;
