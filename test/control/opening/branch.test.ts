import { expect, test } from 'vitest';

import { cardOf, STEADY } from '../../support/bodies.js';
import { type Answer, type Client, client, good, testSandbox } from '../../support/sandbox.js';

type Listed = Readonly<Record<string, unknown>>;

const chargeOf = (Reference: string, more = {}): object => ({
  Amount: 5,
  Currency: 'AUD',
  ProviderId: STEADY,
  Reference,
  PaymentInformation: cardOf('4539578763621486'),
  ...more,
});

async function entryOf(api: Client, Reference: string): Promise<Listed> {
  const { Entries } = await api.read(`/_sandbox/journal?Reference=${Reference}`);
  return (Entries as Listed[])[0] ?? {};
}

async function branchBefore(api: Client, Reference: string): Promise<Answer> {
  return api.post(`/_sandbox/journal/${String((await entryOf(api, Reference))['EntryId'])}/branch`);
}

/** The identifiers, references and states of the charges in a world, oldest first. */
async function chargesOf(api: Client): Promise<unknown[]> {
  const { Charges } = await api.read('/charge');
  return (Charges as Listed[])
    .toReversed()
    .map(({ ChargeId, Reference, Status }) => [ChargeId, Reference, Status]);
}

/** Calls at several instants, of which one depends on the answer of another. */
async function played(api: Client): Promise<void> {
  const Webhook = { Url: 'http://127.0.0.1:9/hook' };
  const { body } = await good(api.charge(chargeOf('one', { Capture: false, Webhook })));
  await api.advance('1d');
  await api.queue('charge.create', ['do_not_honor']);
  await api.charge(chargeOf('two'));
  await api.post(`/charge/${String(body['ChargeId'])}`, { Amount: 5 });
  await api.advance('9d');
  await api.charge(chargeOf('three'));
}

test('opens the state before a call, at its instant and with the same identifiers, ready to be sent again', async () => {
  const sandbox = testSandbox();
  const api = client(sandbox);
  await played(api);
  const before = await api.read('/_sandbox/world');
  const opened = (await good(branchBefore(api, 'three'))).body;
  const world = { Key: 'sk_test_a-1', Calls: 3, Different: 0, Now: '2026-01-11T00:00:00.000Z', EntryId: 4 };
  expect(opened).toMatchObject({
    Kind: 'branch',
    Worlds: [world],
    Warnings: [expect.stringMatching(/^Webhooks are withheld/)],
  });
  expect(await api.read('/_sandbox/world')).toEqual(before);
  const branch = client(sandbox, 'sk_test_a-1');
  expect(await chargesOf(branch)).toEqual((await chargesOf(api)).slice(0, 2));
  expect(await branch.read('/_sandbox/journal/4')).toMatchObject({ Reference: 'three', Undone: true });
  expect((await branch.post('/_sandbox/journal/4/repeat')).body).toEqual({ Status: 201 });
  expect(await chargesOf(branch)).toEqual(await chargesOf(api));
  expect(await branch.read('/_sandbox/webhooks?Status=pending')).toMatchObject({ Count: 0 });
});

test('sends a call again that had no body: when it is repeated, and on the way to a branch', async () => {
  const sandbox = testSandbox();
  const api = client(sandbox);
  const { body } = await good(api.charge(chargeOf('one')));
  await good(api.del(`/refund/${String(body['ChargeId'])}?Amount=2`));
  const { Again } = await api.read('/_sandbox/journal/2');
  expect(Again).toMatchObject({ Method: 'DELETE', Query: 'Amount=2', Headers: {}, Body: null });
  await api.charge(chargeOf('two'));
  expect((await good(branchBefore(api, 'two'))).body).toMatchObject({ Worlds: [{ Calls: 2, Different: 0 }] });
  expect((await api.post('/_sandbox/journal/2/repeat')).body).toEqual({ Status: 200 });
  expect(await api.read('/charge?Reference=one')).toMatchObject({ Charges: [{ RefundedAmount: 4 }] });
});

test('begins with the latest snapshot before the call, also one that the journal has outlived', async () => {
  const sandbox = testSandbox();
  const api = client(sandbox);
  await api.charge(chargeOf('one'));
  await api.put('/_sandbox/snapshots/early');
  await api.charge(chargeOf('two'));
  await api.put('/_sandbox/snapshots/late');
  await api.charge(chargeOf('three'));
  await api.charge(chargeOf('four'));
  const opened = (await good(branchBefore(api, 'four'))).body;
  expect(opened).toMatchObject({ Worlds: [{ Calls: 1, Different: 0 }] });
  expect(await chargesOf(client(sandbox, 'sk_test_a-1'))).toEqual((await chargesOf(api)).slice(0, 3));
  await api.post('/_sandbox/snapshots/early/restore');
  await api.charge(chargeOf('other'));
  // The later snapshot belongs to another past now.
  expect((await good(branchBefore(api, 'other'))).body).toMatchObject({
    Worlds: [{ Calls: 0, Different: 0 }],
  });
  expect(await chargesOf(client(sandbox, 'sk_test_a-2'))).toEqual((await chargesOf(api)).slice(0, 1));
});

test.each<[string, (api: Client) => Promise<unknown>, RegExp]>([
  [
    'an undone call',
    async (api) => {
      await api.put('/_sandbox/snapshots/s');
      await api.charge(chargeOf('it'));
      await api.post('/_sandbox/snapshots/s/restore');
    },
    /gone back to a state before this call/,
  ],
  [
    'a call after one that is too long',
    async (api) => {
      await api.charge(chargeOf('long', { Metadata: { note: 'x'.repeat(300_000) } }));
      await api.charge(chargeOf('it'));
    },
    /only the beginning of the body of call 1/,
  ],
  [
    'a call after the state was replaced',
    async (api) => {
      await api.charge(chargeOf('one'));
      await api.put('/_sandbox/state', await api.read('/_sandbox/state'));
      await api.charge(chargeOf('it'));
    },
    /beginning of this world is unknown/,
  ],
  [
    'a call after the scenario was changed',
    async (api) => {
      await api.charge(chargeOf('one'));
      await api.advance('1s');
      await api.play({ name: 'other' });
      await api.charge(chargeOf('it'));
    },
    /scenario was changed after the first call/,
  ],
])('says why no branch can begin before %s', async (_, play, reason) => {
  const api = client(testSandbox());
  await play(api);
  const { EntryId } = await entryOf(api, 'it');
  expect(await api.read(`/_sandbox/journal/${String(EntryId)}`)).toMatchObject({
    NoBranch: expect.stringMatching(reason) as string,
  });
  const refused = await branchBefore(api, 'it');
  expect([refused.status, refused.body['Message']]).toEqual([409, expect.stringMatching(reason)]);
  expect(await api.read('/_sandbox/worlds')).toMatchObject({ Count: 1 });
});

test('says how many answers differ where something other than calls had changed the world', async () => {
  const sandbox = testSandbox();
  const api = client(sandbox);
  const { body: token } = await good(
    api.post('/_sandbox/tokens', { ProviderId: STEADY, PaymentInformation: cardOf('4111111111111111') }),
  );
  await api.post('/charge/token', { Amount: 5, Token: token['TokenId'], Reference: 'one' });
  await api.charge(chargeOf('it'));
  const { body } = await good(branchBefore(api, 'it'));
  expect(body).toMatchObject({ Worlds: [{ Calls: 1, Different: 1 }] });
  expect(body['Warnings']).toContainEqual(expect.stringMatching(/^1 of the 1 call of \w{12} /));
});
