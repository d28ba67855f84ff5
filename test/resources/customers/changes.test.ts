import { describe, expect, test } from 'vitest';

import { type Answer, client, type Client, good, testSandbox, warningOf } from '../../support/sandbox.js';
import { STEADY, storing } from '../../support/bodies.js';
import { after, expectRefused, NOW, textIn } from '../../support/stored.js';

const UNKNOWN = '0123456789abcdef0123456789abcdef';
const ADDRESS = { Line1: '1 High St', City: 'Sydney', Country: 'AU', PostalCode: '2000', State: 'NSW' };
const PERSON = {
  Reference: 'r-1',
  FirstName: 'Jo',
  LastName: 'Smith',
  Email: 'jo@example.com',
  Phone: '0255501',
  Address: ADDRESS,
  Ip: '203.0.113.7',
  Metadata: { plan: 'gold' },
};

/** A world with one customer. */
async function setup(more: object = {}) {
  const api = client(testSandbox());
  const made = await create(api, more);
  const id = textIn(made, 'CustomerId');
  const method = textIn(made, 'DefaultPaymentMethod', 'PaymentMethodId');
  const update = (body: unknown): Promise<Answer> => api.put(`/customer/${id}`, body);
  const read = (): Promise<Answer> => api.get(`/customer/${id}`);
  const remove = (): Promise<Answer> => api.del(`/customer/${id}`);
  const charge = (): Promise<Answer> =>
    api.post('/charge/customer', { Amount: 5, ProviderId: STEADY, CustomerId: id });
  return { api, made, id, method, update, read, remove, charge };
}

async function create(api: Client, more: object = {}): Promise<Answer> {
  const made = await api.post('/customer/card', storing({ ...PERSON, ...more }));
  expect(made.status, made.text).toBe(201);
  return made;
}

/** Adds a second card to a customer. */
async function addCard(api: Client, id: string, more: object = {}): Promise<string> {
  const body = storing(more);
  return textIn(await api.post(`/customer/${id}/payment_method/card`, body), 'PaymentMethodId');
}

