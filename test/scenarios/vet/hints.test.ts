import { describe, expect, test } from 'vitest';

import { readScenarioText } from '../../../src/scenarios/file/file.js';
import { client, good, testSandbox, warningOf } from '../../support/sandbox.js';

/** The hints about a file, in which ¦ marks the place of the only one. */
async function hintsAt(marked: string): Promise<unknown> {
  const above = marked.slice(0, marked.indexOf('¦')).split('\n');
  const read = await readScenarioText(marked.replace('¦', ''), 'a.yaml');
  if (!('scenario' in read)) return read;
  const at = { line: above.length, column: (above.at(-1)?.length ?? 0) + 1 };
  expect(read.hints).toMatchObject([at]);
  return read.hints[0]?.message;
}

const file = (text: string): string => `name: a\n${text}\n`;
const when = (text: string): string => file(`rules:\n  - {when: {${text}}, then: {delay: 1s}}`);
const MEANING = 'but only * (any characters) and ? (one) have a meaning';

describe('what can match but looks like a mistake is hinted at with its place', () => {
  const REGULAR = `looks like a regular expression, ${MEANING}`;

  test.each([
    [when('reference: ¦/order-.*/'), `"rule 1": "/order-.*/" ${REGULAR}. Did you mean order-*?`],
    [when("reference: [a, ¦'^a$']"), `"rule 1": "^a$" ${REGULAR}. Did you mean a?`],
    [
      when("reference: ¦'order-%'"),
      `"rule 1": "order-%" looks like a pattern of SQL, ${MEANING}. Did you mean order-*?`,
    ],
    [
      when(String.raw`reference: ¦order-\d+`),
      String.raw`"rule 1": "order-\\d+" ${REGULAR}. Did you mean order-*?`,
    ],
    [when("reference: ¦'(a|b)'"), `"rule 1": "(a|b)" ${REGULAR}`],
    [when("header: {x-shop: ¦'^shop'}"), `"rule 1": "^shop" ${REGULAR}. Did you mean shop?`],
    [
      file("webhooks: {policies: [{name: p, when: {reference: ¦'/a/'}, then: {drop: true}}]}"),
      `"p": "/a/" ${REGULAR}. Did you mean a?`,
    ],
    [
      when('amount: ¦100.005'),
      '"rule 1": amount has more than 2 decimals: 100.005. Name the currency that has them, such as KWD',
    ],
    [
      file('rules:\n  - {when: {nth: [1, 2, 3]}, then: {delay: 1s}, ¦times: 2}'),
      '"rule 1" names 3 calls in nth, but times ends it after 2',
    ],
  ])('%s', async (marked, message) => {
    expect(await hintsAt(marked)).toBe(message);
  });

  test.each([
    when('reference: order-*'),
    when('reference: 100% wool'),
    when('amount: 100.005, currency: KWD'),
    file(
      `providers: [{name: k, providerId: '${'1'.repeat(32)}', currency: KWD}]\nrules: [{when: {amount: 100.005}, then: {delay: 1s}}]`,
    ),
    file('rules: [{when: {nth: [1, 2]}, then: {delay: 1s}, times: 2}]'),
  ])('but not %s', async (text) => {
    expect(await readScenarioText(text, 'a.yaml')).toMatchObject({ hints: [] });
  });

  test('and warned about when the scenario is started', async () => {
    const api = client(testSandbox());
    const rules = [{ when: { reference: '/order-.*/' }, then: { delay: '1s' } }];
    expect(warningOf(await good(api.play({ name: 'x', rules })))).toContain(
      'looks like a regular expression',
    );
  });
});
