import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import { connect } from '../../src/client/connect.js';
import { portOf } from '../support/serving.js';

test('a world follows no redirect, which would take its key and the admin token elsewhere', async () => {
  const stolen: unknown[] = [];
  const thief = await portOf(
    createServer(({ headers }, response) => {
      stolen.push(headers);
      response.end('{}');
    }),
  );
  const location = `http://127.0.0.1:${thief}/`;
  const server = createServer((_, response) => response.writeHead(308, { location }).end());
  const url = `http://127.0.0.1:${await portOf(server)}`;
  const world = connect(url, { key: 'sk_test_a', adminToken: 'sesame' });
  await expect(world.reset()).rejects.toThrow(
    `${url}/_sandbox/reset redirects to ${location}. Is it playmoney?`,
  );
  const { status } = await world.fetch('/charge', { redirect: 'follow' });
  const restore = world.intercept('https://api.example.com');
  const intercepted = await fetch('https://api.example.com/charge').finally(restore);
  expect([status, intercepted.status]).toEqual([308, 308]);
  expect(stolen).toEqual([]);
});
