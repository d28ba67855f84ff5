import fc from 'fast-check';

import { definitionOf, SCENARIOS } from '../provider.js';
import { AUTHORISATION_TTL, DAY, HOUR, SECOND, TOKEN_TTL } from '../spec.js';
import { type Body, define, del, get, post, put, refuse } from './kind.js';
import { BATCH_STEPS } from './later.js';

/** The tester's hands: clock, scenario, queue, snapshots, reset. */

const STEPS = [
  ...BATCH_STEPS,
  0,
  1,
  10 * SECOND,
  60 * SECOND,
  60 * SECOND - 1,
  TOKEN_TTL,
  TOKEN_TTL - 1,
  HOUR,
  HOUR + 1,
  DAY,
  3 * DAY,
  AUTHORISATION_TTL,
  AUTHORISATION_TTL - 1,
  31 * DAY,
];

const isAt = (instant: number) => (body: Body) => {
  if (body['Now'] !== new Date(instant).toISOString()) throw new Error(`Now is ${String(body['Now'])}`);
};

export const advance = define(
  'advance the clock',
  fc.record({ by: fc.constantFrom(...STEPS) }),
  (context, { by }) => {
    const to = context.state.now + by;
    return {
      call: post('/_sandbox/clock/advance', { By: `${by}ms` }),
      decide: () => ({ events: () => [{ kind: 'advanced', to }], check: isAt(to) }),
    };
  },
);

export const turnBack = define(
  'turn the clock back',
  fc.record({ by: fc.constantFrom(1, DAY) }),
  ({ state }, { by }) => ({
    call: post('/_sandbox/clock/advance', { To: new Date(state.now - by).toISOString() }),
    decide: () => refuse(400, 90),
  }),
);

export const queue = define(
  'queue outcomes',
  fc.record({
    operation: fc.constantFrom(
      'charge.create',
      'charge.capture',
      'charge.void',
      'charge.refund',
      'paymentMethod.create',
    ),
    outcomes: fc.array(fc.constantFrom('approve', 'issuer_unavailable', 'insufficient_funds'), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  (_, { operation, outcomes }) => ({
    call: post('/_sandbox/outcomes', { Operation: operation, Outcomes: outcomes }),
    decide: () => ({ events: () => [{ kind: 'queued', operation, outcomes }] }),
  }),
);

export const scenario = define(
  'switch the scenario',
  fc.record({ to: fc.constantFrom(null, ...SCENARIOS.keys()) }),
  (_, { to }) => ({
    call:
      to === null ? del('/_sandbox/scenario') : put('/_sandbox/scenario', { Definition: definitionOf(to) }),
    decide: () => ({ events: () => [{ kind: 'played', scenario: to }], chooses: to }),
  }),
);

const SNAPSHOT = '/_sandbox/snapshots/s';

export const save = define('save a snapshot', fc.constant({}), () => ({
  call: put(SNAPSHOT),
  decide: () => ({ saves: 'these' }),
}));

export const restore = define('restore the snapshot', fc.constant({}), ({ saved }) => ({
  call: post(`${SNAPSHOT}/restore`),
  decide: () => (saved === null ? refuse(404, 90) : { instead: saved }),
}));

const STATE = '/_sandbox/state';

export const exportWorld = define('export the world', fc.constant({}), () => ({
  call: get(STATE),
  decide: () => ({ exports: true }),
}));

export const importWorld = define('import the world', fc.constant({}), ({ exported }) => ({
  call: put(STATE, exported?.document ?? {}),
  decide: () => (exported === null ? refuse(400, 90) : { instead: exported.events }),
}));

/** A reset begins anew what the world was switched to. */
export const reset = define('reset', fc.constant({}), ({ chosen }) => ({
  call: post('/_sandbox/reset'),
  decide: () => ({ instead: chosen === null ? [] : [{ kind: 'played', scenario: chosen }], saves: 'none' }),
}));
