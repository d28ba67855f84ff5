import { isIP } from 'node:net';

import { DEFAULT_START } from '../core/clock.js';
import { formatInstant } from '../core/time.js';
import { DEFAULT_PROVIDER_ID } from '../providers/built-in.js';
import type { StartOptions } from './options.js';

/** What somebody who starts the program for the first time wants to know, for stderr. */
export function startNote(options: StartOptions, port: number): string {
  return [...warnings(options), keyRule(options), clockRule(options), ...firstCall(options, port)]
    .map((line) => `${line}\n`)
    .join('');
}

function warnings({ host, adminToken }: StartOptions): string[] {
  if (isLoopback(host) || adminToken !== null) return [];
  return [
    `Warning: ${host} can be reached from other machines, and /_sandbox is open to all of them. Guard it with --admin-token.`,
  ];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function keyRule({ keys }: StartOptions): string {
  const more = keys.includes('any')
    ? ', and so does every other key'
    : keys.length > 0
      ? ', and so do the --key ones'
      : '';
  return `Each key that starts with sk_test_, such as sk_test_local, opens a world of its own${more}.`;
}

function clockRule(options: StartOptions): string {
  const { mode, rate } = options.clock;
  const start = formatInstant(startOf(options));
  if (mode === 'manual') return `The clock of a world stands at ${start} until POST /_sandbox/clock/advance.`;
  const from = mode === 'real' && options.startTime === null ? '' : ` from ${start} on`;
  return `The clock of a world runs ${mode === 'real' ? 'in real time' : `${rate} times as fast`}${from}.`;
}

function startOf({ startTime, clock }: StartOptions): number {
  return startTime ?? (clock.mode === 'real' ? Date.now() : DEFAULT_START);
}

/** A charge that is approved, ready to be pasted. */
function firstCall(options: StartOptions, port: number): string[] {
  const year = new Date(startOf(options)).getUTCFullYear() + 2;
  const charge = {
    Amount: '20.00',
    ProviderId: DEFAULT_PROVIDER_ID,
    PaymentInformation: {
      CardNumber: '4242424242424242',
      ExpiryDate: `12/${String(year).slice(-2)}`,
      Ccv: '123',
    },
  };
  return [
    'What makes a charge decline: playmoney triggers. A first charge:',
    `  curl ${addressOf(options.host)}:${port}/charge/card -H 'x-secretkey: sk_test_local' \\`,
    `    -H 'content-type: application/json' -d '${JSON.stringify(charge)}'`,
  ];
}

/** Where a client of the same machine finds the server. */
function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'http://127.0.0.1';
  return `http://${host.includes(':') ? `[${host}]` : host}`;
}