describe('PUT /customer/{id}', () => {
  test('changes every field that is given, and answers with the whole customer', async () => {
    const { made, update, read } = await setup();
    const change = {
      Reference: 'r-2',
      FirstName: 'Joanna',
      LastName: 'Jones',
      Email: 'joanna@example.org',
      Phone: '+61311111111',
      Address: { Line1: '2 Low St' },
    };
    const answer = await update(change);
    expect(answer.status).toBe(200);
    expect(warningOf(answer)).toBeNull();
    expect(answer.body).toEqual({
      ...made.body,
      ...change,
      // The whole address is another one.
      Address: { Line1: '2 Low St', Line2: null, City: null, Country: null, PostalCode: null, State: null },
      DefaultPaymentMethod: { ...(made.body['DefaultPaymentMethod'] as object), Email: change.Email },
    });
    expect((await read()).body).toEqual(answer.body);
  });

  test.each(['Reference', 'FirstName', 'LastName', 'Phone'])('changes %s alone', async (name) => {
    const { made, update } = await setup();
    expect((await update({ [name]: 'other' })).body).toEqual({ ...made.body, [name]: 'other' });
  });

  test.each<[what: string, body: object]>([
    ['nothing', {}],
    ['null', { Email: null, Address: null, DefaultPaymentMethodId: null }],
    ['what is there already', PERSON],
  ])('leaves all as it is where %s is given', async (_, body) => {
    const { made, update } = await setup();
    const { Ip: _ip, Metadata: _metadata, ...changeable } = body as typeof PERSON;
    const answer = await update(changeable);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(made.body);
  });

  test('says that it does not know what cannot be changed', async () => {
    const { made, update } = await setup();
    const answer = await update({ Metadata: { plan: 'tin' }, FirstNam: 'x' });
    expect(answer.body).toEqual(made.body);
    const warning = warningOf(answer);
    expect(warning).toContain('Metadata');
    expect(warning).toContain('"FirstNam" (did you mean FirstName?)');
  });

  test('makes another method of the customer the one that is charged', async () => {
    const { api, id, method, update, charge } = await setup();
    const second = await addCard(api, id);
    const answer = await update({ DefaultPaymentMethodId: second });
    expect(answer.status).toBe(200);
    expect(textIn(answer, 'DefaultPaymentMethod', 'PaymentMethodId')).toBe(second);
    expect(textIn(await charge(), 'PaymentInformation', 'PaymentMethodId')).toBe(second);
    await update({ DefaultPaymentMethodId: method });
    expect(textIn(await charge(), 'PaymentInformation', 'PaymentMethodId')).toBe(method);
  });

  test('refuses a default that is not a live method of the customer, and changes nothing', async () => {
    const { api, id, made, update, read } = await setup();
    const others = textIn(await create(api), 'DefaultPaymentMethod', 'PaymentMethodId');
    const alone = textIn(await api.post('/payment_method/card', storing()), 'PaymentMethodId');
    const removed = await addCard(api, id);
    await api.del(`/payment_method/${removed}`);
    const cases = [
      [UNKNOWN, 404, 56],
      [removed, 409, 73],
      [others, 400, 57],
      [alone, 400, 57],
    ] as const;
    for (const [DefaultPaymentMethodId, status, code] of cases) {
      expectRefused(await update({ Email: 'new@example.com', DefaultPaymentMethodId }), status, code);
    }
    expect((await update({ DefaultPaymentMethodId: others })).body['Details']).toEqual({
      DefaultPaymentMethodId: 'does not belong to this customer',
    });
    expect((await read()).body).toEqual(made.body);
  });

  test.each<[body: unknown, name: string]>([
    [{ Email: 5 }, 'Email'],
    [{ Phone: [] }, 'Phone'],
    [{ Address: 'x' }, 'Address'],
    [{ Address: { Line1: 5 } }, 'Address.Line1'],
    [{ FirstName: 'x'.repeat(1025) }, 'FirstName'],
    [{ DefaultPaymentMethodId: 5 }, 'DefaultPaymentMethodId'],
  ])('refuses %j', async (body, name) => {
    const { made, update, read } = await setup();
    const answer = await update(body);
    expectRefused(answer, 400, 90, name);
    expect((await read()).body).toEqual(made.body);
  });

  test('does not know a customer that was never made', async () => {
    expectRefused(await client(testSandbox()).put(`/customer/${UNKNOWN}`, {}), 404, 52);
  });

  test('shows with what was charged before', async () => {
    const { api, update, charge } = await setup();
    const id = textIn(await charge(), 'ChargeId');
    await update({ FirstName: 'Joanna' });
    expect((await api.read(`/charge/${id}`))['Customer']).toMatchObject({ FirstName: 'Joanna' });
  });

  test('is found by its new reference and address, and no more by the old ones', async () => {
    const { api, id, update } = await setup();
    const [before, after1] = [await create(api), await create(api)].map((made) => textIn(made, 'CustomerId'));
    const found = async (query: string): Promise<unknown[]> =>
      ((await api.read(`/customer?${query}`))['Customers'] as { CustomerId: string }[]).map(
        ({ CustomerId }) => CustomerId,
      );
    await update({ Reference: 'r-2', Email: 'New@example.com' });
    expect(await found('Reference=r-1')).toEqual([after1, before]);
    expect(await found('Email=jo@example.com')).toEqual([after1, before]);
    expect(await found('Reference=r-2')).toEqual([id]);
    expect(await found('Email=new@example.com')).toEqual([id]);
    // Back among the others it stands where its date says.
    await update({ Reference: 'r-1', Email: 'jo@example.com' });
    expect(await found('Reference=r-1')).toEqual([after1, before, id]);
    expect(await found('Email=jo@example.com&SortBy=Date')).toEqual([id, before, after1]);
    expect(await found('Reference=r-2')).toEqual([]);
  });
});

