import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { NO_FUNDS, VISA } from '../support/bodies.js';
import { client, good, testSandbox } from '../support/sandbox.js';
import { after } from '../support/stored.js';
import { brokenBatch, endedBatch, postsOf, resultsOf } from './batch-calls.js';
import {
  answers,
  batchPath,
  BOTH_ENDS,
  BOTH_VAULT_ENDS,
  CALL_NAMES,
  COMBINED,
  CHARGE_IN,
  chargeOf,
  each,
  made,
  prepared,
  refuses,
  rowsOf,
  takes,
} from './calls.js';
import type { Proof, Proofs } from './proof.js';
import { isRefusedWithoutKey, isRefusedWithoutType } from './requests.js';
import { keepsCcvUnused, losesCcv, worksOnlyIn } from './states.js';

const refusesBothEnds: Proof = refuses('POST /vault', BOTH_ENDS);
const refusesBothVaultEnds = each(COMBINED, (name) => refuses(name, { VaultCard: true, ...BOTH_VAULT_ENDS }));

/** The Progress of a batch at each step of its life. */
const progress: Proof = async ({ api }) => {
  const path = await batchPath(api, await rowsOf(api, VISA, NO_FUNDS, VISA, VISA));
  const seen: unknown[] = [];
  for (const ms of [1999, 101, 100, 100, 100]) {
    await api.advance(ms);
    seen.push((await api.read(`${path}/status`))['Progress']);
  }
  expect(seen).toEqual([0, 0.25, 0.5, 0.75, 1]);
};

const diagnostics: Proof = async ({ api }) => {
  const [, row] = await resultsOf(api, await endedBatch(api));
  for (const column of ['FailureReason', 'GatewayErrorCode', 'GatewayErrorResponse', 'IsRetryable']) {
    expect(row?.[column], column).not.toBe('');
  }
};

const RECEIVER = { Url: 'https://example.com/hook', Authorization: 'Basic dTpw' };
const DELIVERED = { url: RECEIVER.Url, authorization: RECEIVER.Authorization };

const openApi = (): { info: { version: string }; paths: object } =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as ReturnType<
    typeof openApi
  >;

