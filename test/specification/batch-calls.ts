import { expect } from 'vitest';

import { NO_FUNDS, VISA } from '../support/bodies.js';
import { type Answer, type Client, client, good, testSandbox } from '../support/sandbox.js';
import { batchPath, rowsOf } from './calls.js';

/** The rows of a batch's Results, by the names of their columns. */
export async function resultsOf(api: Client, path: string): Promise<Readonly<Record<string, string>>[]> {
  const { Results } = await api.read(path);
  const [head = [], ...rows] = String(Results)
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, n) => [name, row[n] ?? ''])));
}

/** A batch of one row that succeeds and one that its bank declines, which has been processed. */
export async function endedBatch(api: Client): Promise<string> {
  const path = await batchPath(api, await rowsOf(api, VISA, NO_FUNDS));
  await api.advance('1m');
  return path;
}

/** Breaks a batch while it is processed. */
const breakBatch = (api: Client, path: string): Promise<Answer> =>
  good(api.post('/_sandbox/simulate', { Action: 'batch.fail', Ref: path.replace('/batch/', '') }));

/** A batch of two rows as it stands after a while, in the status that it must have then. */
export async function batchAfter(api: Client, ms: number, Status: string): Promise<string> {
  const path = await batchPath(api, await rowsOf(api, VISA, VISA));
  await api.advance(ms);
  expect(await api.read(`${path}/status`)).toMatchObject({ Status });
  return path;
}

/** A batch whose processing broke after one of two rows. */
export async function brokenBatch(api: Client): Promise<string> {
  const path = await batchAfter(api, 2100, 'IN_PROGRESS');
  await breakBatch(api, path);
  return path;
}

/** What a batch shows at each step of its life. */
export async function shownOf(api: Client, field: string): Promise<unknown[]> {
  const path = await batchPath(api, await rowsOf(api, VISA, VISA));
  const seen: unknown[] = [];
  for (const ms of [0, 1000, 1000, 100, 100]) {
    if (ms > 0) await api.advance(ms);
    seen.push((await api.read(`${path}/status`))[field]);
  }
  return seen;
}

/** The posts of webhooks that a batch of one row causes. */
export async function postsOf(Webhook?: object) {
  const posts: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const sandbox = testSandbox({
    webhooks: 'public',
    deliver: ({ url, headers }) => {
      posts.push({ url, authorization: new Headers(headers).get('authorization') ?? undefined });
      return Promise.resolve({ status: 204 });
    },
  });
  const api = client(sandbox);
  await batchPath(api, await rowsOf(api, VISA), Webhook && { Webhook });
  await api.advance('1m');
  await api.post('/_sandbox/settle');
  return posts;
}
