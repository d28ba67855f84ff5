import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { sweep, type SweepContext, type SweepFlow } from '../../src/index.js';
import { order, pay } from './support.js';

const NO_FAULTS = { faults: [] } as const;

/** A shop that looks at its order, and then charges. */
function doubleClick(press: (context: SweepContext, paid: { is: boolean }) => Promise<void>): SweepFlow {
  return async (context) => {
    const paid = { is: false };
    await context.together(
      () => press(context, paid),
      () => press(context, paid),
    );
    return { orders: () => [order(paid.is)] };
  };
}

const checkThenCharge = doubleClick(async (context, paid) => {
  if (!paid.is) paid.is = (await pay(context)).ok;
});

test('A double click that charges twice is found.', async () => {
  const report = await sweep(checkThenCharge, NO_FAULTS);
  console.log(report.toString(), report.cells.map(({fault, verdict}) => `${fault}: ${verdict}`));
});
