import { describe, expect, test } from 'vitest';

import { card, cardCharge } from '../resources/charges/support.js';
import { type Answer, client, testSandbox, warningOf } from '../support/sandbox.js';
import { SDK, sdkSetup, sdkText } from '../support/sdk.js';
import { STEADY } from '../support/bodies.js';

/** A number that passes the check and is no published test card. */
const PAN = '4539578763621486';

const entriesOf = (answer: Answer): Record<string, unknown>[] =>
  answer.body['Entries'] as Record<string, unknown>[];

describe('the journal of a world that speaks the sdk dialect', () => {
  test('keeps what was really sent and answered', async () => {
    const { api } = sdkSetup();
    const body = cardCharge({ reference: 'r', initiator: 1, webhook: null, threeDSNotificationUrl: 'u' });
    const made = await api.charge(body);
    const [entry] = entriesOf(await api.get('/_sandbox/journal'));
    expect(entry).toMatchObject({
      RequestBody: {
        Amount: 15.5,
        reference: 'r',
        initiator: 1,
        webhook: null,
        threeDSNotificationUrl: 'u',
        PaymentInformation: { CardNumber: '4111********1111', Ccv: '***' },
      },
      ResponseBody: made.body,
      Warning: null,
    });
  });

  test.each(['reference', 'Reference', 'REFERENCE'])(
    'finds by a Reference that was sent as %s',
    async (name) => {
      const { api } = sdkSetup();
      await api.charge(cardCharge({ [name]: 'order-1' }));
      await api.charge(cardCharge({ [name]: 'order-2' }));
      await api.charge(cardCharge({ ref: 'order-1' }));
      expect((await api.read('/_sandbox/journal?Reference=order-1'))['Count']).toBe(1);
      const count = await api.post('/_sandbox/journal/count', { Match: { Reference: 'order-2' } });
      expect(count.body['Count']).toBe(1);
    },
  );

  test('finds by the Reference of the answer, as with a capture', async () => {
    const { api } = sdkSetup();
    const made = await api.charge(cardCharge({ reference: 'order-1', capture: false }));
    await api.post(`/charge/${sdkText(made, 'chargeId')}`, '[]');
    const found = await api.get('/_sandbox/journal?Reference=order-1&Operation=charge.capture');
    expect(found.body['Count']).toBe(1);
  });

  test('keeps the empty list that stands for an empty object, and what is answered as a list', async () => {
    const { api } = sdkSetup();
    const made = await api.charge(cardCharge({ capture: false }));
    await api.post(`/charge/${sdkText(made, 'chargeId')}`, '[]');
    const stored = await api.post('/customer/card', { providerId: STEADY, paymentInformation: card() });
    const listed = await api.get(`/customer/${sdkText(stored, 'customerId')}/payment_method`);
    const [list, , capture] = entriesOf(await api.get('/_sandbox/journal'));
    expect(capture).toMatchObject({ RequestBody: [], ResponseBody: { status: 'SUCCESS' } });
    expect(list?.['ResponseBody']).toEqual(listed.body);
    expect(JSON.stringify(list)).toContain('4111********1111');
  });

  test('hides any other list that was sent', async () => {
    const { api } = sdkSetup();
    await api.charge([PAN]);
    const { text } = await api.get('/_sandbox/journal');
    expect(text).not.toContain(PAN);
    expect(text).toContain('"RequestBody":"***"');
  });

  test('in the documented dialect another spelling is not a Reference', async () => {
    const api = client(testSandbox());
    await api.charge(cardCharge({ reference: 'order-1' }));
    expect((await api.read('/_sandbox/journal?Reference=order-1'))['Count']).toBe(0);
    expect((await api.read('/_sandbox/journal?Operation=charge.create'))['Count']).toBe(1);
  });

  test('keeps the longer text of an error, which the answer has not', async () => {
    const { api } = sdkSetup();
    const answer = await api.charge(cardCharge({ Amount: '0' }));
    const wrongMethod = await api.get('/charge/card');
    const [second, first] = entriesOf(await api.get('/_sandbox/journal'));
    expect(first).toMatchObject({ Status: 400, ResponseBody: answer.body });
    expect(first?.['Warning']).toBe(warningOf(answer));
    expect(first?.['Warning']).toContain('must be greater than 0');
    // Refused before any route was found.
    expect(second).toMatchObject({ Status: 405, ResponseBody: wrongMethod.body });
    expect(second?.['Warning']).toBe(warningOf(wrongMethod));
  });

  test('keeps the warnings of the documented dialect as well', async () => {
    const api = client(testSandbox());
    await api.charge(cardCharge({ Foo: 1 }));
    expect(entriesOf(await api.get('/_sandbox/journal'))).toMatchObject([
      { Warning: 'ignored unknown field "Foo"' },
    ]);
  });

  const SPELLINGS: [number: string, ccv: string][] = [
    ['CardNumber', 'Ccv'],
    ['cardNumber', 'ccv'],
    ['cardnumber', 'cCV'],
    ['CARDNUMBER', 'CCV'],
    ['cARDnUMBER', 'CcV'],
  ];

  test.each(SPELLINGS)('never holds what was sent as %s and %s', async (number, ccv) => {
    const { api } = sdkSetup();
    const information = { [number]: PAN, expiryDate: '12/30', [ccv]: '987' };
    const bodies: [path: string, body: object][] = [
      ['/charge/card', { amount: '5', providerId: '0'.repeat(31) + '1', paymentInformation: information }],
      [
        '/customer/card',
        { ProviderId: '0'.repeat(31) + '1', PAYMENTINFORMATION: information, VaultCard: true },
      ],
      ['/vault', { [number]: PAN, [ccv]: '987' }],
      // Refused, and ignored as unknown.
      ['/charge/card', { amount: 'x', paymentinformation: information, Else: information }],
    ];
    for (const [path, body] of bodies) await api.post(path, body);
    const { body: entry } = await api.post('/vault', { [number]: PAN, [ccv]: '987' });
    await api.get(`/vault/${String(entry['vaultId'])}`);
    await api.get(`/charge?${number}=${PAN}`);
    for (const path of ['/_sandbox/journal', '/_sandbox/journal/export?Format=har']) {
      const { text } = await api.get(path);
      expect(text).toContain('4539********1486');
      expect(text).not.toContain(PAN);
      expect(text).not.toMatch(/\D987\D/);
    }
    expect((await api.get('/_sandbox/journal/export?Format=trace')).text).not.toContain(PAN);
  });
});

describe('an exported trace', () => {
  test('says which dialect its requests were sent in, so that any server can replay it', async () => {
    const { sandbox, api } = sdkSetup();
    const made = await api.charge(cardCharge());
    await api.get('/charge', { 'x-sandbox-dialect': 'documented' });
    const { body } = await api.get('/_sandbox/journal/export?Format=trace');
    const [first, second] = body['Entries'] as { Headers: Record<string, string>; Body: unknown }[];
    expect(second?.Headers).toEqual({ 'x-sandbox-dialect': 'documented' });
    expect(first?.Headers).toEqual({ 'content-type': 'application/json', ...SDK });
    sandbox.close();
    const replayed = await client(testSandbox()).post('/charge/card', first?.Body, first?.Headers);
    expect(replayed.body).toEqual(made.body);
  });

  test('of a documented world has no such header', async () => {
    const api = client(testSandbox());
    await api.charge(cardCharge());
    const { body } = await api.get('/_sandbox/journal/export?Format=trace');
    expect(body['Entries']).toMatchObject([{ Headers: { 'content-type': 'application/json' } }]);
    expect(JSON.stringify(body)).not.toContain('x-sandbox-dialect');
  });
});
