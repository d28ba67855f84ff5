import { type EnvVariables, quoteShort, readOptions } from '../options/option.js';
import { type DoctorOptions, START, type StartOptions } from '../options/option-table.js';
import { FIXTURES, listVariables, VARIABLES, whyIgnored } from '../options/variables.js';
import { requireCompanions } from '../cli/verbs.js';
import { requireCommandMessage } from '../terminal/terminal.js';
import { attention, type DoctorFinding, note, ok } from './finding.js';

const LOOPBACK = ['127.0.0.1', 'localhost'];

/** The options that a start would have in this environment. Options with wrong variables have their defaults. */
export function readStartSettings(
  { port, scenario }: DoctorOptions,
  env: EnvVariables,
): { settings: StartOptions; findings: DoctorFinding[] } {
  const given = new Map<string, string[]>();
  if (port !== null) given.set('port', [String(port)]);
  if (scenario !== null) given.set('scenario', [scenario]);
  const readable = Object.fromEntries(
    Object.entries(env).filter(([name]) => variableFault(name, env) === null),
  );
  const settings = readOptions(START, given, readable);
  const fault = catchFault(() => requireCompanions(settings));
  return { settings, findings: fault === null ? [] : [attention('options', fault)] };
}

/** Why a start would refuse a variable; null if it would accept it. */
function variableFault(name: string, env: EnvVariables): string | null {
  const row = VARIABLES.get(name);
  return row === undefined ? null : catchFault(() => readOptions({ row }, new Map(), { [name]: env[name] }));
}

function catchFault(read: () => void): string | null {
  try {
    read();
    return null;
  } catch (error) {
    return requireCommandMessage(error);
  }
}

/** Lists the variables that are set, and probable mistakes in them. */
export function checkEnvironment(env: EnvVariables): DoctorFinding[] {
  return [
    ...listVariables(env).map((name) => checkVariable(name, env)),
    ...checkPort(env),
    ...checkHostVariable(env),
    ...checkProxy(env),
  ];
}

function checkVariable(name: string, env: EnvVariables): DoctorFinding {
  const text = env[name] ?? '';
  const row = VARIABLES.get(name);
  if (row === undefined && FIXTURES.includes(name))
    return ok(name, `${quoteShort(text)}, for fixtures of tests`);
  const ignored = whyIgnored(name, env);
  if (ignored !== null) return attention(name, ignored);
  if (row === undefined) return note(name, 'is ignored; Kubernetes sets it for a service of that name');
  const fault = findVariableMistake(name, text) ?? variableFault(name, env);
  if (text === '' && fault === null) return note(name, 'is empty, which is the same as not set');
  return fault === null ? ok(name, row.isSecret ? 'is set' : quoteShort(text)) : attention(name, fault);
}

/** Finds mistakes that parsing the option cannot find. */
function findVariableMistake(name: string, text: string): string | null {
  if (/^(["']).*\1$/s.test(text)) {
    return 'has quotes around its value, which count as part of the value; remove them';
  }
  if (/^\p{Zs}|\p{Zs}$/u.test(text)) {
    return 'has spaces around its value, which count as part of the value; remove them';
  }
  if (name === 'PLAYMONEY_KEY' && text.split(',').some((key) => key.trim().startsWith('pk_'))) {
    return 'contains a public key (pk_…), which is for web pages; programs and the server need a secret key (sk_test_…)';
  }
  return null;
}

function checkPort(env: EnvVariables): DoctorFinding[] {
  const { PORT, PLAYMONEY_PORT } = env;
  if (!PORT) return [];
  if (PLAYMONEY_PORT) return [note('PORT', `${quoteShort(PORT)} is ignored, because PLAYMONEY_PORT is set`)];
  const fault = variableFault('PORT', env);
  return [
    fault === null
      ? ok('PORT', `${quoteShort(PORT)} sets the port of playmoney start`)
      : attention('PORT', fault),
  ];
}

function checkHostVariable({ HOST, PLAYMONEY_HOST }: EnvVariables): DoctorFinding[] {
  if (!HOST || PLAYMONEY_HOST) return [];
  return [
    note('HOST', `${quoteShort(HOST)} is ignored, because shells set it; use PLAYMONEY_HOST or --host`),
  ];
}

/** A proxy that gets calls to this machine cannot reach the server. */
function checkProxy(env: EnvVariables): DoctorFinding[] {
  const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const name = proxies.find((proxy) => env[proxy]);
  if (name === undefined) return [];
  const excluded = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((host) => host.trim());
  const missing = excluded.includes('*') ? [] : LOOPBACK.filter((host) => !excluded.includes(host));
  if (missing.length === 0) return [ok(name, 'does not apply to this machine (NO_PROXY)')];
  const message = `may also get calls to this machine; set NO_PROXY=${LOOPBACK.join(',')}, which lacks ${missing.join(' and ')}`;
  return [attention(name, message)];
}
