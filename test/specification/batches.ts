import { expect } from 'vitest';

import { batchOf, NO_FUNDS, VISA } from '../support/bodies.js';
import { good, warningOf } from '../support/sandbox.js';
import { setup } from '../support/tests.js';
import { batchAfter, brokenBatch, endedBatch, postsOf, resultsOf, shownOf } from './batch-calls.js';
import { answers, BATCH, batchPath, isString, made, refuses, refusesIn, rowsOf } from './calls.js';
import type { Proof, Proofs } from './proof.js';

const COLUMNS =
  'PaymentMethodId,Amount,Currency,Reference,Status,TransactionId,FailureReason,GatewayErrorCode,GatewayErrorResponse,IsRetryable';
const STATUSES = ['RECEIVED', 'CREATED', 'IN_PROGRESS', 'SUCCESS', 'FAILED'];
const HEAD = 'PaymentMethodId,Amount,Currency,Reference';

const Url = 'https://example.com/hook';
const refusesBatch = (...Batches: string[]): Proof =>
  refuses(BATCHED, ...Batches.map((Batch) => ({ Count: 1, Batch })));
const BATCHED = `POST ${BATCH}` as const;

/** The fields of batches, and what their values mean. */
export const BATCHES: Proofs = {
  '| Count | integer |': {
    'an integer': refusesIn(BATCHED, 'Count', 1.5, 'one', true, {}),
    'the number of transactions that are submitted': async ({ api }) => {
      const rows = await rowsOf(api, VISA, VISA, VISA);
      expect((await good(api.post(BATCH, batchOf(rows)))).body).toMatchObject({ Count: 3 });
    },
    'another number is refused': refusesIn(BATCHED, 'Count', 0, 2, -1),
  },
  '| Description | string |': {
    'a string': isString(BATCHED, 'Description'),
    'free text': answers(
      BATCHED,
      { Description: 'Rent, "May" – 5 %\n1' },
      { Description: 'Rent, "May" – 5 %\n1' },
    ),
  },
  '| Batch | string | CSV text.': {
    'a string': isString(BATCHED, 'Batch'),
    'CSV: a quoted field may hold a comma': answers(
      BATCHED,
      { Batch: `${HEAD}\nm,1,AUD,"a,b"` },
      { Count: 1 },
    ),
    'the header line': refusesBatch(
      'm,1,AUD,a',
      'PaymentMethodId,Amount,Currency\nm,1,AUD',
      'Amount,PaymentMethodId,Currency,Reference\n1,m,AUD,a',
      `${HEAD.toLowerCase()}\nm,1,AUD,a`,
    ),
    'lines are separated by a newline': refusesBatch(`${HEAD};m,1,AUD,a`, `${HEAD}\rm,1,AUD,a`),
    'each line after the header is one transaction': async ({ api }) => {
      await batchPath(api, await rowsOf(api, VISA, VISA, VISA));
      await api.advance('1m');
      expect(await api.read('/charge')).toMatchObject({
        Charges: [
          { Reference: 'r2' },
          { Reference: 'r1', Amount: 12.5, Currency: 'AUD' },
          { Reference: 'r0' },
        ],
      });
    },
    'a line that is none is refused': refusesBatch(`${HEAD}\nm,1,AUD`, `${HEAD}\nm,1,AUD,a,b`),
  },
  '| Webhook | object | Optional.': {
    'an object': refusesIn(BATCHED, 'Webhook', Url, 5, [{ Url }]),
    optional: answers(BATCHED, {}, { Status: 'RECEIVED' }),
    'a Url': refusesIn(BATCHED, 'Webhook', {}, { Authorization: 'Basic x' }),
    'a Url that is a string': refusesIn(BATCHED, 'Webhook', { Url: 5 }, { Url: [Url] }),
    'a Url that is an HTTPS address': async ({ api }) => {
      expect(warningOf(await made(api, BATCHED, { Webhook: { Url } }))).toBeNull();
      const others = ['http://example.com/hook', 'ftp://example.com', 'example.com/hook', '/hook', ''];
      await refusesIn(BATCHED, 'Webhook', ...others.map((other) => ({ Url: other })))(setup());
    },
    'an HTTPS address on loopback and private hosts':
      'there http is taken as well, by default, with a warning',
    'the warning says that the service takes https alone': async ({ api }) => {
      const answer = await made(api, BATCHED, { Webhook: { Url: 'http://localhost:5001/hook' } });
      expect(warningOf(answer)).toContain('the real service requires https');
    },
    'an Authorization': async () =>
      expect(await postsOf({ Url, Authorization: 'Basic dTpw' })).toContainEqual({
        url: Url,
        authorization: 'Basic dTpw',
      }),
    'an Authorization that is a string': refusesIn(BATCHED, 'Webhook', { Url, Authorization: 5 }),
  },
  '| Status | string | RECEIVED, CREATED,': {
    'RECEIVED, CREATED, IN_PROGRESS, SUCCESS': async ({ api }) =>
      expect(new Set(await shownOf(api, 'Status'))).toEqual(new Set(STATUSES.slice(0, 4))),
    FAILED: async ({ api }) =>
      expect(await api.read(await brokenBatch(api))).toMatchObject({ Status: 'FAILED' }),
  },
  '| Progress | decimal | From 0 to 1.': {
    'decimal, from 0 to 1, as much as has been processed': async ({ api }) =>
      expect(await shownOf(api, 'Progress')).toEqual([0, 0, 0, 0.5, 1]),
  },
  '| Results | string | CSV-style text.': {
    'a string': async ({ api }) =>
      expect(await api.read(await endedBatch(api))).toMatchObject({ Results: expect.any(String) }),
    'with these columns': async ({ api }) => {
      const { Results } = await api.read(await endedBatch(api));
      expect(String(Results).split('\n')[0]).toBe(COLUMNS);
    },
    'CSV-style: a line for each row, with a cell for each column': async ({ api }) => {
      const lines = String((await api.read(await endedBatch(api)))['Results']).split('\n');
      expect(lines.map((line) => line.split(',').length)).toEqual([10, 10, 10]);
    },
    'what was submitted comes first': async ({ api }) => {
      const [first, second] = await resultsOf(api, await endedBatch(api));
      expect(first).toMatchObject({ Amount: '12.50', Currency: 'AUD', Reference: 'r0' });
      expect(second).toMatchObject({ Reference: 'r1' });
    },
  },
  '| RECEIVED | The batch has been received. |': {
    'at once': answers(BATCHED, {}, { Status: 'RECEIVED' }),
  },
  '| CREATED | The batch is ready and queued. |': {
    'after it was received, before anything is processed': async ({ api }) => {
      await batchAfter(api, 1000, 'CREATED');
      expect(await api.read('/charge')).toMatchObject({ Count: 0 });
    },
  },
  '| IN_PROGRESS | The batch is being processed. |': {
    'some rows are processed, others are not': async ({ api }) => {
      await batchAfter(api, 2100, 'IN_PROGRESS');
      expect(await api.read('/charge')).toMatchObject({ Count: 1 });
    },
  },
  '| SUCCESS | All transactions completed. |': {
    'all rows are processed': async ({ api }) => {
      await batchAfter(api, 2200, 'SUCCESS');
      expect(await api.read('/charge')).toMatchObject({ Count: 2 });
    },
    'not before': async ({ api }) => {
      await batchAfter(api, 2199, 'IN_PROGRESS');
    },
  },
  '| FAILED | An error occurred during processing.': {
    'an error occurred during processing, which ends it': async ({ api }) => {
      const path = await brokenBatch(api);
      await api.advance('1h');
      expect(await api.read(path)).toMatchObject({ Status: 'FAILED', Success: 1 });
    },
    'support must be contacted': 'that is up to people',
  },
  '- The same five names are used.': {
    'of rows that wait, succeed or fail': async ({ api }) => {
      const path = await batchPath(api, await rowsOf(api, VISA, NO_FUNDS));
      const seen = new Set<string | undefined>();
      for (const ms of [0, 1000, 1000, 100, 100]) {
        if (ms > 0) await api.advance(ms);
        for (const { Status } of await resultsOf(api, path)) seen.add(Status);
      }
      expect(seen).toEqual(new Set(STATUSES));
    },
  },
  '- On a SUCCESS row, TransactionId': {
    'it is that of the charge': async ({ api }) => {
      const [row] = await resultsOf(api, await endedBatch(api));
      expect(row).toMatchObject({ Status: 'SUCCESS', FailureReason: '' });
      expect(await api.read(`/charge/${row?.['TransactionId']}`)).toMatchObject({
        Reference: 'r0',
        Amount: 12.5,
      });
    },
  },
  '- On a FAILED row, FailureReason': {
    'the cause, and the diagnostics of the gateway': async ({ api }) => {
      const [, row] = await resultsOf(api, await endedBatch(api));
      expect(row).toMatchObject({
        Status: 'FAILED',
        TransactionId: '',
        FailureReason: expect.stringContaining('Insufficient Funds'),
        GatewayErrorCode: '51',
        GatewayErrorResponse: expect.stringMatching(/insufficient funds/i),
        IsRetryable: 'true',
      });
    },
    'a cause that no gateway knows of has none': async ({ api }) => {
      const path = await batchPath(api, ['nobody,1,AUD,a']);
      await api.advance('1m');
      const [row] = await resultsOf(api, path);
      expect(row).toMatchObject({ Status: 'FAILED', GatewayErrorCode: '', GatewayErrorResponse: '' });
      expect(row?.['FailureReason']).toContain('PaymentMethodId');
    },
  },
  'States: RECEIVED, CREATED, IN_PROGRESS, SUCCESS, FAILED.': {
    'in this order': async ({ api }) =>
      expect(await shownOf(api, 'Status')).toEqual([...STATUSES.slice(0, 3), 'IN_PROGRESS', 'SUCCESS']),
    'one that has ended does not fail any more': async ({ api }) => {
      const path = await endedBatch(api);
      const body = { Action: 'batch.fail', Ref: path.replace('/batch/', '') };
      expect((await api.post('/_sandbox/simulate', body)).status).toBe(409);
      expect(await api.read(path)).toMatchObject({ Status: 'SUCCESS' });
    },
  },
};