/** The rules, and what is said of authentication, events, errors, limits and versions. */
export const RULES: Proofs = {
  '1. Request bodies are JSON objects': {
    'with the field names above': async ({ api }) => {
      for (const name of CALL_NAMES)
        expect((await made(api, name)).headers.has('x-sandbox-warning')).toBe(false);
    },
    'other JSON is refused': async ({ api }) => {
      for (const name of CALL_NAMES.filter((one) => one.startsWith('POST'))) {
        const { path, body } = await prepared(api, name);
        for (const other of [JSON.stringify([body]), '"text"', '5', 'null', 'Amount=5']) {
          expect((await api.post(path, other)).status, `${name} ${other}`).toBe(400);
        }
      }
    },
  },
  '2. A charge that states Capture false becomes Authorised': {
    'it becomes Authorised': answers('POST /charge/card', { Capture: false }, { Status: 'Authorised' }),
    'it can then be captured': takes('POST /charge/{charge_id}'),
    'or voided': takes('DELETE /charge/{charge_id}/void'),
    'not both': async ({ api }) => {
      const id = await CHARGE_IN.AUTHORISE_CANCELLED(api);
      expect((await api.post(`/charge/${id}`, { Amount: 15.5 })).status).toBe(409);
    },
  },
  '3. Refund is allowed when the charge Status is': {
    'SUCCESS or PARTIAL_REFUND, and no other': worksOnlyIn('refund', 'SUCCESS', 'PARTIAL_REFUND'),
  },
  '4. Capture and void apply when the Status is Authorised.': {
    'capture, and in no other': worksOnlyIn('capture', 'Authorised'),
    'void, and in no other': worksOnlyIn('void', 'Authorised'),
  },
  '5. Expiry of a vault entry is set at creation': {
    'by a duration': answers('POST /vault', { ExpireSeconds: 60 }, { ExpireDate: after(60_000) }),
    'by a date': answers('POST /vault', { ExpireDate: after(60_000) }, { ExpireDate: after(60_000) }),
    'never both': refusesBothEnds,
    'in provider-combined calls VaultExpireSeconds': async ({ api }) => {
      for (const name of COMBINED) await made(api, name, { VaultCard: true, VaultExpireSeconds: 60 });
      await api.advance('60s');
      expect(await api.counts()).toMatchObject({ VaultEntries: 0 });
    },
    'and VaultExpireDate': async ({ api }) => {
      for (const name of COMBINED) await made(api, name, { VaultCard: true, VaultExpireDate: after(60_000) });
      await api.advance('60s');
      expect(await api.counts()).toMatchObject({ VaultEntries: 0 });
    },
    'never both there': refusesBothVaultEnds,
  },
  '6. The batch status response contains Status and Progress.': {
    'Status and Progress': answers('GET /batch/{batch_id}/status', {}, { Status: 'RECEIVED', Progress: 0 }),
    'Results in the details': answers('GET /batch/{batch_id}', {}, { Results: expect.any(String) }),
    'and there alone': async ({ api }) =>
      expect((await made(api, 'GET /batch/{batch_id}/status')).body).not.toHaveProperty('Results'),
  },
  '1. Every request carries the header `x-secretkey`': {
    'without it, or with another value, nothing is done': isRefusedWithoutKey,
    'in no other header': async ({ sandbox }) => {
      const headers = { authorization: 'Bearer sk_test_a' };
      expect((await client(sandbox, null).get('/charge', headers)).status).toBe(401);
    },
    "it is the account's: another account sees nothing of it": async ({ api, sandbox }) => {
      const id = await chargeOf(api);
      const other = client(sandbox, 'sk_test_b');
      expect(await other.read('/charge')).toMatchObject({ Count: 0 });
      expect((await other.del(`/refund/${id}`)).status).toBe(404);
    },
  },
  '2. Requests with bodies carry': {
    'without it they are refused': isRefusedWithoutType,
    'requests without bodies need none': async ({ api }) => {
      for (const name of CALL_NAMES.filter((one) => !one.startsWith('POST'))) await made(api, name);
    },
  },
  '3. A batch webhook may carry an Authorization value': {
    'the value of the request': async () => expect(await postsOf(RECEIVER)).toContainEqual(DELIVERED),
    'it may be left out': async () => {
      const { Url } = RECEIVER;
      expect(await postsOf({ Url })).toContainEqual({ url: Url, authorization: undefined });
    },
  },
  '1. A batch request may name a webhook': {
    'it is posted to Url, with Authorization': async () => {
      const posts = await postsOf(RECEIVER);
      expect(posts.length).toBeGreaterThan(0);
      expect(new Set(posts.map((post) => JSON.stringify(post)))).toEqual(
        new Set([JSON.stringify(DELIVERED)]),
      );
    },
    'without one, nothing is posted': async () => expect(await postsOf()).toEqual([]),
    'the only mechanism shown': 'says what the specification shows',
  },
  '2. Per-transaction failures inside a batch are reported': {
    'through these columns': diagnostics,
    'the batch itself succeeds': async ({ api }) =>
      expect(await api.read(await endedBatch(api))).toMatchObject({ Status: 'SUCCESS', Failure: 1 }),
    'a FAILED batch means an error during processing': async ({ api }) => {
      const [done, undone] = await resultsOf(api, await brokenBatch(api));
      expect([done?.['Status'], undone?.['Status']]).toEqual(['SUCCESS', 'FAILED']);
      expect(undone?.['FailureReason']).toMatch(/processing stopped/i);
    },
  },
  '3. Supplying both an expiry date and an expiry duration': {
    'for an entry': refusesBothEnds,
    'for an entry of a combined call': refusesBothVaultEnds,
  },
  '| Batch Progress | Decimal from 0 to 1. |': { 'it rises from 0 to 1': progress },
  '| Vault expiry | Exactly one of date or seconds per request. |': {
    'a date alone': takes('POST /vault', { ExpireDate: after(1) }),
    'seconds alone': takes('POST /vault', { ExpireSeconds: 1 }),
    'not both': refusesBothEnds,
    'not neither': 'both are "optional" in the table of endpoints, so that an entry may have no end',
  },
  '| Stored Ccv | Deleted after the first transaction': {
    'after the first transaction using the entry': losesCcv,
    'not before': keepsCcvUnused,
  },
  '| Ccv in vault creation | Optional. |': {
    'without it': takes('POST /vault'),
    'with it': takes('POST /vault', { Ccv: '123' }),
  },
  '1. The service interface description carries the version label `v1`.': {
    'the description that is written': () => {
      expect(openApi().info.version).toBe('v1');
      return Promise.resolve();
    },
    'the description that is served': async ({ api }) =>
      expect(await api.read('/_sandbox/openapi.json')).toMatchObject({ info: { version: 'v1' } }),
  },
  '2. Paths carry no version segment.': {
    'none that is described': () => {
      expect(Object.keys(openApi().paths).filter((path) => /\/v\d+(?:\/|$)/.test(path))).toEqual([]);
      return Promise.resolve();
    },
    'with one they are not found': async ({ api }) => {
      for (const path of ['/v1/charge', '/v1/customer', '/charge/v1/search']) {
        expect((await api.get(path)).status, path).toBe(404);
      }
    },
  },
  '3. A sandbox environment exists at its own address': {
    'two sandboxes share nothing': async ({ api }) => {
      await chargeOf(api);
      expect(await client(testSandbox()).read('/charge')).toMatchObject({ Count: 0 });
      expect((await good(api.get('/charge'))).body).toMatchObject({ Count: 1 });
    },
  },
};
