import type { JournalEntry } from '../client/answers.js';
import type { ObservedWorld } from './observed.js';
import type { Trial } from './trial.js';
import type { Disagreement } from './verdicts.js';

interface CountedKind {
  readonly creates: readonly string[];
  /** The calls that mark one as removed; it still counts. */
  readonly removes: readonly string[];
  /** Whether a buyer who was declined may need another one, for another card. */
  readonly isOfCard: boolean;
}

/** The records of which a customer should have one, by their count in the state of a world. Those that others bring come later. */
const KINDS: Readonly<Record<string, CountedKind>> = {
  customers: { creates: ['customer.create'], removes: ['customer.remove'], isOfCard: false },
  subscriptions: { creates: ['subscription.create'], removes: ['subscription.cancel'], isOfCard: true },
  paymentMethods: {
    creates: ['paymentMethod.create', 'customer.create'],
    removes: ['paymentMethod.remove', 'customer.remove'],
    isOfCard: true,
  },
  vaultEntries: {
    creates: ['vault.create', 'paymentMethod.create', 'customer.create'],
    // A deleted entry is gone.
    removes: [],
    isOfCard: true,
  },
};

/** The first kind of which there are more records than after the clean run: a call that had no answer was made again. */
export function findCreatedTwice(
  observed: ObservedWorld,
  clean: ObservedWorld,
  trial: Trial,
): Disagreement[] {
  const [kind] = Object.keys(KINDS).filter(
    (one) =>
      !(KINDS[one]?.isOfCard && isDeclined(trial)) && countInUse(observed, one) > countInUse(clean, one),
  );
  if (kind === undefined) return [];
  const call = observed.calls.findLast(({ operation }) => KINDS[kind]?.creates.includes(operation))?.name;
  const what = kind.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`);
  const [count, cleanCount] = [countInUse(observed, kind), countInUse(clean, kind)];
  const created = { what, count, cleanCount, call: call ?? what };
  const verdict = 'created twice';
  return [{ verdict, reference: null, currency: '', ordered: null, taken: 0, believed: 'no order', created }];
}

function countInUse({ counts, entries }: ObservedWorld, kind: string): number {
  const removals = entries.filter(
    (entry) => KINDS[kind]?.removes.includes(entry.operation ?? '') && !isRefused(entry),
  );
  // A removal that was made again removed nothing more.
  return (counts[kind] ?? 0) - new Set(removals.map(({ path }) => path)).size;
}

/** Whether the service itself refused a call, without a fault. */
function isRefused({ status, rule }: JournalEntry): boolean {
  return rule === null && status >= 400;
}

/** Whether a provider declined, or a token or an authorisation had expired. */
function isDeclined(trial: Trial): boolean {
  return trial.some(
    ({ fault: { name, then } }) =>
      name === 'expired' || (then?.outcome !== undefined && then.phase !== 'after'),
  );
}
