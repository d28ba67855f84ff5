import { describe, expect, test } from 'vitest';

import { endSentence } from '../../src/core/text/text.js';
import { parseCommand } from '../../src/node/cli/parse.js';
import { readScenarioText } from '../../src/scenarios/file/file.js';
import { OptionError } from '../../src/node/options/option.js';
import { asking, client, testSandbox, warningOf } from '../support/sandbox.js';

/** Calls with a typing error, each of which a refusal answers with what was probably meant. */
const MISTYPED: [
  method: 'get' | 'post' | 'put',
  path: string,
  body?: object,
  headers?: Record<string, string>,
][] = [
  ['get', '/chrage'],
  ['get', '/charge?Referense=x'],
  ['post', '/charge/card', { Amout: 5 }],
  ['post', '/charge/card', {}, asking('do_not_honour')],
  ['post', '/charge/card', {}, { 'x-sandbox-fault': 'resett' }],
  ['post', '/_sandbox/outcomes', { Operation: 'charge.creat', Outcomes: ['approve'] }],
  ['post', '/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: ['aprove'] }],
  ['post', '/_sandbox/outcomes', { Operation: 'charge.create', Outcomes: ['approve'], Mach: {} }],
  ['post', '/_sandbox/simulate', { Action: 'vault.expires', Ref: 'x' }],
  ['post', '/_sandbox/reset', { Sed: 1 }],
  ['get', '/_sandbox/snapshots/bofore'],
  ['put', '/_sandbox/scenario', { Definition: { nmae: 'x' } }],
  ['put', '/_sandbox/scenario', { Definition: { name: 'x', rules: [{ then: { outcome: 'aprove' } }] } }],
];

describe('a hint', () => {
  test.each([
    ['is required', 'is required.'],
    ['is wrong; did you mean right?', 'is wrong; did you mean right?'],
    ['ends already.', 'ends already.'],
  ])('ends the sentence "%s"', (text, ended) => {
    expect(endSentence(text)).toBe(ended);
  });

  test.each(MISTYPED)(
    'of %s %s %j %j is not followed by a full stop',
    async (method, path, body, headers) => {
      const api = client(testSandbox({ strict: true }));
      await api.put('/_sandbox/snapshots/before');
      const answer = await (method === 'get' ? api.get(path, headers) : api[method](path, body, headers));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body['Message']).toMatch(/[.?]$/);
      expect(answer.body['Message']).toMatch(/did you mean /i);
      expect(answer.text).not.toContain('?.');
    },
  );

  test('of a state document is not followed by a full stop', async () => {
    const api = client(testSandbox());
    const { body } = await api.get('/_sandbox/state');
    const answer = await api.put('/_sandbox/state', { ...body, Clok: {} });
    expect([answer.status, answer.body['Code']]).toEqual([400, 90]);
    expect(answer.body['Message']).toMatch(/Did you mean Clock\?$/);
  });

  test.each([[['strat']], [['--sed', '1']], [['--log', 'jsn']]])('of playmoney %j ends its line', (args) => {
    const run = (): unknown => parseCommand(args, {});
    expect(run).toThrow(OptionError);
    expect(run).toThrow(/Did you mean [\w-]+\?$/);
  });

  test('of playmoney check ends its line', async () => {
    const read = await readScenarioText('name: x\nrules:\n  - then: { outcome: aprove }\n', 'a.yaml');
    expect(read).toMatchObject({
      problems: [{ message: expect.stringMatching(/Did you mean approve\?$/) }],
    });
  });
});

test.each([
  ['/customer/card', { ExpireSeconds: 60 }, '"ExpireSeconds" (did you mean VaultExpireSeconds?)'],
  ['/customer/card', { ExpireDate: '2030-01-01' }, '"ExpireDate" (did you mean VaultExpireDate?)'],
  ['/customer/card', { Card: true }, '"Card" (did you mean VaultCard?)'],
  ['/vault', { VaultExpireSeconds: 60 }, '"VaultExpireSeconds" (did you mean ExpireSeconds?)'],
  ['/charge/card', { Url: 'http://a' }, '"Url" (did you mean Webhook.Url?)'],
  ['/charge/card', { Ccv: '123' }, '"Ccv" (did you mean PaymentInformation.Ccv?)'],
  ['/charge/card', { GroupReference: 'a' }, '"GroupReference" (did you mean Reference?)'],
  // Two fields end in it, and one does not begin there.
  ['/charge/card', { Name: 'a' }, '"Name"'],
  ['/charge/card', { data: 'a' }, '"data"'],
])('%s with %j warns of the field that was probably meant', async (path, more, named) => {
  const card = { CardNumber: '4111111111111111', ExpiryDate: '10/30', Ccv: '123' };
  const body = { Amount: 5, Currency: 'AUD', ProviderId: '0'.repeat(31) + '1', PaymentInformation: card };
  expect(warningOf(await client(testSandbox()).post(path, { ...body, ...more }))).toContain(named);
});
