/** What can go wrong on the way of an answer, and what its caller sees of it; `src/http/faults.ts` performs each. */
export const FAULTS = {
  hang: 'no answer, for an hour',
  reset: 'the connection is reset (RST)',
  empty: 'the connection ends before a byte (FIN)',
  truncate: 'half a body, of which the whole length was promised; then the connection ends',
  malformed: 'status 200, and HTML where JSON was promised',
  dribble: 'the answer, a byte at a time',
} as const;

/** A fault that its name says all of. */
export type PlainFault = keyof typeof FAULTS;

export const PLAIN_FAULTS = Object.keys(FAULTS) as readonly PlainFault[];

/** What goes wrong on the way of an answer. */
export type Fault =
  | { readonly kind: PlainFault }
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Sent as it is; null: the error body of the sandbox. */
      readonly body: string | null;
      readonly retryAfterSeconds: number | null;
    };
