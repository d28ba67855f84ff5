import { request } from 'node:https';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { temporaryFolder } from '../../support/folder.js';

/**
 * A client as strict as those of the service: TLS 1.2 at least, a certificate that it can check, a Content-Type on every
 * request, a slash or a bare question mark at the end of a path, and no status but 200.
 */

const PROGRAM = join(import.meta.dirname, '../../../dist/cli.js');
const PROVIDER = '00000000000000000000000000000001';
const CARD = { CardNumber: '4111111111111111', ExpiryDate: '12/35', Ccv: '123', Cardholder: 'Jo Smith' };
const dir = temporaryFolder();
let server: ChildProcess;
let port = 0;

interface Reply {
  readonly text: string;
  readonly body: Record<string, unknown>;
}

function call(method: string, path: string, body?: object): Promise<Reply> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: 'localhost',
        port,
        method,
        path,
        ca: readFileSync(join(dir, 'ca.pem')),
        minVersion: 'TLSv1.2',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(sent),
          'x-secretkey': 'sk_test_strict',
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 0) >= 400)
            return reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
          resolve({ text, body: JSON.parse(text) as Reply['body'] });
        });
      },
    );
    asked.on('error', reject);
    asked.end(sent);
  });
}

const get = (path: string) => call('GET', path);
const post = (path: string, body: object) => call('POST', path, body);

/** A member somewhere in an answer, by its exact name. */
function at(reply: Reply, ...names: string[]): unknown {
  let value: unknown = reply.body;
  for (const name of names) {
    expect(Object.keys(value as object)).toContain(name);
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

beforeAll(async () => {
  const args = [
    '--dialect',
    'sdk',
    '--https',
    '--tls-dir',
    dir,
    '--port',
    '0',
    '--clock',
    'manual',
    '--quiet',
  ];
  server = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
  port = Number(/:(\d+)\n/.exec(line.toString())?.[1]);
});

afterAll(() => {
  server.kill();
});

const charge = (more: object = {}) =>
  post('/charge/card/', {
    Amount: '15.50',
    Currency: 'AUD',
    ProviderId: PROVIDER,
    PaymentInformation: CARD,
    ...more,
  });

describe('a strict client of the sdk dialect over HTTPS', () => {
  test('speaks TLS 1.2 at least', async () => {
    const asked = request({ host: 'localhost', port, path: '/', ca: readFileSync(join(dir, 'ca.pem')) });
    asked.end();
    const [response] = (await once(asked, 'response')) as [{ socket: TLSSocket; resume(): void }];
    expect(response.socket.getProtocol()).toMatch(/^TLSv1\.[23]$/);
    response.resume();
  });

  test('charges, reads the charge, and refunds a part, which is written as an integer', async () => {
    const made = await charge({ Reference: 'strict-1' });
    expect(made.body).toMatchObject({
      status: 'SUCCESS',
      amount: 15.5,
      reference: 'strict-1',
      customerId: null,
    });
    const path = `/charge/${String(at(made, 'chargeId'))}`;
    expect((await get(`${path}/`)).body).toEqual(made.body);
    const refunded = await call('DELETE', `${path}?amount=5.00`);
    expect(refunded.text).toContain('"refundedAmount":5,');
    expect(at(refunded, 'status')).toBe('PARTIAL_REFUND');
  });

  test('authorises, captures without an amount, and voids with a bare question mark', async () => {
    const held = await charge({ capture: false });
    expect(at(held, 'status')).toBe('AUTHORISE');
    const captured = await post(`/charge/${String(at(held, 'chargeId'))}/capture`, {});
    expect(captured.body).toMatchObject({ status: 'SUCCESS', amount: 15.5, authorisationAmount: 15.5 });
    const other = await charge({ capture: false });
    const voided = await call('DELETE', `/charge/${String(at(other, 'chargeId'))}?`);
    expect(at(voided, 'status')).toBe('AUTHORISE_CANCELLED');
  });

  test('finds a charge by six leading digits, scheme and holder', async () => {
    const holder = { ...CARD, Cardholder: 'Sam Only' };
    const made = await charge({ PaymentInformation: holder });
    const found = await get('/charge?CardNumber=411111&CardType=VISA&Cardholder=Sam+Only&Limit=10&');
    expect(found.body).toMatchObject({ limit: 10, skip: 0, count: 1 });
    expect(at(found, 'charges')).toMatchObject([{ chargeId: at(made, 'chargeId') }]);
  });
});
