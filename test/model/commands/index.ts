import fc from 'fast-check';

import * as agreements from './agreements.js';
import * as changes from './changes.js';
import * as charges from './charges.js';
import * as control from './control.js';
import type { Dialect } from '../dialect.js';
import type { Kind } from './kind.js';
import * as later from './later.js';
import * as links from './links.js';
import * as providers from './providers.js';
import * as receivers from './receivers.js';
import * as records from './records.js';
import * as searches from './searches.js';
import * as storage from './storage.js';
import * as threeDSecure from './three-d-secure.js';
import * as transfers from './transfers.js';
import { weighted } from './kind.js';
import { DAY, DEMANDING_CARDS, PROVIDER } from '../spec.js';

type Choice = readonly [weight: number, kind: Kind];

/** Every kind of command, and how often it comes: those that make something out of nothing, and the others. */
const MAKING: readonly Choice[] = [
  [14, charges.card],
  [3, charges.challenged],
  [3, charges.account],
  [3, charges.token],
  [1, charges.networkToken],
  [8, storage.storeCard],
  [4, storage.storeToken],
  [2, storage.storeAccount],
  [3, records.createEntry],
  [4, records.createToken],
];

const CHANGING: readonly Choice[] = [
  [6, charges.customer],
  [6, charges.method],
  [3, threeDSecure.begin],
  [4, threeDSecure.ask],
  [5, threeDSecure.answer],
  [8, changes.capture],
  [4, changes.cancel],
  [8, changes.refund],
  [2, changes.simulate],
  [3, storage.fromVault],
  [3, records.changeCustomer],
  [1, records.removeCustomer],
  [2, records.removeMethod],
  [2, records.changeMethod],
  [2, records.deleteEntry],
  [5, later.createBatch],
  [4, later.subscribe],
  [2, receivers.listen],
  [1, receivers.unlisten],
  [4, transfers.transfer],
  [1, transfers.settlements],
  [2, agreements.storeAgreement],
  [2, agreements.agree],
  [2, agreements.storeProviderToken],
  [2, providers.configure],
  [1, providers.rename],
  [1, providers.remove],
  [3, charges.configured],
  [2, links.makeLink],
  [4, links.payLink],
  [2, later.moveSubscription],
  [9, control.advance],
  [1, control.turnBack],
  [2, control.queue],
  [2, control.scenario],
  [1, control.save],
  [1, control.restore],
  [1, control.exportWorld],
  [1, control.importWorld],
  [1, control.reset],
  [3, searches.charges],
  [2, searches.customers],
  [2, searches.methods],
  [1, searches.tokens],
];

/** One command, in one of the worlds. */
export interface Step {
  readonly world: number;
  /** What is called by it comes out the same; documented unless it says otherwise. */
  readonly dialect?: Dialect;
  readonly kind: string;
  readonly args: unknown;
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  [...MAKING, ...CHANGING].map(([, kind]) => [kind.name, kind]),
);

export function kindOf(step: Step): Kind {
  const kind = KINDS.get(step.kind);
  if (!kind) throw new Error(`There is no command ${step.kind}`);
  return kind;
}

const stepOf = ({ name, arbitrary }: Kind, worlds: number): fc.Arbitrary<Step> =>
  fc.record({
    // Most of what happens is in the first world: else none would get far.
    world: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.nat({ max: worlds - 1 }) },
    ),
    dialect: weighted([2, ['documented' as const]], [1, ['sdk' as const]]),
    kind: fc.constant(name),
    args: arbitrary,
  });

type Overrides = Readonly<Record<string, unknown>>;

/** The same token from one command to the next: the newest that may be used. */
const token = { from: 'own', back: 0 };
const CHARGED = { token, amount: '10', currency: 'AUD', capture: true, header: null };
/** A token whose payer is authenticated, which commands by chance seldom come to. */
const AUTHENTICATED: readonly (readonly [Kind, Overrides])[] = [
  [
    records.createToken,
    { pan: DEMANDING_CARDS[0], expiry: '10/40', provider: PROVIDER.steady, header: null },
  ],
  [charges.token, CHARGED],
  [threeDSecure.begin, { token }],
  [threeDSecure.ask, { token }],
  [threeDSecure.answer, { transaction: token }],
  [charges.token, CHARGED],
  [charges.token, CHARGED],
];

const STORED = { pan: '4242424242424242', expiry: '10/40', provider: PROVIDER.steady, header: null };
const row = { method: token, amount: '20.05', currency: 'AUD', reference: 'b1' };
/** Money that leaves a charge on every way, a batch that runs to its end, a bank that refuses, and a link that is paid twice. */
const SPENT: readonly (readonly [Kind, Overrides])[] = [
  [charges.card, { ...STORED, amount: '100', currency: 'AUD', capture: true }],
  [
    transfers.transfer,
    { charge: token, currency: null, group: 'g1', parts: [{ share: 'half', reference: null }] },
  ],
  [changes.refund, { charge: token, share: 'half', header: null, via: 'body' }],
  [storage.storeCard, { ...STORED, target: { kind: 'nobody' } }],
  [later.createBatch, { rows: [row, { ...row, amount: '7' }], fault: null }],
  [charges.account, { ...STORED, number: '000009995', amount: '10', currency: 'AUD', capture: true }],
  [links.makeLink, { amount: '10', currency: 'AUD', limit: null, types: [], invoice: null }],
  [links.payLink, { ...STORED, link: token, amount: null }],
  [links.payLink, { ...STORED, link: token, amount: null }],
  [control.advance, { by: 7 * DAY }],
  [changes.refund, { header: null, share: null, via: 'query' }],
];

const story = (told: typeof SPENT, worlds: number): fc.Arbitrary<Step[]> =>
  fc.tuple(
    ...told.map(([kind, overrides]) =>
      stepOf(kind, worlds).map((step) => ({
        ...step,
        world: 0,
        args: { ...(step.args as object), ...overrides },
      })),
    ),
  );

/** How many commands come first that need nothing to be there. */
const MAKING_MAX = 8;

/** Lists of commands over so many worlds. */
export function steps(worlds: number, maxLength: number): fc.Arbitrary<Step[]> {
  const oneOf = (choices: readonly Choice[]) =>
    fc.oneof(...choices.map(([weight, kind]) => ({ weight, arbitrary: stepOf(kind, worlds) })));
  // The few runs of `npm test` would be short ones otherwise, in which the others find nothing.
  const begun = fc.noBias(fc.array(oneOf(MAKING), { maxLength: MAKING_MAX, size: 'max' }));
  const going = fc.array(oneOf([...MAKING, ...CHANGING]), { minLength: 1, maxLength, size: 'max' });
  const told = fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: story(AUTHENTICATED, worlds) },
    { weight: 1, arbitrary: story(SPENT, worlds) },
  );
  return fc.tuple(begun, told, going).map((parts) => parts.flat());
}
