import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { testSandbox } from '../support/sandbox.js';

const PATHS = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { requestBody?: unknown }>>;
  }
).paths;

/** Every call of the control plane but those on payment links, whose world the link tells. */
const CALLS = Object.entries(PATHS)
  .filter(([path]) => path.startsWith('/_sandbox') && !/^\/_sandbox\/(?:pay|3ds)\//.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method,
      path: path.replaceAll(/\{\w+\}/g, 'one'),
      hasBody: requestBody !== undefined,
    })),
  );

async function send(method: string, path: string, body?: object) {
  const answer = await testSandbox().fetch(
    new Request(`http://localhost${path}`, {
      method: method.toUpperCase(),
      headers: { 'x-secretkey': 'sk_test_a', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe('a call of the control plane', () => {
  test.each(CALLS)('$method $path refuses a parameter that it does not know', async ({ method, path }) => {
    const { status, body } = await send(method, `${path}?Verbose=1`);
    expect([status, body['Code'], body['Details']]).toEqual([400, 90, { Verbose: 'unknown filter' }]);
  });

  test.each(CALLS.filter(({ method, hasBody }) => method !== 'get' && !hasBody))(
    '$method $path accepts no body, and does nothing if one is sent',
    async ({ method, path }) => {
      const { status, body } = await send(method, path, { Match: {} });
      expect([status, body['Code'], body['Details']]).toEqual([400, 90, { Match: 'unknown field' }]);
    },
  );
});
