import { inspect } from 'node:util';

import { describe, expect, test } from 'vitest';

import { directResponses } from '../src/direct-response.js';

const TEXT = '{"Amount":"20.00","Reference":"naïve – 試験"}';
const INIT = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a1' },
};
const make = directResponses();

type Use = (response: Response) => unknown;

/** What a use of an answer comes to: its value, or how it is refused. */
async function outcomeOf(use: Use, response: Response): Promise<unknown> {
  try {
    const value = await use(response);
    return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  } catch (error) {
    return { refused: (error as Error).name, message: (error as Error).message };
  }
}

const USES: readonly (readonly [what: string, use: Use])[] = [
  ['as text', (one) => one.text()],
  ['as JSON', (one) => one.json()],
  ['as an ArrayBuffer', (one) => one.arrayBuffer()],
  ['as bytes', async (one) => [...new Uint8Array(await one.arrayBuffer())]],
  [
    'as a blob',
    async (one) => [(await one.blob()).type, await (await one.blob().catch(() => new Blob(['gone']))).text()],
  ],
  ['as a form, which it is not', (one) => one.formData()],
  ['as a stream', (one) => new Response(one.body).text()],
  [
    'piece by piece',
    async (one) => {
      const pieces: string[] = [];
      for await (const piece of one.body ?? []) pieces.push(Buffer.from(piece).toString());
      return pieces;
    },
  ],
  ['twice as text', async (one) => [await one.text(), await one.text()]],
  ['as text, then as JSON', async (one) => [await one.text(), await one.json()]],
  ['as text, then as a blob', async (one) => [await one.text(), await one.blob()]],
  ['as text, then cloned', async (one) => [await one.text(), one.clone()]],
  ['as a copy, then itself', async (one) => [await one.clone().text(), await one.text()]],
  [
    'as itself, then its copy',
    async (one) => {
      const copy = one.clone();
      return [await one.json(), await copy.json()];
    },
  ],
  ['with the body looked at first', async (one) => [one.body?.locked, await one.text(), one.bodyUsed]],
  [
    'with a reader that stops',
    async (one) => {
      await one.body?.cancel();
      return one.text();
    },
  ],
  ['as used or not', async (one) => [one.bodyUsed, await one.text(), one.bodyUsed]],
  [
    'as the answer of a proxy',
    async (one) => {
      const copy = new Response(one.body, one);
      return [copy.status, [...copy.headers], await copy.text()];
    },
  ],
  [
    'by its head',
    (one) => [one.ok, one.status, one.statusText, one.type, one.url, one.redirected, [...one.headers]],
  ],
  [
    'with a header more',
    (one) => {
      one.headers.set('x-more', '1');
      return [[...one.headers], [...one.clone().headers]];
    },
  ],
  ['by its kind', (one) => [one instanceof Response, Object.prototype.toString.call(one)]],
  ['by its inspection', (one) => inspect(one).replace(/^\w+/, '')],
];

describe('an answer within the process is read like one of the platform', () => {
  test.each(USES)('%s', async (_, use) => {
    expect(await outcomeOf(use, make(TEXT, INIT))).toEqual(await outcomeOf(use, new Response(TEXT, INIT)));
  });

  test('and an error by its status', async () => {
    const init = { ...INIT, status: 402 };
    const answer = make('not JSON', init);
    expect([answer.ok, answer.status]).toEqual([false, 402]);
    expect(await outcomeOf((one) => one.json(), answer)).toEqual(
      await outcomeOf((one) => one.json(), new Response('not JSON', init)),
    );
  });
});
