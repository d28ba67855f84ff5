import { describe, expect, test } from 'vitest';

import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import { charge, logOf, settle, setup } from './support.js';

/** Functions of a program that delivers webhooks itself, as a program in JavaScript may write them. */

const circular: { self?: unknown } = {};
circular.self = circular;
const ACCEPTED = 'nothing, which counts as 200, or an object with status (100 to 999), failed or withheld';

async function attemptOf(deliver: unknown): Promise<unknown> {
  const { api } = setup({ deliver: deliver as NonNullable<InnerSandboxOptions['deliver']> });
  await api.charge(charge());
  await settle(api);
  return (await logOf(api))[0];
}

describe('a function that delivers', () => {
  test.each<[what: string, deliver: unknown]>([
    ['nothing', async () => {}],
    ['nothing, without a promise', () => {}],
    ['null', async () => null],
    ['200', async () => ({ status: 200 })],
  ])('and returns %s has delivered with status 200', async (_, deliver) => {
    expect(await attemptOf(deliver)).toMatchObject({ Status: 'delivered', ResponseStatus: 200, Note: null });
  });

  test('may return the Response of an app, whose headers are logged', async () => {
    const response = new Response('made', { status: 201, headers: { 'x-shard': 'two' } });
    expect(await attemptOf(() => response)).toMatchObject({
      Status: 'delivered',
      ResponseStatus: 201,
      Attempts: [{ ResponseHeaders: { 'x-shard': 'two' } }],
    });
  });

  test.each<[what: string, deliver: unknown, said: string]>([
    ['true', () => true, 'boolean'],
    ['a number', async () => 204, 'number'],
    ['a text', async () => 'ok', 'string'],
    ['a list', async () => [200], 'object'],
    ['a function', async () => () => {}, 'function'],
    ['an empty object', async () => ({}), 'an object without them'],
    ['a status that is a text', async () => ({ status: '200' }), 'an object without them'],
    ['a status that is none', async () => ({ status: 20 }), 'an object without them'],
    ['a status that is NaN', async () => ({ status: NaN }), 'an object without them'],
    ['a failure that is an error', async () => ({ failed: new Error('x') }), 'an object without them'],
  ])('and returns %s has failed, and says what to return', async (_, deliver, said) => {
    expect(await attemptOf(deliver)).toMatchObject({
      Status: 'pending',
      Attempt: 1,
      Note: `deliver returned ${said}; it must return ${ACCEPTED}`,
    });
  });

  test.each<[what: string, thrown: unknown, note: string]>([
    ['an error', new Error('on fire'), 'on fire'],
    [
      'an error without words',
      Object.assign(new Error(''), { message: undefined }),
      'deliver threw a value of type undefined',
    ],
    ['a text', 'on fire', 'on fire'],
    ['nothing', undefined, 'deliver threw a value of type undefined'],
    ['an object without a prototype', Object.create(null), 'deliver threw a value of type object'],
    ['a symbol', Symbol('x'), 'deliver threw a value of type symbol'],
  ])('and throws %s, at once or later, has failed', async (_, thrown, note) => {
    const throwing = (): never => {
      throw thrown;
    };
    for (const deliver of [throwing, async () => throwing()])
      expect(await attemptOf(deliver)).toMatchObject({ Status: 'pending', Attempt: 1, Note: note });
  });

  test.each<[what: string, returned: unknown]>([
    ['with headers that are no texts', { status: 200, headers: { a: 1, b: null, c: circular } }],
    ['with headers without words', { status: 200, headers: { a: Object.create(null) } }],
    ['with a body that is none', { status: 200, body: circular, note: 7 }],
    [
      'that throws when it is read',
      {
        get status() {
          throw new Error('not yet');
        },
      },
    ],
  ])('and returns an answer %s ends the attempt, not the process', async (_, returned) => {
    expect(await attemptOf(async () => returned)).toMatchObject({ Attempt: 1 });
  });
});
