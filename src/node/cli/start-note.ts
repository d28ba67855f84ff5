import { isIP } from 'node:net';

import { type ClockMode, DEFAULT_START } from '../../core/clock.js';
import { linesOf, shellQuoted } from '../../core/text.js';
import { formatDuration, formatInstant } from '../../core/time.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import type { Scenario } from '../../scenarios/model.js';
import { isWildcard, lanAddresses } from '../http/lan.js';
import type { Authority } from '../http/listener.js';
import type { Listening } from '../http/serve.js';
import type { StartOptions } from './option-table.js';

/** What a first-time user wants to know, for stderr. */
export function startNote(
  options: StartOptions,
  { port, authority }: Pick<Listening, 'port' | 'authority'>,
  scenario: Scenario | null,
): string {
  // A scenario that is for certain keys changes nothing for the worlds of the others.
  const common = scenario?.keys.length === 0 ? scenario : null;
  const { mode, rate } = common?.clock ?? options.clock;
  const begins = common?.startTime ?? options.startTime ?? (mode === 'real' ? null : DEFAULT_START);
  const own = `${addressOf(options)}:${port}`;
  return linesOf([
    ...warnings(options),
    `Base address ${own}, key sk_test_local, dashboard ${own}/_sandbox`,
    ...otherAddresses(options, port),
    keyRule(options),
    scenarioRule(options, scenario),
    dialectRule(common?.dialect ?? options.dialect),
    clockRule(mode, rate, begins),
    ...serviceRules(options, common),
    ...trustRule(authority),
    ...firstCall(own, authority, begins ?? Date.now()),
  ]);
}

function warnings({ host, adminToken }: StartOptions): string[] {
  const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (isLoopback || adminToken !== null) return [];
  return [
    `Warning: ${host} can be reached from other machines, and /_sandbox is open to all of them. Guard it with --admin-token.`,
  ];
}

/** Where other machines of the network find a server that listens beyond loopback. */
function otherAddresses({ host, https }: StartOptions, port: number): string[] {
  const others = isWildcard(host)
    ? lanAddresses().map((address) => `${originOf(https, address)}:${port}`)
    : [];
  if (others.length === 0) return [];
  return [`Other machines of the network call ${others.join(', ')}; --allowed-origin lets their pages in.`];
}

function keyRule({ keys }: StartOptions): string {
  const given = keys.length > 0 ? ', and so do the --key ones' : '';
  const more = keys.includes('any') ? ', and so does every other key' : given;
  return `Each key that starts with sk_test_, such as sk_test_local, opens a world of its own${more}.`;
}

function scenarioRule({ watch }: StartOptions, scenario: Scenario | null): string {
  if (scenario === null) return 'No scenario is played; playmoney scenarios lists those that come along.';
  const { name, keys } = scenario;
  const whose =
    keys.length === 0 ? 'Each world plays' : `The worlds of ${keys.length} of its keys alone play`;
  return `${whose} the scenario ${name}${watch ? ', anew whenever its file changes' : ''}.`;
}

function dialectRule(dialect: StartOptions['dialect']): string {
  return dialect === 'sdk'
    ? 'Answers are spelt for client libraries (dialect sdk); the header x-sandbox-dialect: documented asks for the other spelling.'
    : 'Answers are spelt as documented; --dialect sdk, or the header x-sandbox-dialect: sdk, spells them for client libraries.';
}

/** `begins` is in milliseconds since 1970; null: now. */
function clockRule(mode: ClockMode, rate: number, begins: number | null): string {
  const from = begins === null ? '' : formatInstant(begins);
  if (mode === 'manual') return `The clock of a world stands at ${from} until POST /_sandbox/clock/advance.`;
  const pace = mode === 'real' ? 'in real time' : `${rate} times as fast`;
  return `The clock of a world runs ${pace}${from && ` from ${from} on`}.`;
}

/** Where worlds are as strict as the service is, which they are not by themselves. */
function serviceRules(options: StartOptions, common: Scenario | null): string[] {
  const ttl = common?.ccvTtl ?? options.ccvTtl;
  const knownOnly = common?.knownProvidersOnly ?? options.knownProvidersOnly;
  return [
    ...(ttl === null
      ? []
      : [`The vault keeps a Ccv for ${formatDuration(ttl)}, or until the first charge that uses it.`]),
    ...(knownOnly ? ['A ProviderId that is neither built in nor configured is refused with code 39.'] : []),
  ];
}

/** How clients come to trust the certificate. */
function trustRule(authority: Authority | null): string[] {
  if (authority === null) return [];
  return [
    'Clients have to trust the authority that signed the certificate of this server; those on Node do with',
    `  NODE_EXTRA_CA_CERTS=${shellQuoted(authority.file)}`,
  ];
}

/** What is printed when the first client does not trust the certificate. */
export function distrustNote({ file }: Authority): string {
  return `playmoney: a client broke off its TLS handshake; it has to trust ${file} (on Node: NODE_EXTRA_CA_CERTS=${shellQuoted(file)}) and to call a name that the certificate has (--allowed-host adds one)\n`;
}

/** A charge that is approved, ready to be pasted; `now` is that of a new world. */
function firstCall(address: string, authority: Authority | null, now: number): string[] {
  const trust = authority === null ? '' : ` --cacert ${shellQuoted(authority.file)}`;
  const year = new Date(now).getUTCFullYear() + 2;
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

/** Where a client of the same machine finds the server, without its port. */
export function addressOf({ host, https }: StartOptions): string {
  return originOf(https, isWildcard(host) ? '127.0.0.1' : host);
}

function originOf(https: boolean, host: string): string {
  return `${https ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}`;
}
