import { nearest } from '../../core/nearest.js';
import { type Environment, environmentNames, type Option, quote, readOptions } from '../cli/option.js';
import { type DoctorOptions, START, type StartOptions } from '../cli/option-table.js';
import { optionsOf, requireCompanions, type Verb, VERBS } from '../cli/verbs.js';
import { messageOf } from '../cli/terminal.js';
import { attention, type Finding, note, ok } from './finding.js';

/** How each variable is read; where verbs share one, as the first of them reads it. */
const ROWS = new Map<string, Option<unknown>>();
for (const row of (Object.keys(VERBS) as Verb[]).flatMap(optionsOf)) {
  for (const name of environmentNames(row)) if (!ROWS.has(name)) ROWS.set(name, row);
}
const LOOPBACK = ['127.0.0.1', 'localhost'];

/** What a start in this environment would do; what cannot be read has its default. */
export function settingsOf(
  { port, scenario }: DoctorOptions,
  env: Environment,
): { settings: StartOptions; findings: Finding[] } {
  const given = new Map<string, string[]>();
  if (port !== null) given.set('port', [String(port)]);
  if (scenario !== null) given.set('scenario', [scenario]);
  const readable = Object.fromEntries(Object.entries(env).filter(([name]) => faultOf(name, env) === null));
  const settings = readOptions(START, given, readable);
  const fault = faultIn(() => requireCompanions(settings));
  return { settings, findings: fault === null ? [] : [attention('options', fault)] };
}

/** Why a start would refuse a variable; null: it would not. */
function faultOf(name: string, env: Environment): string | null {
  const row = ROWS.get(name);
  return row === undefined ? null : faultIn(() => readOptions({ row }, new Map(), { [name]: env[name] }));
}

function faultIn(read: () => void): string | null {
  try {
    read();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** What the environment sets, and which of that was probably meant otherwise. */
export function environmentFindings(env: Environment): Finding[] {
  const names = Object.keys(env).filter((name) => /^PLAYMONEY_/i.test(name));
  return [
    ...names.toSorted().map((name) => variableFinding(name, env)),
    ...portFindings(env),
    ...hostFindings(env),
    ...proxyFindings(env),
  ];
}

function variableFinding(name: string, env: Environment): Finding {
  const text = env[name] ?? '';
  const row = ROWS.get(name);
  if (row === undefined) {
    const [meant] = nearest(name, ROWS.keys());
    const hint = meant ? `; did you mean ${meant}?` : ', since there is no such option';
    return attention(name, `is not read${hint}`);
  }
  if (text === '') return note(name, 'is empty, as if it were not set');
  const fault = mistakeIn(name, text) ?? faultOf(name, env);
  return fault === null ? ok(name, row.isSecret ? 'is set' : quote(text)) : attention(name, fault);
}

/** Mistakes that the readers of options cannot notice. */
function mistakeIn(name: string, text: string): string | null {
  if (/^(["']).*\1$/s.test(text)) {
    return 'has quotes around its value, which are taken as a part of it; leave them out';
  }
  if (text !== text.trim()) {
    return 'has blanks around its value, which are taken as a part of it; leave them out';
  }
  if (name === 'PLAYMONEY_KEY' && text.split(',').some((key) => key.trim().startsWith('pk_'))) {
    return 'holds a public key (pk_…), which pages use; programs and the server need a secret one (sk_test_…)';
  }
  return null;
}

function portFindings(env: Environment): Finding[] {
  const { PORT, PLAYMONEY_PORT } = env;
  if (!PORT) return [];
  if (PLAYMONEY_PORT) return [note('PORT', `${quote(PORT)} is not read, since PLAYMONEY_PORT is set`)];
  const fault = faultOf('PORT', env);
  return [fault === null ? ok('PORT', `${quote(PORT)} is the port of a start`) : attention('PORT', fault)];
}

function hostFindings({ HOST, PLAYMONEY_HOST }: Environment): Finding[] {
  if (!HOST || PLAYMONEY_HOST) return [];
  return [note('HOST', `${quote(HOST)} is not read, since shells set it; PLAYMONEY_HOST and --host are`)];
}

/** A proxy that takes calls of this machine does not find the server. */
function proxyFindings(env: Environment): Finding[] {
  const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const name = proxies.find((proxy) => env[proxy]);
  if (name === undefined) return [];
  const spared = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((host) => host.trim());
  const missing = spared.includes('*') ? [] : LOOPBACK.filter((host) => !spared.includes(host));
  if (missing.length === 0) return [ok(name, 'spares this machine (NO_PROXY)')];
  const message = `may take calls of this machine as well; set NO_PROXY=${LOOPBACK.join(',')}, which does not have ${missing.join(' and ')}`;
  return [attention(name, message)];
}
