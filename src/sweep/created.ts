import type { ObservedWorld } from './run.js';
import type { Trial } from './trial.js';
import type { Disagreement } from './verdicts.js';

interface CountedKind {
  /** The name of its count in the state of a world. */
  readonly counted: string;
  readonly what: string;
  readonly creates: readonly string[];
  /** The calls after which one record less is in use. */
  readonly removes: readonly string[];
  /** Whether a buyer who was declined may need another one, for another card. */
  readonly isOfCard: boolean;
}

/** The kinds of records of which a customer should have one. Those that others bring with them come later. */
const KINDS: readonly CountedKind[] = [
  {
    counted: 'customers',
    what: 'customers',
    creates: ['customer.create'],
    removes: ['customer.remove'],
    isOfCard: false,
  },
  {
    counted: 'subscriptions',
    what: 'subscriptions',
    creates: ['subscription.create'],
    removes: ['subscription.cancel'],
    isOfCard: true,
  },
  {
    counted: 'paymentMethods',
    what: 'payment methods',
    creates: ['paymentMethod.create', 'customer.create'],
    removes: ['paymentMethod.remove', 'customer.remove'],
    isOfCard: true,
  },
  {
    counted: 'vaultEntries',
    what: 'vault entries',
    creates: ['vault.create', 'paymentMethod.create', 'customer.create'],
    removes: ['vault.delete'],
    isOfCard: true,
  },
];

/** The first kind of which there are more records than after the clean run: a call that had no answer was made again. */
export function findCreatedTwice(
  observed: ObservedWorld,
  clean: ObservedWorld,
  trial: Trial,
): Disagreement[] {
  const kind = KINDS.find(
    (one) => !(one.isOfCard && isDeclined(trial)) && countInUse(observed, one) > countInUse(clean, one),
  );
  if (kind === undefined) return [];
  const { what, creates } = kind;
  const call = observed.calls.findLast(({ operation }) => creates.includes(operation))?.name ?? what;
  const [count, cleanCount] = [countInUse(observed, kind), countInUse(clean, kind)];
  return [
    {
      verdict: 'created twice',
      reference: null,
      currency: '',
      ordered: null,
      taken: 0,
      believed: 'no order',
      created: { what, count, cleanCount, call },
    },
  ];
}

function countInUse({ counts, calls }: ObservedWorld, { counted, removes }: CountedKind): number {
  return (counts[counted] ?? 0) - calls.filter(({ operation }) => removes.includes(operation)).length;
}

/** Whether a provider declined, or a token or an authorisation had expired. */
function isDeclined(trial: Trial): boolean {
  return trial.some(
    ({ fault: { name, then } }) =>
      name === 'expired' || (then?.outcome !== undefined && then.phase !== 'after'),
  );
}
