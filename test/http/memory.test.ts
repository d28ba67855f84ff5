import { describe, expect, test } from 'vitest';

import { monthly, subscribed } from '../resources/subscriptions/support.js';
import { textIn } from '../support/stored.js';
import { testHost, testSandbox, client, good, type Answer } from '../support/sandbox.js';

const MIB = 1024 * 1024;
const CARD = { CardNumber: '4111111111111111', ExpiryDate: '12/30', Ccv: '123' };
const PROVIDER = '00000000000000000000000000000001';
const CHARGE = { Amount: '20.00', ProviderId: PROVIDER, PaymentInformation: CARD };
const CUSTOMER = { FirstName: 'Ada', ProviderId: PROVIDER, PaymentInformation: CARD };

const COLLECTION_MS = 100;

/** A sandbox of 100 MiB, and the memory that its host uses. */
function limited() {
  const memory = { used: 10 * MIB, garbage: 0 };
  const host = Object.assign(testHost(), {
    memoryUsed: (isCollected: boolean) => {
      if (isCollected) host.wall += COLLECTION_MS;
      return isCollected ? memory.used - memory.garbage : memory.used;
    },
  });
  const sandbox = testSandbox({ memoryMax: 100 * MIB }, host);
  /** Fills the memory, which the first call that adds much notices. */
  const fill = async (): Promise<void> => {
    memory.used = 100 * MIB;
    expectFull(await client(sandbox, 'sk_test_new').get('/charge'));
  };
  return { sandbox, host, memory, fill, gateway: client(sandbox) };
}

function expectFull({ status, body, headers }: Answer): void {
  expect([status, body['Code'], headers.get('retry-after')]).toEqual([503, 37, '1']);
  expect(body['Message']).toContain('--memory-max');
}

describe('a sandbox without memory', () => {
  test('refuses everything that would add to a world, and changes nothing', async () => {
    const { gateway, fill } = limited();
    const charged = await good(gateway.charge(CHARGE));
    const document = await gateway.read('/_sandbox/state');
    await fill();
    const added: readonly (() => Promise<Answer>)[] = [
      () => gateway.charge(CHARGE),
      () => gateway.post('/customer/card', CUSTOMER),
      () => gateway.post('/batch/transaction/payment_method', { Count: 1, Batch: 'x' }),
      () => gateway.del(`/refund/${String(charged.body['ChargeId'])}`, {}, { Amount: '1.00' }),
      () => gateway.play({ name: 'a' }),
      () => gateway.queue('charge.create', ['approve']),
      () => gateway.put('/_sandbox/snapshots/a'),
      () => gateway.put('/_sandbox/state', document),
    ];
    for (const add of added) expectFull(await add());
    // Its identifiers of requests go on.
    const { Chance: _, ...before } = document;
    const { Chance: __, ...after } = await gateway.read('/_sandbox/state');
    expect(after).toEqual(before);
  });

  test('reads, waits, deletes and resets', async () => {
    const { gateway, fill } = limited();
    const customer = await good(gateway.post('/customer/card', CUSTOMER));
    await good(gateway.put('/_sandbox/snapshots/a'));
    await good(gateway.play({ name: 'a' }));
    await fill();
    const answered: readonly (() => Promise<Answer>)[] = [
      () => gateway.get('/_sandbox/health'),
      () => gateway.get('/customer'),
      () => gateway.get('/_sandbox/state'),
      () => gateway.post('/_sandbox/journal/count', { Match: {} }),
      () => gateway.post('/_sandbox/journal/await', { Match: {}, Timeout: '0s' }),
      () => gateway.post('/_sandbox/settle', {}),
      () => gateway.put('/_sandbox/clock', { Mode: 'manual' }),
      () => gateway.del(`/payment_method/${String(defaultMethodOf(customer))}`),
      () => gateway.del('/_sandbox/journal'),
      () => gateway.del('/_sandbox/snapshots/a'),
      () => gateway.del('/_sandbox/scenario'),
      () => gateway.post('/_sandbox/reset', {}),
    ];
    for (const ask of answered) await good(ask());
  });

  test.each([
    ['a reset', (gateway: ReturnType<typeof client>) => gateway.post('/_sandbox/reset', {})],
    [
      'a snapshot that was deleted',
      (gateway: ReturnType<typeof client>) => gateway.del('/_sandbox/snapshots/a'),
    ],
    ['a scenario that ended', (gateway: ReturnType<typeof client>) => gateway.del('/_sandbox/scenario')],
  ])('takes charges again after %s made room', async (_, free) => {
    const { gateway, host, memory, fill } = limited();
    await good(gateway.play({ name: 'a' }));
    await good(gateway.put('/_sandbox/snapshots/a'));
    await fill();
    expectFull(await gateway.charge(CHARGE));
    // What was freed is garbage until it is collected.
    host.wall += 3 * COLLECTION_MS;
    expectFull(await gateway.charge(CHARGE));
    await good(free(gateway));
    memory.garbage = 10 * MIB;
    await good(gateway.charge(CHARGE));
  });

  test('resets to seed data only where there were as many records', async () => {
    const { sandbox, fill } = limited();
    const seeded = client(sandbox, 'sk_test_seeded');
    const empty = client(sandbox, 'sk_test_empty');
    for (const one of [seeded, empty]) await good(one.play({ name: 'a', seedData: { customers: [{}, {}] } }));
    await good(seeded.post('/_sandbox/reset', {}));
    await fill();
    await good(seeded.post('/_sandbox/reset', {}));
    expectFull(await empty.post('/_sandbox/reset', {}));
    expect(await empty.counts()).toMatchObject({ Customers: 0 });
  });

  test('stops an advance that would fill it', async () => {
    const { gateway, memory, fill } = limited();
    const method = textIn(await gateway.post('/payment_method/card', CUSTOMER), 'PaymentMethodId');
    await subscribed(gateway, { ...monthly(method), Interval: 'Day' });
    await fill();
    expectFull(await gateway.post('/_sandbox/clock/advance', { By: '300d' }));
    const { Charges } = (await gateway.counts()) as { Charges: number };
    expect(Charges).toBeLessThan(300);
    memory.used = 10 * MIB;
    await gateway.advance('300d');
    expect(await gateway.counts()).toMatchObject({ Charges: Charges + 300 });
  });
});

describe('a sandbox with little memory left', () => {
  test('refuses a batch or a document that is too large for it, and takes a charge', async () => {
    const { gateway, memory } = limited();
    await good(gateway.get('/charge'));
    memory.used = 98 * MIB;
    const rows = Array.from({ length: 6000 }, (_, n) => `${'a'.repeat(32)},5,AUD,${n}\n`).join('');
    const batch = {
      Count: 6000,
      Description: 'many',
      Batch: `PaymentMethodId,Amount,Currency,Reference\n${rows}`,
    };
    const answer = await gateway.post('/batch/transaction/payment_method', batch);
    expectFull(answer);
    expect(answer.body['Message']).toContain(
      'This call may need 3 MiB of memory, and less than that is free of the 100 MiB',
    );
    const document = await gateway.read('/_sandbox/state');
    const large = await gateway.put('/_sandbox/state', { ...document, Note: 'x'.repeat(400_000) });
    expectFull(large);
    expect(large.body['Message']).toContain('This call may need 4 MiB of memory');
    await good(gateway.charge(CHARGE));
    memory.used = 10 * MIB;
    await good(gateway.post('/batch/transaction/payment_method', batch));
  });
});

function defaultMethodOf({ body }: Answer): unknown {
  return (body['DefaultPaymentMethod'] as Answer['body'])['PaymentMethodId'];
}
