import { isIP } from 'node:net';

import { DEFAULT_KEY } from '../../../core/keys.js';
import { type ClockMode, DEFAULT_START } from '../../../core/time/clock.js';
import { maskKey } from '../../../core/text/secrets.js';
import { formatCount, quoteForShell } from '../../../core/text/text.js';
import { formatDuration, formatInstant } from '../../../core/time/time.js';
import { DEFAULT_PROVIDER_ID } from '../../../outcomes/built-in.js';
import type { Scenario } from '../../../scenarios/script/model.js';
import { isWildcard, lanAddresses } from '../../machine/lan.js';
import type { CertificateAuthority } from '../../http/listener.js';
import type { HttpListening } from '../../http/serve.js';
import type { StartOptions } from '../../options/option-table.js';
import { formatLines, type Printable } from '../../terminal/terminal.js';

/** The world of a bundle that was opened. */
export interface RestoredWorld {
  readonly key: string;
  readonly now: number;
}

/** The key of the example charge after a bundle was opened: a charge must change neither its world nor that of its replay. */
const NEW_KEY = 'sk_test_new';

/** The note for first-time users, printed on stderr. */
export function formatStartNote(
  options: StartOptions,
  { port, authority }: Pick<HttpListening, 'port' | 'authority'>,
  scenario: Scenario | null,
  restored: RestoredWorld | null = null,
): Printable {
  // A scenario that lists its keys does not apply to the worlds of other keys.
  const common = scenario?.keys.length === 0 ? scenario : null;
  const { mode, rate } = common?.clock ?? options.clock;
  const begins = common?.startTime ?? options.startTime ?? (mode === 'real' ? null : DEFAULT_START);
  const own = `${formatAddress(options)}:${port}`;
  return formatLines([
    ...listStartWarnings(options),
    `Base address ${own}, key ${maskKey(restored?.key ?? DEFAULT_KEY)}, dashboard ${own}/_sandbox`,
    ...describeOtherAddresses(options, port),
    describeKeys(options),
    describeScenario(options, scenario),
    `Answers: ${ANSWERS[common?.dialect ?? options.dialect]}`,
    ...(restored === null ? [] : [`Clock of the restored world: ${formatInstant(restored.now)}.`]),
    describeClock(restored === null ? 'Clock' : 'Clock of a new world', mode, rate, begins),
    ...describeServiceRules(options, common),
    ...describeTrust(authority),
    ...describeFirstCall(own, authority, begins ?? Date.now(), restored === null ? DEFAULT_KEY : NEW_KEY),
  ]);
}

/** Whether only this machine can reach a server that listens on a host. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function listStartWarnings({ host, adminToken }: StartOptions): string[] {
  if (isLoopbackHost(host) || adminToken !== null) return [];
  return [
    `Warning: --host ${host} lets other machines use this server, including /_sandbox. Protect /_sandbox with --admin-token.`,
  ];
}

/** The addresses at which other machines reach a server that listens beyond loopback. */
function describeOtherAddresses({ host, https }: StartOptions, port: number): string[] {
  const others = isWildcard(host)
    ? lanAddresses().map((address) => `${formatOrigin(https, address)}:${port}`)
    : [];
  if (others.length === 0) return [];
  return [`From other machines: ${others.join(', ')}. Web pages from there need --allowed-origin.`];
}

function describeKeys({ keys }: StartOptions): string {
  const given = keys.length > 0 ? ', and every key from --key,' : '';
  const which = keys.includes('any') ? 'Every key' : `Every key that starts with sk_test_${given}`;
  return `${which} has its own world: its own charges, customers and clock.`;
}

function describeScenario({ watch }: StartOptions, scenario: Scenario | null): string {
  if (scenario === null) return 'Scenario: none. `playmoney scenarios` lists the built-in ones.';
  const { name, keys } = scenario;
  const where =
    keys.length === 0 ? 'in every world' : `only for the ${formatCount(keys.length, 'key')} it lists`;
  return `Scenario: ${name}, ${where}.${watch ? ' It is reloaded whenever its file changes.' : ''}`;
}

const ANSWERS: Readonly<Record<StartOptions['dialect'], string>> = {
  auto: 'in the documented format, and for the Java library in that of client libraries. The PHP and .NET libraries need --dialect sdk.',
  documented:
    'in the documented format. For client libraries, use --dialect sdk or the header `x-sandbox-dialect: sdk`.',
  sdk: 'formatted for client libraries (dialect sdk). The header `x-sandbox-dialect: documented` selects the documented format.',
};

/** `begins` is in milliseconds since 1970; null means now. */
function describeClock(name: string, mode: ClockMode, rate: number, begins: number | null): string {
  const from = begins === null ? '' : formatInstant(begins);
  if (mode === 'manual')
    return `${name}: stands still at ${from} until POST /_sandbox/clock/advance moves it.`;
  const pace = mode === 'real' ? 'runs in real time' : `runs ${rate} times as fast as real time`;
  return `${name}: ${pace}${from && `, from ${from}`}.`;
}

/** The options that make worlds as strict as the service, which they are not by default. */
function describeServiceRules(options: StartOptions, common: Scenario | null): string[] {
  const ttl = common?.ccvTtl ?? options.ccvTtl;
  const knownOnly = common?.knownProvidersOnly ?? options.knownProvidersOnly;
  return [
    ...(ttl === null
      ? []
      : [`Vault: stores a Ccv for ${formatDuration(ttl)}, or until the first charge that uses it.`]),
    ...(knownOnly
      ? ['Providers: a ProviderId that is neither built in nor configured is refused with code 39.']
      : []),
  ];
}

/** How to make clients trust the certificate. */
function describeTrust(authority: CertificateAuthority | null): string[] {
  if (authority === null) return [];
  return [
    'Clients must trust the authority that signed the certificate of this server. For programs on Node, set',
    `  NODE_EXTRA_CA_CERTS=${quoteForShell(authority.file)}`,
  ];
}

/** Printed when the first client does not trust the certificate. */
export function formatDistrustNote({ file }: CertificateAuthority): Printable {
  return formatLines([
    `playmoney: a client aborted its TLS handshake. It must trust ${file} (on Node: NODE_EXTRA_CA_CERTS=${quoteForShell(file)}) and call a host name in the certificate (--allowed-host adds one)`,
  ]);
}

/** A command that makes an approved charge; `now` is the time of a new world. */
function describeFirstCall(
  address: string,
  authority: CertificateAuthority | null,
  now: number,
  key: string,
): string[] {
  const trust = authority === null ? '' : ` --cacert ${quoteForShell(authority.file)}`;
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
    '`playmoney triggers` lists what causes a charge to be declined. To make a first charge:',
    `  curl${trust} ${address}/charge/card -H 'x-secretkey: ${key}' \\`,
    `    -H 'content-type: application/json' -d '${JSON.stringify(charge)}'`,
  ];
}

/** The address for clients on the same machine, without the port. */
export function formatAddress({ host, https }: Pick<StartOptions, 'host' | 'https'>): string {
  return formatOrigin(https, isWildcard(host) ? '127.0.0.1' : host);
}

function formatOrigin(https: boolean, host: string): string {
  return `${https ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}`;
}
