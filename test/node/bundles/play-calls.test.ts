import { expect, test } from 'vitest';

import { playCalls } from '../../../src/node/bundles/play-calls.js';
import { readRecordings } from '../../../src/node/replay/recordings.js';
import { WEBHOOKS_ARE_OFF } from '../../../src/webhooks/delivery.js';
import { client, testSandbox } from '../../support/sandbox.js';
import { fileWith } from '../replay/support.js';

const AT = '2026-01-01T00:00:00.000Z';
const JSON_HEADERS = { 'content-type': 'application/json' };
const CHARGE = { Amount: 5, Token: 'tok_approve', Webhook: { Url: 'http://127.0.0.1:9/hook' } };

function journalOf(entries: readonly object[]): string {
  const common = { At: AT, Query: '', RequestHeaders: JSON_HEADERS, Status: 201 };
  const Entries = entries.map((entry) => ({ ...common, ...entry }));
  return fileWith({ Format: 'playmoney-journal', Version: 1, Worlds: [{ World: 'x', Entries }] });
}

test('sends the calls of a file at their times, and calls neither receivers nor the control API', async () => {
  const file = journalOf([
    { Method: 'POST', Path: '/charge/token', RequestBody: CHARGE },
    { Method: 'POST', Path: '/_sandbox/reset', RequestBody: {} },
    { At: '2026-01-03T00:00:00.000Z', Method: 'POST', Path: '/charge/token', RequestBody: CHARGE },
  ]);
  const sandbox = testSandbox({ clock: { mode: 'manual' } });
  const { all } = await readRecordings(file);
  expect(await playCalls(sandbox, all, 'sk_test_a')).toBe(
    'Its 3 calls were sent to a new world, whose webhooks are off: 1 of the answers are different or missing.',
  );
  const api = client(sandbox, 'sk_test_a');
  const off = { Status: 'withheld', Note: expect.stringContaining(WEBHOOKS_ARE_OFF) as string };
  expect(await api.read('/charge')).toMatchObject({ Count: 2 });
  expect(await api.read('/_sandbox/clock')).toMatchObject({ Now: '2026-01-03T00:00:00.000Z' });
  expect(await api.read('/_sandbox/webhooks')).toMatchObject({
    Deliveries: [off, off],
  });
});
