import { createHmac } from 'node:crypto';

import { afterEach, describe, expect, test } from 'vitest';

import { createSandbox, type SandboxOptions, type World } from '../../src/index.js';
import { openReceiver, type OpenReceiver } from '../../src/testing/receiver.js';
import { charge } from '../client/support.js';

const EVENT = 'transaction.status.changed';
const SECRET = 'whsec_receiver';
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function receiving(
  options: SandboxOptions = {},
  secret: string | null = null,
): Promise<{ world: World; receiver: OpenReceiver; buy: (reference: string) => Promise<string> }> {
  const sandbox = createSandbox({ clock: 'manual', ...options });
  const world = sandbox.world();
  const receiver = await openReceiver(world, { secret, headerPrefix: options.webhookHeaderPrefix });
  ended.push(
    () => receiver.close().catch(() => {}),
    () => sandbox.close(),
  );
  return {
    world,
    receiver,
    buy: (reference) => charge(world, reference, { Webhook: { Url: receiver.url } }),
  };
}

describe('a receiver', () => {
  test('gives each message once, in order, whether it came before or after it was asked for', async () => {
    const { receiver, buy } = await receiving();
    const first = receiver.next();
    await buy('one');
    await buy('two');
    expect((await first).data).toMatchObject({ reference: 'one' });
    expect((await receiver.next(EVENT)).data).toMatchObject({ reference: 'two' });
    expect(receiver.messages.map(({ data }) => data['reference'])).toEqual(['one', 'two']);
    const [message] = receiver.messages;
    expect(JSON.parse(String(message?.text))).toMatchObject({ meta: { messageId: message?.messageId } });
    expect(message?.headers).toMatchObject({ 'content-type': expect.stringContaining('json') as string });
  });

  test('says what it got, and what the world sent, if nothing came in time', async () => {
    const { world, receiver, buy } = await receiving();
    await buy('one');
    await world.settle();
    const message = await receiver.next('batch.status.changed', { timeout: '10ms' }).catch(String);
    expect(message).toContain(
      'No message of batch.status.changed arrived within 10ms.\n  Arrived: transaction.status.changed.',
    );
    expect(message).toContain(`${EVENT} to ${receiver.url} (delivered, answered 204)`);
  });

  test('answers with the status that it was given, so that messages come again', async () => {
    const { world, receiver, buy } = await receiving();
    receiver.respond(500);
    await buy('one');
    await receiver.next();
    receiver.respond(200);
    await world.clock.advance('1d');
    expect(await receiver.next()).toMatchObject({ data: { reference: 'one' } });
    expect(await world.deliveries.list({ status: 'delivered' })).toHaveLength(1);
  });

  test.each([undefined, 'X-Shop-'])(
    'refuses what is not signed with the secret of its world, headers %s',
    async (webhookHeaderPrefix) => {
      const prefix = webhookHeaderPrefix === undefined ? {} : { webhookHeaderPrefix };
      const { receiver, buy } = await receiving({ webhookSecret: SECRET, ...prefix }, SECRET);
      await buy('one');
      expect((await receiver.next()).data).toMatchObject({ reference: 'one' });
      const body = JSON.stringify({ meta: { eventType: EVENT, messageId: '1' }, data: {} });
      const name = `${webhookHeaderPrefix ?? 'X-Payfurl-'}Signature`;
      const send = (headers: Record<string, string>): Promise<Response> =>
        fetch(receiver.url, { method: 'POST', body, headers });
      expect((await send({})).status).toBe(401);
      expect((await send({ [name]: 'wrong' })).status).toBe(401);
      const right = createHmac('sha256', SECRET).update(body).digest('base64');
      expect((await send({ [name]: right })).status).toBe(204);
      expect([receiver.messages.length, receiver.refused.length]).toEqual([2, 2]);
    },
  );

  test('ends with its test: what still waits learns it, and the port is closed', async () => {
    const { receiver } = await receiving();
    const waiting = receiver.next(EVENT).catch(String);
    await receiver.close();
    expect(await waiting).toContain(`The test ended while it waited for ${EVENT}`);
    await expect(fetch(receiver.url)).rejects.toThrow('fetch failed');
  });

  test('refuses a time-out that is no duration', async () => {
    const { receiver } = await receiving();
    await expect(receiver.next(EVENT, { timeout: '5' as '5s' })).rejects.toThrow(
      'timeout is 5; it must be a duration',
    );
  });

  test('refuses an event and options that do not exist', async () => {
    const { receiver } = await receiving();
    const { next } = receiver as { next: (...given: unknown[]) => Promise<unknown> };
    await expect(next('transaction.status.change')).rejects.toThrow(
      'next: there is no event "transaction.status.change". Did you mean transaction.status.changed?',
    );
    await expect(next(EVENT, { tmeout: '100ms' })).rejects.toThrow(
      'next has no option "tmeout". Did you mean timeout?',
    );
    await expect(next(EVENT, '100ms')).rejects.toThrow(
      'The second argument must be an object, not a string.',
    );
  });

  test.each([
    [42, '42'],
    [100, '100'],
    [1000, '1000'],
    [204.5, '204.5'],
    ['2O4', '"2O4"'],
    [undefined, 'undefined'],
    [NaN, 'NaN'],
  ])('refuses to answer with %s', async (status, shown) => {
    const { receiver } = await receiving();
    expect(() => receiver.respond(status as number)).toThrow(
      new TypeError(`respond: the status must be a whole number from 200 to 599, not ${shown}.`),
    );
  });
});
