import { describe, expect, test } from 'vitest';

import { agreement, bankCharge } from '../../support/instruments.js';
import { client, good, testSandbox } from '../../support/sandbox.js';
import { expectRefused, STEADY, textIn } from '../../support/stored.js';
import { busy, changed, charge, goOn, setup, trace } from './support.js';

const STATE = '/_sandbox/state';
type Json = Record<string, unknown>;

describe('GET and PUT /_sandbox/state', () => {
  test('carry a world into another sandbox, where it goes on byte for byte', async () => {
    const [one, other] = [setup(), setup()];
    const { batchId } = await busy(one.api);
    const { text } = await good(one.api.get(STATE));
    const put = await good(other.api.put(STATE, text));
    const { Counts, ...rest } = await one.api.read('/_sandbox/world');
    // The journal is no part of a document.
    expect(put.body).toEqual({ ...rest, Counts: { ...(Counts as object), JournalEntries: 0 } });
    await other.api.get('/_sandbox/world');
    const [expected, given] = [await goOn(one, batchId), await goOn(other, batchId)];
    expect(given).toEqual(expected);
  });

  test('give the same bytes again after a round trip, for an empty world and for a full one', async () => {
    const one = setup();
    for (const fill of [() => Promise.resolve(), () => busy(one.api), () => trace(one)]) {
      await fill();
      const { text } = await good(one.api.get(STATE));
      await good(one.api.put(STATE, text));
      const again = await good(one.api.get(STATE));
      // The two control calls after it are counted, but the restored count begins where the first stood.
      const count = (document: string): string => document.replace(/("Name":"controls","Count":)\d+/, '$1_');
      expect(count(again.text)).toBe(count(text));
    }
  });

  test('fork a world to another key, which has the same identifiers and answers', async () => {
    const one = setup();
    const { chargeId, batchId } = await busy(one.api);
    const fork = client(one.sandbox, 'sk_test_fork');
    await good(fork.put(STATE, (await good(one.api.get(STATE))).text));
    const [original, copy] = [
      await one.api.get(`/charge/${chargeId}`),
      await fork.get(`/charge/${chargeId}`),
    ];
    expect(copy.text).toBe(original.text);
    expect(copy.headers.get('x-request-id')).toBe(original.headers.get('x-request-id'));
    expect(copy.headers.get('x-sandbox-world')).not.toBe(original.headers.get('x-sandbox-world'));
    const without = (recorded: Awaited<ReturnType<typeof goOn>>) =>
      recorded.map(({ headers, text, ...rest }) => ({
        ...rest,
        headers: { ...headers, 'x-sandbox-world': '' },
        text: text.replaceAll(/"World":"\w+"|(?<=_sandbox\/(?:pay|3ds)\/)\w{12}/g, ''),
      }));
    const expected = without(await goOn(one, batchId));
    expect(without(await goOn(one, batchId, 'sk_test_fork'))).toEqual(expected);
  });

  test('leave a fork and its origin alone with what comes later', async () => {
    const { api, sandbox } = setup();
    const fork = client(sandbox, 'sk_test_fork');
    const { chargeId } = await busy(api);
    await good(fork.put(STATE, (await good(api.get(STATE))).text));
    await good(fork.del(`/charge/${chargeId}/void`));
    await good(fork.post('/_sandbox/clock/advance', { By: '1h' }));
    expect(await api.read(`/charge/${chargeId}`)).toMatchObject({ Status: 'Authorised' });
    expect(await api.read('/_sandbox/clock')).toMatchObject({ Now: '2026-01-01T00:00:03.000Z' });
  });

  test('a reset of a fork gives the identifiers of its own key again', async () => {
    const { api, sandbox } = setup();
    const fork = client(sandbox, 'sk_test_fork');
    const own = textIn(await good(fork.charge(charge())), 'ChargeId');
    await good(fork.put(STATE, (await good(api.get(STATE))).text));
    const copied = textIn(await good(fork.charge(charge())), 'ChargeId');
    await good(fork.post('/_sandbox/reset'));
    expect([copied, textIn(await good(fork.charge(charge())), 'ChargeId')]).toEqual([
      expect.not.stringContaining(own),
      own,
    ]);
  });

  test('say that the document contains full card numbers, which are only in the vault', async () => {
    const { api } = setup();
    await good(api.post('/vault', { CardNumber: '5555555555554444', Ccv: '321' }));
    await good(api.charge(charge()));
    const { text, body } = await good(api.get(STATE));
    expect(body['Note']).toContain('full card numbers');
    expect(body['VaultEntries']).toMatchObject([{ Pan: '5555555555554444', Ccv: '321' }]);
    expect(text).not.toContain('4111111111111111');
  });

  test('hold bank accounts and agreements without their numbers, each once', async () => {
    const { api } = setup();
    await good(api.post('/charge/bank_account', bankCharge()));
    await good(api.post('/charge/bank_account', bankCharge({ Reference: 'again' })));
    await good(api.post('/payment_method/payto', agreement()));
    await good(api.post('/token/payto', agreement()));
    await good(api.post('/payment_method/provider_token', { ProviderId: STEADY, ProviderToken: 'pm_1' }));
    const { text, body } = await good(api.get(STATE));
    expect(text).not.toContain('000123456');
    expect(body).toMatchObject({
      Sources: [
        { Type: 'PAYTO', MaximumUnits: 5_000_000 },
        { Type: 'CARD' },
        { Type: 'PAYTO' },
        { Type: 'BANK_ACCOUNT', BankCode: '062-000', Masked: '******456', AccountName: 'Jo Smith' },
      ],
      PaymentMethods: [{ Source: 0 }, { Source: 1, Origin: { Token: 'pm_1', SingleUse: false } }],
      Tokens: [{ Source: 2, Secret: {} }],
      Charges: [{ Source: 3 }, { Source: 3 }],
      Jobs: [{ Kind: 'token.expire' }, { Kind: 'charge.settle' }, { Kind: 'charge.settle' }],
    });
  });

  test('keep the named snapshots of the world', async () => {
    const { api } = setup();
    await good(api.put('/_sandbox/snapshots/base'));
    await good(api.put(STATE, (await good(api.get(STATE))).text));
    expect(await api.read('/_sandbox/snapshots')).toMatchObject({ Count: 1 });
  });

  test('take a document up to the limit of batches', async () => {
    const sandbox = testSandbox({ batchBodyLimit: 2000 });
    const api = client(sandbox);
    const { text } = await good(api.get(STATE));
    await good(api.put(STATE, text + ' '.repeat(2000 - text.length)));
    expectRefused(await api.put(STATE, text + ' '.repeat(2001 - text.length)), 413, 90);
  });

  test('take no more records than the sandbox', async () => {
    const { api } = setup();
    await busy(api);
    const { text } = await good(api.get(STATE));
    const small = client(testSandbox({ recordsMax: 2 }));
    expect(expectRefused(await small.put(STATE, text), 400, 90)).toContain(
      'the maximum of this sandbox is 2',
    );
  });
});

