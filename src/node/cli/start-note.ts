import { isIP } from 'node:net';

import { shellQuoted } from '../../core/text.js';
import { type ClockMode, DEFAULT_START } from '../../core/clock.js';
import { formatInstant } from '../../core/time.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import type { Scenario } from '../../scenarios/model.js';
import type { Authority } from '../http/listener.js';
import { isWildcard, lanAddresses } from '../http/lan.js';
import type { StartOptions } from './option-table.js';
import type { Listening } from '../http/serve.js';

/** What somebody who starts the program for the first time wants to know, for stderr. */
export function startNote(
  options: StartOptions,
  { port, authority }: Pick<Listening, 'port' | 'authority'>,
  scenario: Scenario | null,
): string {
  const clock = clockOf(options, scenario);
  return [
    ...warnings(options),
    ...addresses(options, port),
    keyRule(options),
    ...scenarioRule(options, scenario),
    dialectRule(options, scenario),
    clockRule(clock),
    ...trustRule(authority),
    ...firstCall(`${addressOf(options)}:${port}`, authority, clock),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Where the server and its dashboard are; beyond loopback, also for the other machines of the network. */
function addresses(options: StartOptions, port: number): string[] {
  const own = `${addressOf(options)}:${port}`;
  const scheme = options.https ? 'https' : 'http';
  const others = isWildcard(options.host)
    ? lanAddresses().map(
        (address) => `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`,
      )
    : [];
  return [
    `Base address ${own}, key sk_test_local, dashboard ${own}/_sandbox`,
    ...(others.length === 0
      ? []
      : [`Other machines of the network call ${others.join(', ')}; --allowed-origin lets their pages in.`]),
  ];
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

function scenarioRule({ watch }: StartOptions, scenario: Scenario | null): string[] {
  if (scenario === null) {
    return ['No scenario is played; playmoney scenarios lists those that come along.'];
  }
  const { name, keys } = scenario;
  const whose =
    keys.length === 0 ? 'Each world plays' : `The worlds of ${keys.length} of its keys alone play`;
  return [`${whose} the scenario ${name}${watch ? ', anew whenever its file changes' : ''}.`];
}

/** What a new world speaks; a scenario that is for certain keys says nothing of the others. */
function dialectRule(options: StartOptions, scenario: Scenario | null): string {
  const dialect = (isForAll(scenario) ? scenario.dialect : null) ?? options.dialect;
  return dialect === 'sdk'
    ? 'Answers are spelt for client libraries (dialect sdk); the header x-sandbox-dialect: documented asks for the other spelling.'
    : 'Answers are spelt as documented; --dialect sdk, or the header x-sandbox-dialect: sdk, spells them for client libraries.';
}

function isForAll(scenario: Scenario | null): scenario is Scenario {
  return scenario !== null && scenario.keys.length === 0;
}

interface Clock {
  readonly mode: ClockMode;
  readonly rate: number;
  /** Where it begins, in milliseconds since 1970; null: now. */
  readonly start: number | null;
}

/** The clock of a new world; a scenario that is for certain keys says nothing of the others. */
function clockOf(options: StartOptions, scenario: Scenario | null): Clock {
  const { mode, rate } = (isForAll(scenario) ? scenario.clock : null) ?? options.clock;
  const start = (isForAll(scenario) ? scenario.startTime : null) ?? options.startTime;
  return { mode, rate, start: start ?? (mode === 'real' ? null : DEFAULT_START) };
}

function clockRule({ mode, rate, start }: Clock): string {
  const from = start === null ? '' : formatInstant(start);
  if (mode === 'manual') return `The clock of a world stands at ${from} until POST /_sandbox/clock/advance.`;
  const pace = mode === 'real' ? 'in real time' : `${rate} times as fast`;
  return `The clock of a world runs ${pace}${from && ` from ${from} on`}.`;
}

/** How clients come to trust the certificate. */
function trustRule(authority: Authority | null): string[] {
  if (authority === null) return [];
  return [
    'Clients have to trust the authority that signed the certificate of this server; those on Node do with',
    `  NODE_EXTRA_CA_CERTS=${shellQuoted(authority.file)}`,
  ];
}

/** What is said of the first client that does not trust the certificate. */
export function distrustNote({ file }: Authority): string {
  return `playmoney: a client broke off its TLS handshake; it has to trust ${file} (on Node: NODE_EXTRA_CA_CERTS=${shellQuoted(file)}) and to call a name that the certificate has (--allowed-host adds one)\n`;
}

/** A charge that is approved, ready to be pasted. */
function firstCall(address: string, authority: Authority | null, { start }: Clock): string[] {
  const trust = authority === null ? '' : ` --cacert ${shellQuoted(authority.file)}`;
  const year = new Date(start ?? Date.now()).getUTCFullYear() + 2;
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
    `  curl${trust} ${address}/charge/card -H 'x-secretkey: sk_test_local' \\`,
    `    -H 'content-type: application/json' -d '${JSON.stringify(charge)}'`,
  ];
}

/** Where a client of the same machine finds the server. */
export function addressOf({ host, https }: StartOptions): string {
  const scheme = https ? 'https' : 'http';
  if (isWildcard(host)) return `${scheme}://127.0.0.1`;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}`;
}
