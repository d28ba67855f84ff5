import { describe, expect, test } from 'vitest';

import { client, testSandbox } from '../../support/sandbox.js';

const CHARGE = { Amount: 5, Token: 'tok_approve' };

describe('GET /_sandbox/charges', () => {
  test('lists the charges as the service does, and leaves no trace', async () => {
    const api = client(testSandbox());
    await api.post('/charge/token', { ...CHARGE, Reference: 'one' });
    await api.post('/charge/token', { ...CHARGE, Reference: 'two' });
    const { body: searched } = await api.get('/charge');
    expect(await api.read('/_sandbox/charges')).toEqual(searched);
    const { body } = await api.get('/_sandbox/charges?Reference=two&Limit=1');
    expect(body).toMatchObject({ Limit: 1, Skip: 0, Count: 1, Charges: [{ Reference: 'two' }] });
    const { body: journal } = await api.post('/_sandbox/journal/count', {
      Match: { Operation: 'charge.search' },
    });
    expect(journal).toEqual({ Count: 1, Incomplete: false });
  });

  test('has documented field names in a world of the other dialect', async () => {
    const api = client(testSandbox({ dialect: 'sdk' }));
    await api.post('/charge/token', { amount: 5, token: 'tok_approve', reference: 'one' });
    expect(await api.read('/_sandbox/charges')).toMatchObject({ Charges: [{ Reference: 'one' }] });
  });

  test('refuses a filter that it does not know', async () => {
    const { status, body } = await client(testSandbox()).get('/_sandbox/charges?Referense=one');
    expect([status, body['Code']]).toEqual([400, 90]);
    expect(body['Message']).toMatch(/"Referense"; did you mean Reference\?$/);
  });
});
