import { describe, expect, test } from 'vitest';

import { readScenarioText } from '../../../src/scenarios/file/file.js';
import { findHints } from '../../../src/scenarios/vet/hints.js';
import { parseScenario, readSavedScenario } from '../../../src/scenarios/file/schema.js';
import { findUnreachable } from '../../../src/scenarios/vet/unreachable.js';
import { client, good, testSandbox, warningOf } from '../../support/sandbox.js';

/** The paths of what can never match in a scenario. */
function pathsIn(scenario: object): string[] {
  const parsed = readSavedScenario({ name: 'x', ...scenario });
  if ('issues' in parsed) throw new Error(parsed.issues[0]?.message);
  return findUnreachable(parsed.scenario).map(({ path }) => path.join('.'));
}

const decline = { outcome: 'do_not_honor' };
const create = { operation: 'charge.create' };

describe('a rule can never match', () => {
  test.each<[string, ...object[]]>([
    [
      'after one without conditions',
      { then: { nothing: true } },
      { when: { ...create, nth: 2 }, then: decline },
    ],
    [
      'after one with the same conditions',
      { when: create, then: decline },
      { when: create, then: { fault: 'reset' } },
    ],
    [
      'after one with fewer conditions',
      { when: { operation: 'charge.*', reference: 'a-*' }, then: { nothing: true } },
      { when: { ...create, reference: 'a-*', amount: { gt: 5 } }, then: decline },
    ],
    [
      'after an outcome for all that ask a provider',
      { then: decline },
      { when: create, then: { delay: '1s' } },
    ],
  ])('%s', (_, ...rules) => {
    expect(pathsIn({ rules })).toEqual(['rules.1']);
  });

  test.each<[string, ...object[]]>([
    ['acts a few times', { when: create, then: decline, times: 2 }],
    ['acts on the first', { when: { ...create, nth: 1 }, then: decline }],
    ['acts on every second', { when: { ...create, every: 2 }, then: decline }],
    ['acts on later ones', { when: { ...create, after: 1 }, then: decline }],
    ['acts in a state', { when: { ...create, state: { a: 1 } }, then: decline }],
    ['acts above a quota', { then: { fault: { quota: 5, window: '1s' } } }],
    ['selects others', { when: { ...create, reference: 'a' }, then: decline }],
    ['is for another operation', { when: { operation: 'charge.refund' }, then: decline }],
    ['has no effect on some of its operations', { when: { operation: 'charge.refund' }, then: decline }],
  ])('but not after one that %s', (_, rule) => {
    expect(pathsIn({ rules: [rule, { then: { delay: '1s' } }] })).toEqual([]);
    expect(pathsIn({ rules: [rule, { when: { ...create, reference: 'b' }, then: decline }] })).toEqual([]);
  });

  test('but not after an outcome, if reads are delayed as well', () => {
    expect(pathsIn({ rules: [{ then: decline }, { then: { delay: '1s' } }] })).toEqual([]);
  });
});

describe('policies that can never match', () => {
  const policies = [
    { name: 'all', when: { event: 'batch.*' }, then: { drop: true } },
    { when: { event: 'batch.*', status: 'SUCCESS' }, then: { duplicate: 1 } },
    { when: { event: 'transaction.*' }, then: { duplicate: 1 } },
  ];
  const message =
    '"webhook 2" can never match, because "all" comes first and matches everything that it selects. Change their order, or narrow the when of "all"';

  test('are named with their line', async () => {
    const text = JSON.stringify({ name: 'x', webhooks: { policies } }, null, 1);
    const read = await readScenarioText(text, 'a.json');
    const line = text.split('\n').findIndex((one) => one.includes('"SUCCESS"'));
    expect(read).toMatchObject({ problems: [{ file: 'a.json', line: line - 2, message }] });
  });

  test('are refused by the control call, and the scenario before stays', async () => {
    const api = client(testSandbox());
    await good(api.play({ name: 'before', webhooks: { policies: policies.slice(0, 1) } }));
    const { status, body } = await api.play({ name: 'x', webhooks: { policies } });
    expect([status, body['Code']]).toEqual([400, 90]);
    expect(body['Details']).toEqual({ 'Definition.webhooks.policies.1': message });
    expect((await api.read('/_sandbox/scenario'))['Scenario']).toBe('before');
  });
});

describe('a count of all customers together', () => {
  const hinted = (when: object) => ({ when: { ...create, ...when }, then: decline });
  const message =
    '"rule 1" counts the calls of every customer together, because customer "*" only requires that there is one. To count for each customer, add each: customer';

  test('is hinted at with its line', async () => {
    const text = "name: x\nrules:\n  - when:\n      customer: '*'\n      nth: 3\n    then: {delay: 1s}\n";
    const read = await readScenarioText(text, 'a.yaml');
    expect(read).toMatchObject({
      hints: [{ file: 'a.yaml', line: 5, column: 7, message }],
    });
  });

  test.each<[string, object]>([
    ['without a count', { customer: '*' }],
    ['of one customer', { customer: 'c'.repeat(32), nth: 3 }],
    ['that is meant for each', { customer: '*', nth: 3, each: 'customer' }],
    ['of references that begin alike', { reference: 'order-*', nth: 3 }],
  ])('but not %s', (_, when) => {
    const parsed = parseScenario({ name: 'x', rules: [hinted(when)] });
    expect('scenario' in parsed && findHints(parsed.scenario)).toEqual([]);
  });

  test('is hinted at when the scenario is started, and so is one of a policy', async () => {
    const api = client(testSandbox());
    const policies = [{ name: 'all', when: { reference: '*', every: 2 }, then: { drop: true } }];
    const warning = warningOf(
      await good(
        api.play({ name: 'x', rules: [hinted({ customer: '*', after: 1 })], webhooks: { policies } }),
      ),
    );
    expect(warning).toBe(
      `${message}; ${message.replaceAll('customer', 'reference').replace('rule 1', 'all')}`,
    );
  });
});
