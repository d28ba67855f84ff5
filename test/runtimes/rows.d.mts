/** A started row, until it is closed. */
export interface Stage {
  /** The address of all requests. */
  readonly url: string;
  /** Set if nothing listens at the address. */
  readonly isInside?: boolean;
  readonly send: (request: Request) => Promise<Response>;
  readonly close: () => Promise<unknown>;
}

export interface Row {
  readonly name: string;
  /** Starts it anew; null where it cannot be had. */
  readonly open: () => Promise<Stage | null>;
  /** The size of what is delivered, compressed. */
  readonly bytes: () => Promise<number>;
  readonly differs: readonly string[];
}

/** Everywhere the program runs. */
export const ROWS: readonly Row[];

/** The command of Bun or Deno; null where it cannot be had. */
export function commandOf(name: string, ...args: string[]): Promise<string[] | null>;
