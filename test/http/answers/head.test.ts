import { describe, expect, test } from 'vitest';

import { SECTIONS } from '../../../src/app/sections.js';
import { testSandbox } from '../../support/sandbox.js';

/** GETs whose answers are streamed. */
const STREAMED = ['/_sandbox/live', '/_sandbox/state', '/_sandbox/bundle'];
const KEY = { 'x-secretkey': 'sk_test_a' };
/** All GETs, with an identifier that does not exist. */
const PATHS = SECTIONS.flatMap(({ rows }) => rows)
  .filter(({ method, path }) => method === 'get' && !STREAMED.includes(path))
  .map(({ path }) => path.replaceAll(/\{\w+\}/g, '1'));

describe('the answer to HEAD', () => {
  test.each(PATHS)('has the headers of the GET, and its length: %s', async (path) => {
    const answers = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        // The same identifier of the request, and the same numbers in the answer.
        testSandbox().fetch(new Request(`http://localhost${path}`, { method, headers: KEY })),
      ),
    );
    const [whole, head] = answers as [Response, Response];
    const { byteLength } = await whole.arrayBuffer();
    expect([head.status, head.body]).toEqual([whole.status, null]);
    expect(head.headers.get('content-length')).toBe(String(byteLength));
    const others = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'content-length');
    expect(others(head)).toEqual(others(whole));
  });

  test.each(STREAMED)('has no length where the GET has none: %s', async (path) => {
    const sandbox = testSandbox();
    const asked = new Request(`http://localhost${path}`, { method: 'HEAD', headers: KEY });
    const head = await sandbox.fetch(asked);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, null]);
    sandbox.close();
  });
});
