import { describe, expect } from 'vitest';
import { testsOf } from '../../support/tests.js';

import { client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { AMEX, VISA } from '../../support/bodies.js';
import { after, AN_ID, EMPTY, expectRefused, NOW, textIn } from '../../support/stored.js';

function setup() {
  const sandbox = testSandbox();
  const api = client(sandbox);
  return { sandbox, api, store: (body: object | string) => api.post('/vault', body) };
}

const test = testsOf(() => setup());

describe('POST /vault', () => {
  test('answers the entry with nothing of the card but its mask', async ({ store }) => {
    const made = await store({ CardNumber: VISA, Ccv: '123', ExpireSeconds: 3600 });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      VaultId: AN_ID,
      CreatedDate: NOW,
      ExpireDate: after(3_600_000),
      MaskedCardNumber: '4111********1111',
      HasCvv: true,
    });
  });

  test('keeps a card without a Ccv and without an end until it is deleted', async ({ api, store }) => {
    const made = await store({ CardNumber: VISA });
    expect(made.body).toMatchObject({ ExpireDate: null, HasCvv: false });
    await api.advance('36500d');
    const read = await api.get(`/vault/${textIn(made, 'VaultId')}`);
    expect(read.body).toMatchObject({ CardNumber: VISA, Ccv: null, CreatedDate: NOW });
  });

  test.for<[what: string, body: object, shown: object, pan?: string]>([
    ['blanks in the number', { CardNumber: '4111 1111 1111 1111' }, {}],
    ['hyphens in the number', { CardNumber: '4111-1111-1111-1111' }, {}],
    [
      'four digits on American Express',
      { CardNumber: AMEX, Ccv: '1234' },
      { MaskedCardNumber: '3782*******0005', HasCvv: true },
      AMEX,
    ],
    ['twelve digits', { CardNumber: '501800000009' }, { MaskedCardNumber: '5018****0009' }, '501800000009'],
    [
      'nineteen digits',
      { CardNumber: '6304000000000000000' },
      { MaskedCardNumber: '6304***********0000' },
      '6304000000000000000',
    ],
    ['seconds as text', { ExpireSeconds: '60' }, { ExpireDate: after(60_000) }],
    ['a date with a zone', { ExpireDate: '2026-01-01T02:00:01+02:00' }, { ExpireDate: after(1000) }],
    ['a date one millisecond ahead', { ExpireDate: '2026-01-01T00:00:00.001Z' }, { ExpireDate: after(1) }],
    [
      'explicit nulls as absent members',
      { Ccv: null, ExpireSeconds: null, ExpireDate: null },
      { ExpireDate: null, HasCvv: false },
    ],
  ])('takes %s', async ([, body, shown, pan = VISA], { api, store }) => {
    const made = await store({ CardNumber: VISA, ...body });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(shown);
    expect((await api.read(`/vault/${textIn(made, 'VaultId')}`))['CardNumber']).toBe(pan);
  });

  test.for<[what: string, body: object, code: number]>([
    ['no CardNumber', {}, 90],
    ['a null CardNumber', { CardNumber: null }, 90],
    ['a CardNumber with a wrong check digit', { CardNumber: '4000000000000000' }, 5],
    ['a CardNumber of letters', { CardNumber: 'abcdefghijklmnop' }, 5],
    ['a CardNumber that is a number', { CardNumber: 4111111111111111 }, 5],
    ['two blanks in the CardNumber', { CardNumber: '4111  111111111111' }, 5],
    ['a CardNumber of eleven digits', { CardNumber: '41111111111' }, 55],
    ['a CardNumber of twenty digits', { CardNumber: '41111111111111111111' }, 55],
    ['an empty CardNumber', { CardNumber: '' }, 55],
    ['a Ccv of two digits', { CardNumber: VISA, Ccv: '12' }, 6],
    ['a Ccv of four digits on a Visa', { CardNumber: VISA, Ccv: '1234' }, 6],
    ['a Ccv of three digits on an American Express', { CardNumber: AMEX, Ccv: '123' }, 6],
    ['a Ccv of letters', { CardNumber: VISA, Ccv: 'abc' }, 6],
    ['a Ccv that is a number', { CardNumber: VISA, Ccv: 123 }, 6],
    ['an empty Ccv', { CardNumber: VISA, Ccv: '' }, 6],
    ['seconds in words', { CardNumber: VISA, ExpireSeconds: 'soon' }, 83],
    ['seconds in an object', { CardNumber: VISA, ExpireSeconds: {} }, 83],
    ['a date that is now', { CardNumber: VISA, ExpireDate: NOW }, 83],
    ['a date in the past', { CardNumber: VISA, ExpireDate: '2025-12-31T23:59:59.999Z' }, 83],
    ['a date without a time', { CardNumber: VISA, ExpireDate: '2031-01-01' }, 83],
  ])('refuses %s and stores nothing', async ([, body, code], { api, store }) => {
    expectRefused(await store(body), 400, code);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('says where card numbers are listed, since an example would be masked', async ({ store }) => {
    const { body } = await store({});
    expect(body['Details']).toEqual({
      CardNumber: 'is required; GET /_sandbox/triggers lists test cards',
    });
  });

  test('takes seconds that are written with a point', async ({ store }) => {
    const { body } = await store(`{"CardNumber":"${VISA}","ExpireSeconds":60.0}`);
    expect(body['ExpireDate']).toBe(after(60_000));
  });

  test('keeps an entry for thousands of years where its seconds say so', async ({ store }) => {
    expect((await store({ CardNumber: VISA, ExpireSeconds: 99_999_999_999 })).body).toMatchObject({
      ExpireDate: '5194-11-16T09:46:39.000Z',
    });
  });

  test('refuses seconds that lead beyond the last date', async ({ api, store }) => {
    await api.put('/_sandbox/clock', { Mode: 'manual', Now: '9999-12-31T23:59:58Z' });
    expect((await store({ CardNumber: VISA, ExpireSeconds: 1 })).body).toMatchObject({
      ExpireDate: '9999-12-31T23:59:59.000Z',
    });
    expectRefused(await store({ CardNumber: VISA, ExpireSeconds: 2 }), 400, 83);
  });

  test('says every wrong field in the details', async ({ store }) => {
    const { body } = await store({ CardNumber: '4000000000000000', Ccv: 'x', ExpireSeconds: 0 });
    expect(body['Details']).toEqual({
      CardNumber: expect.stringContaining('check digit') as string,
      Ccv: expect.stringContaining('three digits') as string,
      ExpireSeconds: expect.stringContaining('greater than 0') as string,
    });
  });

  test('warns of a number that is not a test card, and never writes it out', async ({ store }) => {
    const made = await store({ CardNumber: '4012888888881881' });
    expect(made.status).toBe(201);
    expect(warningOf(made)).toContain('not a published test card');
    expect(made.text).not.toContain('4012888888881881');
  });

  test('refuses a number that is not a test card if the sandbox accepts only test cards', async () => {
    const api = client(testSandbox({ testCardsOnly: true }));
    expectRefused(await api.post('/vault', { CardNumber: '4012888888881881' }), 400, 5);
    await good(api.post('/vault', { CardNumber: VISA }));
  });

  test('refuses an entry when the world is full', async () => {
    const api = client(testSandbox({ recordsMax: 1 }));
    await good(api.post('/vault', { CardNumber: VISA }));
    expectRefused(await api.post('/vault', { CardNumber: VISA }), 409, 90);
  });
});

describe('GET /vault/{id}', () => {
  test('answers the whole card', async ({ api, store }) => {
    const made = await store({ CardNumber: VISA, Ccv: '123', ExpireDate: '2031-01-01T00:00:00Z' });
    const read = await good(api.get(`/vault/${textIn(made, 'VaultId')}`));
    expect(read.body).toEqual({
      VaultId: made.body['VaultId'],
      CreatedDate: NOW,
      ExpireDate: '2031-01-01T00:00:00.000Z',
      MaskedCardNumber: '4111********1111',
      HasCvv: true,
      CardNumber: VISA,
      Ccv: '123',
    });
  });

  test('reads as often as asked: reading does not use up the Ccv', async ({ api, store }) => {
    const path = `/vault/${textIn(await store({ CardNumber: VISA, Ccv: '123' }), 'VaultId')}`;
    const first = await api.get(path);
    expect(await api.read(path)).toEqual(first.body);
  });

  test.for([
    ['an identifier that never was', '0'.repeat(32)],
    ['a text that is no identifier', 'nonsense'],
    ['an identifier in capitals', 'CAPITALS'],
  ])('refuses %s', async ([, id], { api, store }) => {
    const made = textIn(await store({ CardNumber: VISA }), 'VaultId');
    const asked = id === 'CAPITALS' ? made.toUpperCase() : id;
    const answer = await api.get(`/vault/${asked}`);
    expectRefused(answer, 404, 62);
    expect(answer.body['Resource']).toBe(`/vault/${asked}`);
  });
});

describe('DELETE /vault/{id}', () => {
  test('answers the removed entry without its card', async ({ api, store }) => {
    const made = await store({ CardNumber: VISA, Ccv: '123', ExpireSeconds: 60 });
    const removed = await good(api.del(`/vault/${textIn(made, 'VaultId')}`));
    expect(removed.body).toEqual(made.body);
  });

  test('works once, and ends reading as well', async ({ api, store }) => {
    const path = `/vault/${textIn(await store({ CardNumber: VISA }), 'VaultId')}`;
    await good(api.del(path));
    expectRefused(await api.del(path), 404, 62);
    expectRefused(await api.get(path), 404, 62);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('leaves nothing for the clock to do', async ({ api, store }) => {
    const made = await store({ CardNumber: VISA, ExpireSeconds: 60 });
    await api.del(`/vault/${textIn(made, 'VaultId')}`);
    expect((await api.advance('2m')).body).toMatchObject({ Jobs: 0, Ran: [] });
  });

  test('leaves the other entries and their identifiers alone', async ({ api, store }) => {
    const first = textIn(await store({ CardNumber: VISA }), 'VaultId');
    const second = textIn(await store({ CardNumber: AMEX }), 'VaultId');
    await api.del(`/vault/${first}`);
    expect((await api.read(`/vault/${second}`))['CardNumber']).toBe(AMEX);
    expect(textIn(await store({ CardNumber: VISA }), 'VaultId')).not.toBe(first);
  });
});

describe('the end of an entry', () => {
  test.for<[what: string, body: object]>([
    ['seconds', { ExpireSeconds: 60 }],
    ['a date', { ExpireDate: after(60_000) }],
  ])('comes at the very instant that %s say', async ([, expiry], { api, store }) => {
    const made = await store({ CardNumber: VISA, Ccv: '123', ...expiry });
    const path = `/vault/${textIn(made, 'VaultId')}`;
    await api.advance('59999ms');
    expect(await api.read(path)).toMatchObject({ CardNumber: VISA, Ccv: '123' });
    const ended = await api.advance('1ms');
    expect(ended.body).toMatchObject({
      Now: after(60_000),
      Ran: [{ At: after(60_000), Kind: 'vault.expire', Ref: made.body['VaultId'] }],
    });
    expectRefused(await api.get(path), 404, 62);
    expectRefused(await api.del(path), 404, 62);
    expect(await api.counts()).toEqual(EMPTY);
  });

  test('comes with the wall clock as well, also when nobody asked in between', async () => {
    const sandbox = testSandbox({ clock: { mode: 'real' } });
    const api = client(sandbox);
    const made = await api.post('/vault', { CardNumber: VISA, ExpireSeconds: 60 });
    sandbox.host.wall += 59_999;
    await good(api.get(`/vault/${textIn(made, 'VaultId')}`));
    sandbox.host.wall += 1;
    expectRefused(await api.get(`/vault/${textIn(made, 'VaultId')}`), 404, 62);
  });

  test('comes in the order of the ends, not of the entries', async ({ api, store }) => {
    const late = await store({ CardNumber: VISA, ExpireSeconds: 20 });
    const early = await store({ CardNumber: VISA, ExpireSeconds: 10 });
    expect((await api.advance('1m')).body['Ran']).toMatchObject([
      { At: after(10_000), Ref: early.body['VaultId'] },
      { At: after(20_000), Ref: late.body['VaultId'] },
    ]);
  });
});
