import { describe, expect, test } from 'vitest';

import type { World } from '../../src/index.js';
import { charge, WAYS } from './support.js';

/** Calls that a program in JavaScript can make by mistake, and why each is refused. */
const MISTAKES: readonly [what: string, call: (world: AnyWorld) => unknown, why: string][] = [
  [
    'a promise of a path',
    ({ fetch }) => fetch(later('/version')),
    'The argument is a promise. Await it first.',
  ],
  [
    'a promise of a body',
    ({ fetch }) => fetch('/charge/token', { method: 'POST', body: later('{}') }),
    'is a promise.',
  ],
  ['a promise of orders', ({ reconcile }) => reconcile(later([])), 'Orders is a promise. Await it first.'],
  [
    'a query that waits',
    ({ reconcile }) => reconcile({ then: () => [] }),
    'Orders is a promise. Await it first.',
  ],
  ['a promise of a filter', ({ charges }) => charges(later({})), 'The filter is a promise. Await it first.'],
  ['a text as a filter', ({ charges }) => charges('order-1'), 'The filter must be an object, not a string.'],
  ['a promise in a filter', ({ charges }) => charges({ reference: later('a') }), 'reference is a promise'],
  ['a promise of options', ({ reset }) => reset(later({})), 'The argument is a promise. Await it first.'],
  ['a promise of a time-out', ({ settle }) => settle(later({})), 'The argument is a promise.'],
  ['a promise of a card', ({ createToken }) => createToken(later({})), 'The argument is a promise.'],
  ['a promise of a snapshot', ({ restore }) => restore(later('a')), 'The name of the snapshot is a promise.'],
  [
    'a number for a snapshot',
    ({ diff }) => diff(1),
    'The name of the snapshot must be a string, not a number.',
  ],
  ['nothing for a snapshot', ({ forget }) => forget(), 'must be a string, not undefined.'],
  ['a promise of a record', ({ simulate }) => simulate('charge.settle', later('a')), 'Ref is a promise.'],
  ['a promise of a document', ({ importState }) => importState(later({})), 'The argument is a promise.'],
  ['a promise of a duration', ({ clock }) => clock.advance(later('1s')), 'By is a promise. Await it first.'],
  ['a number of milliseconds', ({ clock }) => clock.advance(1000), 'it must be a duration such as 250ms'],
  ['a promise of a mode', ({ clock }) => clock.set(later('real')), 'Mode is a promise. Await it first.'],
  ['no scenario', ({ scenario }) => scenario.use(), 'Definition'],
  ['a promise of a scenario', ({ scenario }) => scenario.use(later({})), 'Definition is a promise.'],
  [
    'a promise of outcomes',
    ({ outcomes }) => outcomes.queue('charge.create', later([])),
    'Outcomes is a promise.',
  ],
  ['a promise of a match', ({ journal }) => journal.count(later({})), 'Match is a promise. Await it first.'],
  [
    'a promise of options',
    ({ journal }) => journal.await({}, later({})),
    'The second argument is a promise.',
  ],
  ['a promise of calls', ({ journal }) => journal.entries(later({})), 'The filter is a promise.'],
  [
    'a promise of a delivery',
    ({ deliveries }) => deliveries.resend(later('a')),
    'is a promise. Await it first.',
  ],
  [
    'a promise of a match of webhooks',
    ({ deliveries }) => deliveries.await('customer.created', later({})),
    'The second argument is a promise.',
  ],
  [
    'a regular expression over the wire',
    ({ journal }) => journal.count({ reference: /^order/ }),
    'Match.Reference is the regular expression /^order/. Pass a text: in a path, * stands for any characters.',
  ],
  [
    'a matcher over the wire',
    ({ journal }) => journal.count({ body: { Reference: expect.any(String) } }),
    'Match.Body.Reference is a matcher of a test runner. Pass the value itself.',
  ],
  [
    'an undefined field of a body',
    ({ journal }) => journal.count({ body: { Reference: undefined } }),
    'Match.Body.Reference is undefined. Leave it out, or pass null if it has no value.',
  ],
  ['a Map', ({ reconcile }) => reconcile(new Map()), 'Orders is a Map, which JSON does not have.'],
  ['a sum that is no number', ({ reconcile }) => reconcile([{ amount: NaN }]), 'Orders.0.Amount is NaN.'],
];

/** What a program without types sees. */
type Untyped<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never[]) => unknown
    ? (...args: unknown[]) => unknown
    : Untyped<T[K]>;
};
type AnyWorld = Untyped<World>;

const later = <T>(value: T): Promise<T> => Promise.resolve(value);

describe.each(WAYS)('%s', (_, reach) => {
  test('an argument that would mean something else is refused, with what it is', async () => {
    const world = (await reach()).world();
    await charge(world, 'order-1');
    const bound = withBoundMethods(world);
    for (const [what, call, why] of MISTAKES) {
      const error = await Promise.resolve()
        .then(() => call(bound))
        .then(
          () => 'nothing',
          (failed: unknown) => String(failed),
        );
      expect(error, what).toContain(why);
    }
    expect((await world.charges()).length).toBe(1);
  });

  test('objects of classes, Dates and what turns itself into JSON are sent', async () => {
    class Order {
      readonly reference = 'order-1';
      readonly amount = { toJSON: () => '5.00' };
      readonly paid = true;
      readonly currency = undefined;
    }
    const world = (await reach()).world();
    await charge(world, 'order-1');
    expect(await world.reconcile([new Order() as never])).toMatchObject({ balanced: true });
    expect(await world.journal.count({ since: new Date('2026-01-01') })).toBe(1);
    expect((await world.clock.advance({ to: new Date('2026-01-02') })).now).toBe('2026-01-02T00:00:00.000Z');
  });
});

function withBoundMethods(world: World): AnyWorld {
  return new Proxy(world, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  }) as unknown as AnyWorld;
}
