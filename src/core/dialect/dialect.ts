/** The format of requests and answers: that of the specification, or that of client libraries. */
export type Dialect = 'documented' | 'sdk';

export const DIALECTS: readonly Dialect[] = ['documented', 'sdk'];

export const DEFAULT_DIALECT: Dialect = 'documented';

export function findDialect(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect === name);
}
