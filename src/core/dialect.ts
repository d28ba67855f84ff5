/** How the wire is spelt: as the specification writes it, or as client libraries send and read it. */
export type Dialect = 'documented' | 'sdk';

export const DIALECTS: readonly Dialect[] = ['documented', 'sdk'];

/** What a sandbox speaks unless it is told otherwise. */
export const DEFAULT_DIALECT: Dialect = 'documented';

/** The dialect of a name; undefined: there is none. */
export function dialectNamed(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect === name);
}