describe('a document that is not taken', () => {
  const DAY = 86_400_000;
  test.each<[path: string, value: unknown, place: string]>([
    ['Format', 'playmoney', 'Format'],
    ['Version', 2, 'Version'],
    ['Seed', '', 'Seed'],
    ['Extra', 1, 'body'],
    ['Clock.Mode', 'fast', 'Clock.Mode'],
    ['Clock.Rate', 5, 'Clock'],
    ['Clock.Instant', -1, 'Clock.Instant'],
    ['Clock.Instant', 1e15, 'Clock.Instant'],
    ['Chance.Base', [1, 2, 3], 'Chance.Base'],
    ['Chance.Base.0', 2 ** 32, 'Chance.Base'],
    ['Chance.Counts.0.Count', 1.5, 'Chance.Counts.0.Count'],
    ['Settings.TokenTtl', null, 'Settings.TokenTtl'],
    ['Settings.BatchPace', -1, 'Settings.BatchPace'],
    ['Settings.CcvTtl', -1, 'Settings.CcvTtl'],
    ['Settings.KnownProvidersOnly', 'yes', 'Settings.KnownProvidersOnly'],
    ['Charges', {}, 'Charges'],
    ['Charges.0', null, 'Charges.0'],
    ['Charges.0.Status', 'PAID', 'Charges.0.Status'],
    ['Charges.0.AmountMinor', '1550', 'Charges.0.AmountMinor'],
    ['Charges.0.AmountMinor', 0.5, 'Charges.0.AmountMinor'],
    ['Charges.0.Currency', 'aud', 'Charges.0.Currency'],
    ['Charges.0.ProviderId', 'x', 'Charges.0.ProviderId'],
    ['Charges.0.Source', 99, 'Charges.0.Source'],
    ['Charges.0.Source', 'toString', 'Charges.0.Source'],
    ['Charges.0.Colour', 'red', 'Charges.0'],
    ['Charges.0.__proto__x', 0, 'Charges.0'],
    ['Charges.0.Customer', 7, 'Charges.0.Customer'],
    ['Charges.0.PaymentMethod', 7, 'Charges.0.PaymentMethod'],
    ['Charges.0.Batch', 7, 'Charges.0.Batch'],
    ['Charges.0.More', { Refunds: [{ AmountMinor: 1 }] }, 'Charges.0.More.Refunds.0.DateAdded'],
    ['Sources.0.Type', 'CASH', 'Sources.0.Type'],
    ['Sources.0.Type', 'PAYTO', 'Sources.0.PayToId'],
    ['Sources.0', 7, 'Sources.0'],
    ['Sources.0.Masked', '4111111111111111', 'Sources.0.Masked'],
    ['Sources.0.Expiry', '13/30', 'Sources.0.Expiry'],
    ['Sources.0.Funding', 'GOLD', 'Sources.0.Funding'],
    ['Customers.0.DefaultMethod', 9, 'Customers.0.DefaultMethod'],
    ['Customers.0.Metadata.Colour', 7, 'Customers.0.Metadata.Colour'],
    ['PaymentMethods.0.Vault', 99, 'PaymentMethods.0.Vault'],
    ['VaultEntries.1.Pan', '4111111111111112', 'VaultEntries.1.Pan'],
    ['VaultEntries.1.Pan', '4111 1111 1111 1111', 'VaultEntries.1.Pan'],
    ['VaultEntries.1.Ccv', '12', 'VaultEntries.1.Ccv'],
    ['Batches.0.Text', 'not base64', 'Batches.0.Text'],
    ['Batches.0.Text', 'YWJj', 'Batches.0'],
    ['Batches.0.Count', 21, 'Batches.0'],
    ['Batches.0.Done', 21, 'Batches.0'],
    ['Batches.0.Done', 9, 'Batches.0'],
    ['Batches.0.Charge', '', 'Batches.0.Charge'],
    ['Batches.0.Charge', '/w8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==', 'Batches.0.Charge'],
    ['Batches.0.Success', 9, 'Batches.0'],
    ['Batches.0.Failures', [], 'Batches.0'],
    ['Batches.0.Status', 'SUCCESS', 'Jobs.0'],
    ['Batches.0.Status', 'RECEIVED', 'Jobs.0'],
    ['Batches.0.Status', 'FAILED', 'Jobs.0'],
    ['Batches.0.Started', undefined, 'Jobs.0'],
    ['Batches.0.Pace', 10, 'Jobs.0'],
    ['Batches.0.Outcome', 'AAAAAAAAAAAAAAAAAAAAAAAA/w8=', 'Batches.0'],
    ['Batches.0.Outcome', 'AAAA', 'Batches.0.Outcome'],
    ['Jobs.0.Kind', 'batch.finish', 'Jobs.0'],
    ['Jobs.0.Kind', 'scenario.timeline', 'Jobs.0'],
    ['Jobs.0.Ref', 5, 'Jobs.0'],
    ['Jobs.0.Due', 0, 'Jobs.0'],
    ['Jobs.0.Due', Date.UTC(2026, 0, 1) + DAY, 'Jobs.0'],
    ['Jobs.1.Ref', 4_000_000, 'Jobs.1'],
    ['Jobs', 'none', 'Jobs'],
  ])('with %s as %j is refused whole at its place', async (path, value, place) => {
    const { api } = setup();
    await busy(api);
    const { text } = await good(api.get(STATE));
    await good(api.put('/_sandbox/snapshots/base'));
    const answer = await api.put(STATE, changed(text, path, value));
    expectRefused(answer, 400, 90, place);
    const after = await good(api.get(`/_sandbox/snapshots/base/diff`));
    expect(after.body).toMatchObject({ Changes: [] });
  });

  test.each<[path: string, value: unknown, place: string]>([
    ['Providers', undefined, 'Providers'],
    ['Providers.0.ProviderId', 'x', 'Providers.0.ProviderId'],
    ['Providers.0.ProviderId', 'A'.repeat(32), 'Providers.0.ProviderId'],
    ['Providers.0.Environment', 'LOCAL', 'Providers.0.Environment'],
    ['Providers.0.Currency', 'XYZ', 'Providers.0.Currency'],
    ['Providers.0.Scripted', undefined, 'Providers.0.Scripted'],
    ['Providers.0.FallbackProviderId', 'x', 'Providers.0.FallbackProviderId'],
    ['Providers.0.AuthenticationParameters', 'x', 'Providers.0.AuthenticationParameters'],
    ['Providers.0.Costs.0.Percentage', -1, 'Providers.0.Costs.0.Percentage'],
    ['Providers.0.Behaviour.Latency', 'soon', 'Providers.0.Behaviour.Latency.Kind'],
    ['Providers.0.Behaviour.Latency.Kind', 'normal', 'Providers.0.Behaviour.Latency.Kind'],
    ['Providers.0.Behaviour.Latency.MinMs', undefined, 'Providers.0.Behaviour.Latency.MinMs'],
    ['Providers.0.Behaviour.Latency.MaxMs', 60_001, 'Providers.0.Behaviour.Latency.MaxMs'],
    ['Providers.0.Behaviour.Latency.Sigma', 1, 'Providers.0.Behaviour.Latency'],
    ['Providers.0.Behaviour.Fails', { Every: 1, Outcome: 'x' }, 'Providers.0.Behaviour.Fails.Outcome'],
    ['Providers.0.Behaviour.Fails', { Every: 0, Outcome: 'approve' }, 'Providers.0.Behaviour.Fails.Every'],
    [
      'Providers.0.Behaviour.Outcomes',
      [{ Outcome: 'x', Weight: 1 }],
      'Providers.0.Behaviour.Outcomes.0.Outcome',
    ],
    ['Providers.0.Behaviour.Features.Authorise', 1, 'Providers.0.Behaviour.Features.Authorise'],
    ['Providers.0.Behaviour.Features.Colour', 1, 'Providers.0.Behaviour.Features'],
  ])('with %s as %j of a configured provider is refused whole at its place', async (path, value, place) => {
    const { api } = setup();
    await good(
      api.post('/provider', {
        Type: 'dummy',
        Name: 'primary',
        Environment: 'SANDBOX',
        Currency: 'NZD',
        AuthenticationParameters: { MaxMilliseconds: '5' },
        CostData: [{ TransactionPercentage: 1 }],
      }),
    );
    const { text } = await good(api.get(STATE));
    await good(api.put(STATE, text));
    const answer = await api.put(STATE, changed(text, path, value));
    expectRefused(answer, 400, 90, place);
  });

  test('for a batch with two jobs is refused; without one, a batch in progress is stuck', async () => {
    const { api } = setup();
    const { batchId } = await busy(api);
    const document = JSON.parse((await good(api.get(STATE))).text) as { Jobs: Json[] };
    const [rows, ...others] = document.Jobs;
    expectRefused(await api.put(STATE, { ...document, Jobs: [rows, rows, ...others] }), 400, 90);
    await good(api.put(STATE, { ...document, Jobs: others }));
    await api.advance('1h');
    expect(await api.read(`/batch/${batchId}/status`)).toMatchObject({ Status: 'IN_PROGRESS' });
  });

  test.each([
    ['[]'],
    ['null'],
    ['"4111111111111111"'],
    ['{"Format":'],
    [new Uint8Array([0x22, 0xff, 0x22])],
    [''],
    ['['.repeat(1_000_000)],
  ])('for not being an object of JSON is refused without repeating it (row %#)', async (body) => {
    const answer = await setup().api.put(STATE, body, { 'content-type': 'application/json' });
    expectRefused(answer, 400, 90);
    expect(answer.text).not.toContain('4111');
  });

  test('for another media type, or a query, is refused', async () => {
    const { api } = setup();
    expectRefused(await api.put(STATE, '{}', { 'content-type': 'text/plain' }), 415, 90);
    expectRefused(await api.get(`${STATE}?Format=1`), 400, 90);
  });
});
