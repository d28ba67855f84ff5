/** A project of the matrix, such as `{ manager: 'npm 10', vitest: '4', node: 20, typescript: '7.0', with: 'jsdom 26' }`. */
export interface Row {
  readonly manager: string;
  readonly vitest: string;
  readonly node: number;
  readonly typescript: string;
  /** Another package and its version, or `-`. */
  readonly with: string;
}

export const NODES: readonly number[];
export const EXTRA_ROWS: readonly Row[];
export function everyRow(): readonly Row[];
