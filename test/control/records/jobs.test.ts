import { expect, test } from 'vitest';

import { client, testSandbox } from '../../support/sandbox.js';
import { storing, textIn } from '../../support/stored.js';

const CARD = storing();

test('GET /_sandbox/jobs lists what is due, the next first, and an advance runs it.', async () => {
  const api = client(testSandbox());
  await api.post('/vault', storing({ CardNumber: '4111111111111111', ExpireSeconds: 60 }));
  const first = textIn(await api.charge({ ...CARD, Amount: 5, Capture: false }), 'ChargeId');
  await api.advance('1h');
  const second = textIn(await api.charge({ ...CARD, Amount: 6, Capture: false }), 'ChargeId');
  const expiring = (At: string, Ref: string): object => ({ At, Kind: 'authorisation.expire', Ref });
  const jobs = [expiring('2026-01-08T00:00:00.000Z', first), expiring('2026-01-08T01:00:00.000Z', second)];
  expect(await api.read('/_sandbox/jobs?Kind=authorisation.expire')).toEqual({
    Limit: 100,
    Skip: 0,
    Count: 2,
    Jobs: jobs,
  });
  expect(await api.read(`/_sandbox/jobs?Ref=${second}`)).toMatchObject({ Count: 1, Jobs: [jobs[1]] });
  expect(await api.read('/_sandbox/jobs?Limit=1&Skip=1')).toMatchObject({ Count: 2, Jobs: [jobs[1]] });
  expect(await api.read('/_sandbox/jobs?Kind=nothing')).toMatchObject({ Count: 0, Jobs: [] });
  const { body } = await api.post('/_sandbox/clock/advance', { To: '2026-01-08T00:00:00Z' });
  expect(body).toMatchObject({ Ran: [jobs[0]] });
  expect(await api.read('/_sandbox/jobs')).toMatchObject({ Count: 1, Jobs: [jobs[1]] });
});