describe('DELETE /customer/{id}', () => {
  test('answers the customer as it stays: without address and phone number, and without a default', async () => {
    const { api, made, read, remove } = await setup();
    await api.advance('1m');
    const answer = await remove();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...made.body,
      Email: 'deleted',
      Phone: 'deleted',
      DateRemoved: after(60_000),
      DefaultPaymentMethod: null,
    });
    expect((await read()).body).toEqual(answer.body);
  });

  test('reads deleted also where there was no address', async () => {
    const { remove } = await setup({ Email: undefined, Phone: undefined });
    expect((await remove()).body).toMatchObject({ Email: 'deleted', Phone: 'deleted' });
  });

  test('removes its payment methods, which stay readable', async () => {
    const { api, id, method, remove } = await setup();
    const second = await addCard(api, id);
    await api.del(`/payment_method/${second}`);
    await api.advance('1m');
    await remove();
    expect(await api.read(`/payment_method/${method}`)).toMatchObject({
      CustomerId: id,
      Email: 'deleted',
      DateRemoved: after(60_000),
      Customer: { CustomerId: id, Email: 'deleted', Phone: 'deleted' },
    });
    // One that was removed before keeps its date.
    expect((await api.read(`/payment_method/${second}`))['DateRemoved']).toBe(NOW);
    expect((await api.get(`/customer/${id}/payment_method`)).text).toBe('[]');
  });

  test('leaves vault entries and charges as they are', async () => {
    const { api, made, charge, remove } = await setup({ VaultCard: true });
    const charged = await charge();
    await remove();
    const vault = textIn(made, 'DefaultPaymentMethod', 'VaultId');
    await good(api.get(`/vault/${vault}`));
    expect((await api.del(`/refund/${textIn(charged, 'ChargeId')}`)).body).toMatchObject({
      Status: 'REFUND',
      Customer: { FirstName: 'Jo', Email: 'deleted' },
    });
  });

  test('leaves nothing that could be charged', async () => {
    const { api, method, charge, remove } = await setup();
    await remove();
    const before = await api.counts();
    expectRefused(await charge(), 409, 72);
    const body = { Amount: 5, Currency: 'AUD', PaymentMethodId: method };
    expectRefused(await api.post('/charge/payment_method', body), 409, 73);
    expect(await api.counts()).toEqual(before);
  });

  test('leaves nothing that could be changed, nor removed again', async () => {
    const { api, id, method, update, read, remove } = await setup();
    const removed = await remove();
    await api.advance('1m');
    const card = storing();
    expectRefused(await remove(), 409, 72);
    expectRefused(await update({ Email: 'new@example.com' }), 409, 72);
    expectRefused(await api.post(`/customer/${id}/payment_method/card`, card), 409, 72);
    expectRefused(await api.post(`/customer/${id}/payment_method/token`, { Token: 'tok_approve' }), 409, 72);
    expectRefused(await api.put(`/payment_method/${method}`, { Card: { ExpiryDate: '11/31' } }), 409, 73);
    expectRefused(await api.del(`/payment_method/${method}`), 409, 73);
    expect((await read()).body).toEqual(removed.body);
  });

  test('comes through a snapshot and a document as it is', async () => {
    const { api, id, remove } = await setup();
    await create(api);
    await remove();
    const before = await api.get('/customer?IncludeRemoved=true');
    const { body } = await api.get('/_sandbox/state');
    await api.put('/_sandbox/snapshots/one');
    for (const restore of [
      () => api.post('/_sandbox/snapshots/one/restore'),
      () => api.put('/_sandbox/state', body),
    ]) {
      expect((await restore()).status).toBe(200);
      expect(await api.read('/customer?IncludeRemoved=true')).toEqual(before.body);
      expect((await api.read('/customer'))['Count']).toBe(1);
      expect((await api.read('/payment_method'))['Count']).toBe(1);
      expect((await api.read('/customer?Email=jo@example.com'))['Count']).toBe(1);
      expectRefused(await api.del(`/customer/${id}`), 409, 72);
    }
  });
});
