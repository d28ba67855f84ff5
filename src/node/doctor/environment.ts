import { nearest } from '../../core/nearest.js';
import type { Finding } from './model.js';
import { CLIENT_OPTIONS, OPTIONS, type Row, type StartOptions } from '../cli/option-table.js';
import { type Environment, environmentNames, OptionError, quote, readRows } from '../cli/option-values.js';
import { type DoctorOptions, readStart } from '../cli/options.js';

const { url, adminToken } = CLIENT_OPTIONS;
/** All that is read from the environment; the options of `exec` that are its own, too. */
const ROWS: readonly Row<unknown>[] = [...Object.values(OPTIONS), url];
/** Set for the command of `exec`, or read by it. */
const OTHERS = ['PLAYMONEY_JOURNAL', 'PLAYMONEY_FAIL_ON_WARNINGS'];
const NAMES = new Map(ROWS.flatMap((row) => environmentNames(row).map((name) => [name, row] as const)));
const LOOPBACK = ['127.0.0.1', 'localhost'];

/** What a start in this environment would do; what cannot be read has its default. */
export function settingsOf(
  options: DoctorOptions,
  env: Environment,
): { settings: StartOptions; findings: Finding[] } {
  const given = new Map(
    Object.entries({ port: options.port, scenario: options.scenario }).flatMap(([name, value]) =>
      value === null ? [] : [[name, [String(value)]] as const],
    ),
  );
  const readable = Object.fromEntries(Object.entries(env).filter(([name]) => faultOf(name, env) === null));
  try {
    return { settings: readStart(given, readable), findings: [] };
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    const findings: Finding[] = [{ name: 'options', status: 'attention', message: error.message }];
    return { settings: readRows(OPTIONS, given, readable), findings };
  }
}

/** Why a start would refuse a variable; null: it would not. */
function faultOf(name: string, env: Environment): string | null {
  const row = NAMES.get(name);
  if (row === undefined) return null;
  try {
    readRows({ value: row }, new Map(), { [name]: env[name] });
    return null;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return error.message;
  }
}

/** What the environment says, and what of it says something else than was meant. */
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
  const attention = (message: string): Finding => ({ name, status: 'attention', message });
  const text = env[name] ?? '';
  const row = NAMES.get(name);
  if (row === undefined && !OTHERS.includes(name)) {
    const [meant] = nearest(name, [...NAMES.keys(), ...OTHERS]);
    return attention(`is not read${meant ? `; did you mean ${meant}?` : ', since there is no such option'}`);
  }
  if (text === '') return { name, status: 'note', message: 'is empty, as if it were not set' };
  const mistake = mistakeIn(name, text);
  if (mistake !== null) return attention(mistake);
  const fault = faultOf(name, env);
  if (fault !== null) return attention(fault);
  const isSecret = row?.secret === true || row === adminToken;
  return { name, status: 'ok', message: isSecret ? 'is set' : quote(text) };
}

/** What no reader of options can tell from what was meant. */
function mistakeIn(name: string, text: string): string | null {
  if (/^(["']).*\1$/s.test(text))
    return 'has quotes around its value, which are taken as a part of it; leave them out';
  if (text !== text.trim())
    return 'has blanks around its value, which are taken as a part of it; leave them out';
  if (name === 'PLAYMONEY_KEY' && text.split(',').some((key) => key.trim().startsWith('pk_'))) {
    return 'holds a public key (pk_…), which pages use; programs and the server need a secret one (sk_test_…)';
  }
  return null;
}

function portFindings(env: Environment): Finding[] {
  const { PORT, PLAYMONEY_PORT } = env;
  if (!PORT) return [];
  if (PLAYMONEY_PORT) {
    return [
      { name: 'PORT', status: 'note', message: `${quote(PORT)} is not read, since PLAYMONEY_PORT is set` },
    ];
  }
  const fault = faultOf('PORT', env);
  if (fault !== null) return [{ name: 'PORT', status: 'attention', message: fault }];
  return [{ name: 'PORT', status: 'ok', message: `${quote(PORT)} is the port of a start` }];
}

function hostFindings({ HOST, PLAYMONEY_HOST }: Environment): Finding[] {
  if (!HOST || PLAYMONEY_HOST) return [];
  const message = `${quote(HOST)} is not read, since shells set it; PLAYMONEY_HOST and --host are`;
  return [{ name: 'HOST', status: 'note', message }];
}

/** A proxy that is told to take calls of this machine does not find the server. */
function proxyFindings(env: Environment): Finding[] {
  const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  const set = proxies.filter((name) => env[name]);
  if (set.length === 0) return [];
  const spared = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((name) => name.trim());
  const missing = spared.includes('*') ? [] : LOOPBACK.filter((name) => !spared.includes(name));
  const name = set[0] ?? '';
  if (missing.length === 0) return [{ name, status: 'ok', message: 'spares this machine (NO_PROXY)' }];
  const message = `may take calls of this machine as well; set NO_PROXY=${LOOPBACK.join(',')}, which does not have ${missing.join(' and ')}`;
  return [{ name, status: 'attention', message }];
}
