/** How much of an answer is left by a fault. */
type Leaves = 'nothing' | 'a part' | 'no JSON' | 'all';

/** What can go wrong with an answer, and what is left of it. `src/http/faults.ts` performs each fault. */
export const FAULTS = {
  hang: { seen: 'no answer, for an hour', leaves: 'nothing' },
  reset: { seen: 'the connection is reset (RST)', leaves: 'nothing' },
  empty: { seen: 'the connection ends before a byte (FIN)', leaves: 'nothing' },
  truncate: {
    seen: 'half a body, of which the whole length was promised; then the connection ends',
    leaves: 'a part',
  },
  malformed: { seen: 'status 200, and HTML where JSON was promised', leaves: 'no JSON' },
  dribble: { seen: 'the answer, a byte at a time', leaves: 'all' },
} as const satisfies Readonly<Record<string, { readonly seen: string; readonly leaves: Leaves }>>;

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

/** How much of its answer a kind of fault leaves. Null: no fault. */
export function leftBy(kind: string | null): Leaves {
  return kind !== null && isPlainFault(kind) ? FAULTS[kind].leaves : 'all';
}

function isPlainFault(kind: string): kind is PlainFault {
  return Object.hasOwn(FAULTS, kind);
}
