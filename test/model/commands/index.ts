import fc from 'fast-check';

import type { Dialect } from '../dialect.js';
import { DAY, DEMANDING_CARDS, PROVIDER } from '../spec.js';
import * as charges from './charges.js';
import { type Kind, weighted } from './kind.js';
import * as others from './others.js';
import * as stored from './stored.js';
import * as worlds from './worlds.js';

type Choice = readonly [weight: number, kind: Kind];

/** Every kind of command, and how often it comes: those that make something out of nothing, and the others. */
const MAKING: readonly Choice[] = [
  [14, charges.card],
  [3, charges.account],
  [8, stored.storeCard],
  [3, others.challenged],
  [2, others.storeAccount],
  [3, others.createEntry],
  [4, others.createToken],
];

const CHANGING: readonly Choice[] = [
  [6, charges.customer],
  [6, charges.method],
  [8, charges.capture],
  [4, charges.cancel],
  [8, charges.refund],
  [4, charges.transfer],
  [3, stored.changeCustomer],
  [1, stored.removeCustomer],
  [2, stored.removeMethod],
  [9, worlds.advance],
  [1, worlds.turnBack],
  [1, worlds.save],
  [1, worlds.restore],
  [1, worlds.exportWorld],
  [1, worlds.importWorld],
  [1, worlds.reset],
  [3, others.chargeToken],
  [2, others.storeToken],
  [3, others.beginAuthentication],
  [4, others.askIssuer],
  [5, others.answerChallenge],
  [2, others.makeLink],
  [4, others.payLink],
  [2, others.fromVault],
  [2, others.deleteEntry],
  [5, others.createBatch],
  [4, others.subscribe],
  [2, others.moveSubscription],
  [2, others.simulate],
  [2, others.searchCharges],
  [2, others.queue],
  [1, others.scenario],
];

/** One command, in one of the worlds. */
export interface Step {
  readonly world: number;
  readonly dialect: Dialect;
  readonly kind: string;
  readonly args: unknown;
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  [...MAKING, ...CHANGING].map(([, kind]) => [kind.name, kind]),
);

export function findKind(step: Step): Kind {
  const kind = KINDS.get(step.kind);
  if (!kind) throw new Error(`There is no command ${step.kind}`);
  return kind;
}

const SCRIPTS: readonly Kind[] = [others.queue, others.scenario];

const makeStep = (kind: Kind, count: number): fc.Arbitrary<Step> =>
  fc.record({
    // Most of what happens is in the first world, or none would get far. Nothing is scripted there: it would hide outcomes.
    world: SCRIPTS.includes(kind)
      ? fc.integer({ min: 1, max: count - 1 })
      : fc.oneof(
          { weight: 3, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.nat({ max: count - 1 }) },
        ),
    dialect: weighted([2, ['documented' as const]], [1, ['sdk' as const]]),
    kind: fc.constant(kind.name),
    args: kind.arbitrary,
  });

type Story = readonly (readonly [Kind, Readonly<Record<string, unknown>>])[];

/** The same record from one command to the next: the newest that fits. */
const newest = { from: 'own', back: 0 };
const CHARGED = { token: newest, amount: '10', currency: 'AUD', capture: true, header: null };
/** A token whose payer is authenticated, which commands by chance seldom come to. */
const AUTHENTICATED: Story = [
  [others.createToken, { pan: DEMANDING_CARDS[0], expiry: '10/40', provider: PROVIDER.steady }],
  [others.chargeToken, CHARGED],
  [others.beginAuthentication, { token: newest }],
  [others.askIssuer, { token: newest }],
  [others.answerChallenge, { transaction: newest }],
  [others.chargeToken, CHARGED],
  [others.chargeToken, CHARGED],
];

const STORED = { pan: '4242424242424242', expiry: '10/40', provider: PROVIDER.steady, header: null };
const HUNDRED = { ...STORED, amount: '100', currency: 'AUD', capture: true };
const TEN = { amount: '10', currency: 'AUD' };
const HALF = { charge: newest, currency: null, parts: [{ share: 'half', reference: null }] };
const ROW = { method: newest, amount: '20.05', currency: 'AUD' };
/** Money that leaves a charge on every way, a batch that runs to its end, a bank that refuses, and a link that is paid twice. */
const SPENT: Story = [
  [charges.card, HUNDRED],
  [charges.transfer, { ...HALF, group: 'g1' }],
  [charges.refund, { charge: newest, share: 'half', header: null, via: 'body' }],
  [charges.transfer, { ...HALF, group: 'g2' }],
  [charges.refund, { charge: newest, share: 'one unit more', header: null, via: 'body' }],
  [charges.refund, { charge: newest, share: null, header: null, via: 'query' }],
  [stored.storeCard, { ...STORED, owner: null }],
  [others.createBatch, { rows: [ROW, { ...ROW, amount: '7' }], isMiscounted: false }],
  [charges.account, { ...STORED, ...TEN, number: '000009995', capture: true }],
  [others.makeLink, { ...TEN, limit: null, types: [], invoice: null }],
  [others.payLink, { ...STORED, link: newest, amount: null }],
  [others.payLink, { ...STORED, link: newest, amount: null }],
  [worlds.advance, { by: 7 * DAY }],
  [charges.refund, { header: null, share: null, via: 'query' }],
];

const tell = (story: Story, count: number): fc.Arbitrary<Step[]> =>
  fc.tuple(
    ...story.map(([kind, fixed]) =>
      makeStep(kind, count).map((step) => ({
        ...step,
        world: 0,
        args: { ...(step.args as object), ...fixed },
      })),
    ),
  );

/** How many commands come first that need nothing to be there. */
const MAKING_MAX = 8;

/** Lists of commands over so many worlds. */
export function steps(count: number, maxLength: number): fc.Arbitrary<Step[]> {
  const oneOf = (choices: readonly Choice[]) =>
    fc.oneof(...choices.map(([weight, kind]) => ({ weight, arbitrary: makeStep(kind, count) })));
  // The few runs of `npm test` would be short ones otherwise, in which the others find nothing.
  const begun = fc.noBias(fc.array(oneOf(MAKING), { maxLength: MAKING_MAX, size: 'max' }));
  const going = fc.array(oneOf([...MAKING, ...CHANGING]), { minLength: 1, maxLength, size: 'max' });
  const told = fc.constantFrom([], AUTHENTICATED, SPENT, SPENT).chain((story) => tell(story, count));
  return fc.tuple(begun, told, going).map((parts) => parts.flat());
}
