import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readScenarioText } from '../../../src/scenarios/file/file.js';
import { scenarioFromTrace } from '../../../src/node/record/scenario-from-trace.js';
import type { Scenario } from '../../../src/scenarios/script/model.js';
import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { folder } from '../../support/folder.js';
import { cardOf, STEADY } from '../../support/stored.js';
import { fileWith, replayed, scenarioOf, type Send, sender, server, traceOf } from '../replay/support.js';

const CHARGE = { Amount: '15.50', ProviderId: STEADY, PaymentInformation: cardOf() };

/** The trace of what is sent to a sandbox of its own. */
async function traceFrom(
  play: (send: Send) => Promise<unknown>,
  options: InnerSandboxOptions = {},
): Promise<string> {
  const recorded = await server(options);
  await play(sender(recorded));
  return traceOf(recorded);
}

interface Made {
  readonly text: string;
  readonly err: string;
  readonly scenario: Scenario;
}

async function scenarioFrom(file: string): Promise<Made> {
  let err = '';
  const { text = '' } = await scenarioFromTrace(file, { out: null }, { err: (line) => (err += line) });
  const read = await readScenarioText(text, 'made.yaml');
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return { text, err, scenario: read.scenario };
}

describe('a scenario that is made from a trace', () => {
  test.each(['documented', 'sdk'] as const)('answers each call as it was answered: %s', async (dialect) => {
    const recording = scenarioOf({
      name: 'odd',
      rules: [
        {
          when: { operation: 'charge.create', nth: 2 },
          then: { respond: { status: 418, body: { Odd: [1, 'x'] } } },
        },
        { when: { operation: 'charge.read' }, then: { fault: 'empty' }, times: 1 },
      ],
    });
    const id = dialect === 'sdk' ? 'chargeId' : 'ChargeId';
    const file = await traceFrom(
      async (send) => {
        const { body } = await send('POST /charge/card', CHARGE);
        const path = `/charge/${String(body[id])}`;
        await send('POST /charge/card', CHARGE);
        await send(`GET ${path}`);
        await send(`GET ${path}`);
        await send(`GET ${path}`);
        await send(`DELETE /refund/${String(body[id])}?Amount=2.5`);
        await send('POST /charge/token', { Amount: 5, Token: 'tok_insufficient_funds' });
        await send('POST /customer/card', {
          FirstName: 'Jo',
          ProviderId: STEADY,
          PaymentInformation: cardOf(),
        });
        await send('GET /charge?SortBy=Date');
      },
      { dialect, scenario: recording },
    );
    const { scenario, err } = await scenarioFrom(file);
    expect(err).toBe('');
    expect(scenario.dialect).toBe(dialect === 'sdk' ? 'sdk' : null);
    const again = await server({ scenario, seed: 'other' });
    const { code, out } = await replayed(file, again);
    expect(out).toMatch(/^9 calls .*: 9 equal\.\n$/);
    expect(code).toBe(0);
    // Nothing happened: each answer came from a rule.
    expect(again.sandbox.worlds.find('sk_test_again')?.charges.size).toBe(0);
  });

  test('leaves the dialect to callers that had different ones', async () => {
    const file = await traceFrom(async (send) => {
      await send('GET /charge', undefined, { 'user-agent': 'PayFURL-Java-SDK-v.2022.0.1' });
      await send('GET /charge');
    });
    expect(readFileSync(file, 'utf8')).toContain('"x-sandbox-dialect":"sdk"');
    const { scenario, text } = await scenarioFrom(file);
    expect(scenario.dialect, text).toBeNull();
  });

  test('has one rule for equal answers in a row, and names the call of each', async () => {
    const file = await traceFrom(async (send) => {
      for (let n = 0; n < 3; n++) await send('GET /charge');
      await send('GET /customer');
    });
    const { scenario } = await scenarioFrom(file);
    expect(scenario.rules.map(({ name, when, times }) => [name, when.operation, times])).toEqual([
      ['call 1', ['charge.search'], 3],
      ['call 4', ['customer.search'], 1],
    ]);
  });

  test.each(['journal/export?Format=har', 'journal/export?Format=trace', 'bundle'])(
    'has no rule for a call that a restore undid: %s',
    async (path) => {
      const recorded = await server();
      const send = sender(recorded);
      await send('PUT /_sandbox/snapshots/before');
      await send('POST /charge/token', { Amount: 5, Token: 'tok_insufficient_funds' });
      await send('POST /_sandbox/snapshots/before/restore');
      await send('POST /charge/token', { Amount: 5, Token: 'tok_approve' });
      const { text } = await send(`GET /_sandbox/${path}`);
      const { scenario } = await scenarioFrom(fileWith(text));
      expect(scenario.rules).toHaveLength(1);
      expect(scenario.rules[0]?.effect).toMatchObject({ fault: { status: 201 } });
    },
  );

  test('leaves calls that no rule can answer to the sandbox, and says which', async () => {
    const file = await traceFrom(async (send) => {
      await send('POST /charge/card', { ...CHARGE, Amount: 'much' });
      await send('GET /nowhere');
      await send('POST /charge/card', CHARGE);
    });
    const { scenario, err } = await scenarioFrom(file);
    expect(err).toBe(
      'No rule can answer 2 calls (1, 2): a sandbox refuses them before its rules apply, or the trace has only a part of them.\n',
    );
    expect(scenario.rules.map(({ name }) => name)).toEqual(['call 3']);
    expect(await replayed(file, await server({ scenario }))).toMatchObject({ code: 0 });
  });

  test('leaves calls alone that say by a header how they are answered', async () => {
    const file = await traceFrom(async (send) => {
      await send('POST /charge/card', CHARGE, { 'x-sandbox-fault': 'empty' });
      await send('GET /charge');
    });
    const { scenario, err } = await scenarioFrom(file);
    expect(err).toContain('No rule can answer 1 call (1): ');
    expect(scenario.rules).toHaveLength(1);
    expect(await replayed(file, await server({ scenario }))).toMatchObject({ code: 0 });
  });

  test('has as many rules as a scenario may have', async () => {
    const file = await traceFrom((send) => send('GET /charge'));
    const { Entries, ...head } = JSON.parse(readFileSync(file, 'utf8')) as { Entries: object[] };
    const entries = Array.from({ length: 502 }, (_, n) => ({ ...Entries[0], Response: { Count: n } }));
    const { scenario, err } = await scenarioFrom(fileWith({ ...head, Entries: entries }, 'long.json'));
    expect(scenario.rules).toHaveLength(500);
    expect(err).toBe('A scenario has at most 500 rules: left out the last 2 rules.\n');
  });

  test('is written into a file that is not there yet', async () => {
    const file = await traceFrom((send) => send('GET /charge'));
    const out = join(folder(), 'made.yaml');
    const silent = { err: () => {} };
    expect(await scenarioFromTrace(file, { out }, silent)).toEqual({ text: `${out}: 1 rule\n`, exitCode: 0 });
    expect(readFileSync(out, 'utf8')).toMatch(/^name: answers from trace\.json\n/);
    writeFileSync(out, 'mine');
    await expect(scenarioFromTrace(file, { out }, silent)).rejects.toThrow(
      `${out} already exists; choose another name for the scenario`,
    );
    expect(readFileSync(out, 'utf8')).toBe('mine');
  });
});
