import { once } from 'node:events';
import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createShop } from './app/shop.js';

/** Signs the webhooks. */
export const SECRET = 'nJ1n0R8hWb6M5yZyqg0Dk3P2a7tXv4sLxQeUoC9iKfE=';

const PROVIDER = '00000000000000000000000000000001';

/** @typedef {Awaited<ReturnType<typeof openShop>>} Shop */

/**
 * Starts a shop on a free port, with a world as its gateway.
 *
 * @param {{ readonly url: string, readonly key: string }} world
 */
export async function openShop({ url, key }) {
  const app = createShop({ gatewayUrl: url, gatewayKey: key, webhookSecret: SECRET });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  /** @type {(method: string, path: string, body?: object) => Promise<{ status: number, body: any }>} */
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // In Jest the objects that json() returns belong to another realm, and deepEqual tells them apart.
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return {
    /** @param {string} path */
    get: (path) => call('GET', path),
    /** @type {(path: string, body?: object) => ReturnType<typeof call>} */
    post: (path, body = {}) => call('POST', path, body),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * The token that a checkout page gets for a card, with the public key.
 *
 * @param {{ readonly url: string, readonly key: string }} world
 * @param {string} CardNumber
 * @returns {Promise<string>}
 */
export async function tokenise({ url, key }, CardNumber) {
  const response = await fetch(`${url}/token/card`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-publickey': key.replace('sk_', 'pk_'),
      providerid: PROVIDER,
    },
    body: JSON.stringify({ PaymentInformation: { CardNumber, ExpiryDate: '12/30', Ccv: '123' } }),
  });
  return JSON.parse(await response.text()).TokenId;
}

/**
 * Saves what the world of a test holds, without real time and addresses, in the folder that SHOP_RECORDS names.
 *
 * @param {string} name
 * @param {import('playmoney').World} sandbox
 */
export async function keepRecords(name, sandbox) {
  // Webhooks are sent after the answers.
  await sandbox.settle();
  const { SHOP_RECORDS: folder } = process.env;
  if (folder === undefined) return;
  const { seed, dialect, scenario, clock } = await sandbox.state();
  const charges = await sandbox.charges();
  const deliveries = await sandbox.deliveries.list();
  const entries = await sandbox.journal.entries();
  const records = {
    world: { seed, dialect, scenario, now: clock.now },
    charges: charges.map(({ ChargeId, ProviderChargeId, Reference, Amount, Status, DateAdded }) =>
      [ChargeId, ProviderChargeId, Reference, Amount, Status, DateAdded].join(' '),
    ),
    webhooks: deliveries.map(({ deliveryId, attempts, body }) => ({
      deliveryId,
      attempts: attempts.map(({ at, status, responseStatus }) => `${at} ${status} ${responseStatus}`),
      body,
    })),
    journal: entries.map(({ at, method, path, query, status, trigger, fault }) =>
      [at, method, query === '' ? path : `${path}?${query}`, status, trigger, fault].join(' '),
    ),
  };
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify(records, null, 2)}\n`);
}
