import { expect } from 'vitest';

import { client } from '../support/sandbox.js';
import { CALL_NAMES, type CallName, prepared } from './calls.js';
import type { Proof } from './proof.js';

/** That no method but those of its own reach a path. */
export const hasItsMethod =
  (name: CallName): Proof =>
  async ({ api, sandbox }) => {
    const { path } = await prepared(api, name);
    const before = await api.counts();
    const headers = { 'x-secretkey': 'sk_test_a' };
    for (const method of ['PUT', 'PATCH']) {
      const answer = await sandbox.fetch(new Request(`http://localhost${path}`, { method, headers }));
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(answer.headers.get('allow')?.split(', ')).toContain(name.split(' ')[0]);
    }
    expect(await api.counts()).toEqual(before);
  };

/** That every call is refused with another key than that of an account, and changes nothing. */
export const isRefusedWithoutKey: Proof = async ({ api, sandbox }) => {
  for (const name of CALL_NAMES) {
    const { send } = await prepared(api, name);
    const before = await api.counts();
    for (const key of [null, '', 'secret']) {
      expect((await send({}, client(sandbox, key))).status, name).toBe(401);
    }
    expect(await api.counts()).toEqual(before);
  }
};

/** That a request with a body must say that it is JSON. */
export const isRefusedWithoutType: Proof = async ({ api }) => {
  for (const name of CALL_NAMES.filter((one) => one.startsWith('POST'))) {
    for (const type of ['text/plain', '']) {
      expect((await (await prepared(api, name)).send({ 'content-type': type })).status, name).toBe(415);
    }
  }
};
