import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { sweep, type SweepContext, type SweepFlow } from '../../src/index.js';
import { HOOK, order, pay } from './support.js';

const NO_FAULTS = { faults: [] } as const;

interface Press {
  paid: boolean;
  busy: boolean;
  under: Promise<void> | null;
  lock: Promise<void>;
}

/** A shop in which one order is paid by two presses of its button. */
function doubleClick(press: (context: SweepContext, state: Press) => Promise<void>): SweepFlow {
  return async (context) => {
    const state: Press = { paid: false, busy: false, under: null, lock: Promise.resolve() };
    await context.together(
      () => press(context, state),
      () => press(context, state),
    );
    return { orders: () => [order(state.paid)] };
  };
}

async function search({ fetch }: SweepContext): Promise<boolean> {
  const answer = await fetch('/charge?Reference=order-1');
  const { Charges } = (await answer.json()) as { Charges: { Status: string }[] };
  return Charges.some(({ Status }) => Status === 'SUCCESS');
}

const charge = async (context: SweepContext, state: Press): Promise<void> => {
  state.paid = (await pay(context)).ok;
};
const checkThenCharge = doubleClick(async (context, state) => {
  if (!state.paid) await charge(context, state);
});

test('A double click that charges twice is found, with the order of its calls.', async () => {
  const report = await sweep(checkThenCharge, NO_FAULTS);
  console.log(report.toString(), report.findings[0]?.scenario)
});

describe('A double click', () => {
  const pauses = async (): Promise<void> => {
    await sleep(2);
    await new Promise((resolve) => setTimeout(resolve, 3));
  };
  test.each<[string, boolean, Parameters<typeof doubleClick>[0]]>([
    ['that searches first', false, async (context, state) => { state.paid = (await search(context)) || (await pay(context)).ok; }],
    ['with timers', false, async (context, state) => {
      await pauses();
      if (await search(context)) return;
      await pauses();
      await charge(context, state);
    }],
    ['flag', true, async (context, state) => {
      if (state.busy) return;
      state.busy = true;
      await charge(context, state);
    }],
    ['promise', true, async (context, state) => (state.under ??= charge(context, state))],
    ['lock', true, async (context, state) => {
      const before = state.lock;
      let free = (): void => {};
      state.lock = new Promise((resolve) => (free = resolve));
      await before;
      if (!(await search(context))) await charge(context, state);
      free();
    }],
    ['polls', true, async (context, state) => {
      while (state.busy) await sleep(5);
      state.busy = true;
      if (!(await search(context))) await charge(context, state);
      state.busy = false;
    }],
  ])('%s', async (name, isSafe, press) => {
    const start = performance.now();
    const report = await sweep(doubleClick(press), NO_FAULTS);
    console.log(name, performance.now() - start, report.toString().split('\n')[0], report.leftOut);
    expect(report.findings.length === 0).toBe(isSafe);
  });
});
