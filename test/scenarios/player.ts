import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { Post, Posted } from '../../src/core/post.js';
import { readScenarioText } from '../../src/scenarios/file/file.js';
import type { Scenario } from '../../src/scenarios/script/model.js';
import type { InnerSandbox } from '../../src/app/sandbox.js';
import { requireConformity } from '../support/conformity.js';
import { testHost, testSandbox } from '../support/sandbox.js';

/** Plays calls against a sandbox under a scenario, and writes down what came back. */

/** The members of an answer; empty where it was no JSON or none came. */
export type Members = Readonly<Record<string, unknown>>;
export type Call = (request: string, body?: Members) => Promise<Members>;
/** The calls of a story, in order. */
export type Story = (call: Call) => Promise<unknown>;

/** What a play left behind: lines for people, and every byte for comparison. */
export interface Play {
  readonly transcript: string;
  readonly bytes: string;
  /** The rules that no call met. */
  readonly unmatched: unknown;
}

const FOLDER = new URL('../../scenarios/', import.meta.url);
const KEY = 'sk_test_local';
/** How old a webhook may be for the receiver of a story: it may have been tried some times. */
const MINUTES_MAX = 30;
const HEADERS = ['retry-after', 'x-sandbox-trigger', 'x-sandbox-fault', 'x-sandbox-warning'];
/** What tells a story in an answer, in the order in which it is shown. */
const TELLING = (
  'Code Message IsRetryable GatewayCode ChargeId CustomerId PaymentMethodId VaultId BatchId Status transStatus Amount ' +
  'AuthorisationAmount RefundedAmount Reference FirstName LastName Email Count Progress Success Failure ' +
  'ExpireDate VoidDate Now'
).split(' ');
const STEADY = '00000000000000000000000000000001';
const QUIET = new Set(['ExpiryDate', 'Ccv']);

export async function readStory(name: string): Promise<Scenario> {
  const file = `${name}.yaml`;
  const read = await readScenarioText(readFileSync(new URL(file, FOLDER), 'utf8'), file);
  if ('scenario' in read) return read.scenario;
  const faults = read.problems.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`);
  throw new Error(`Failed to read the scenario:\n${faults.join('\n')}`);
}

/** Plays a story in a sandbox of its own. */
export async function play(scenario: Scenario, story: Story): Promise<Play> {
  const lines: string[] = [];
  const bytes: string[] = [];
  const { host, slept } = politeHost();
  const deliver = receiving(
    scenario.webhooks?.secret ?? '',
    () => sandbox.worlds.open(KEY).now,
    (line) => lines.push(line),
  );
  const sandbox = testSandbox({ scenario, deliver }, host);
  let under = 0;
  const call: Call = async (request, body) => {
    const [method = '', path = ''] = request.split(' ');
    // Two calls at once are both written down when they are answered: the one that is done first stands first.
    const sleptBefore = slept.length;
    under++;
    const { shown, raw, members } = await answerOf(sandbox, requestOf(method, path, body));
    under--;
    const waited = under > 0 ? 0 : slept.slice(sleptBefore).reduce((sum, ms) => sum + ms, 0);
    const wait = waited > 0 ? `\n    after ${waited} ms` : '';
    lines.push(`${method} ${short(path)}${shownBody(body)}\n    ${shown}${wait}`);
    bytes.push(`${request}\n${raw}\n${waited}`);
    return members;
  };
  await story(call);
  const { members } = await answerOf(sandbox, requestOf('GET', '/_sandbox/scenario/unmatched'));
  sandbox.close();
  return { transcript: `${lines.join('\n')}\n`, bytes: bytes.join('\n'), unmatched: members['Rules'] };
}

/** A receiver that writes down what it got, and what it thinks of it. */
function receiving(secret: string, now: () => number, write: (line: string) => void) {
  return ({ url, headers, body }: Post): Promise<Posted> => {
    const { meta, data } = JSON.parse(body) as { meta: Members; data: Members };
    const expected = createHmac('sha256', secret).update(body).digest('base64');
    const minutes = Math.floor((now() - Date.parse(textOf(meta['timestamp']))) / 60_000);
    const faults = [
      ...(headers['x-payfurl-signature'] === expected ? [] : ['the signature is bad']),
      ...(minutes > MINUTES_MAX ? [`the timestamp is ${minutes} minutes old`] : []),
    ];
    const what = `${textOf(meta['eventType'])} ${textOf(meta['messageId'])}`;
    write(`=> ${url} ${short(what)}: ${tell(data)}`);
    for (const fault of faults) write(`    refused: ${fault}`);
    return Promise.resolve({ status: faults.length === 0 ? 204 : 401 });
  };
}

/** A host whose sleeps take a turn of the event loop, so that other calls overtake who waits. */
function politeHost() {
  const host = testHost();
  const sleep = async (ms: number): Promise<void> => {
    host.slept.push(ms);
    await host.pause();
  };
  return { host: Object.assign(host, { sleep }), slept: host.slept };
}

function requestOf(method: string, path: string, body?: Members): Request {
  return new Request(`http://localhost${path}`, {
    method,
    headers: { 'x-secretkey': KEY, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function answerOf(sandbox: InnerSandbox, request: Request) {
  let response: Response;
  try {
    response = await sandbox.fetch(request);
  } catch (error) {
    return { shown: 'network error', raw: String(error), members: {} };
  }
  const headers = HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${short(value)}`];
  });
  const more = headers.map((line) => `\n    ${line}`).join('');
  const all = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const read = await response.text().then(
    (text) => ({ text, cut: false }),
    (error: unknown) => ({ text: String(error), cut: true }),
  );
  const raw = `${all}\n${read.text}`;
  if (read.cut) return { shown: `${response.status}, then network error${more}`, raw, members: {} };
  const members = parsed(read.text);
  if (members !== null) requireConformity(request, response, members);
  const shown = members === null ? `not JSON: ${JSON.stringify(read.text.slice(0, 60))}` : tell(members);
  return { shown: `${response.status} ${shown}${more}`, raw, members: members ?? {} };
}

function parsed(text: string): Members | null {
  try {
    return JSON.parse(text) as Members;
  } catch {
    return null;
  }
}

function tell(members: Members): string {
  const parts = TELLING.flatMap((name) => {
    const value = members[name] ?? members[name.charAt(0).toLowerCase() + name.slice(1)];
    return value === undefined || value === null ? [] : [`${name} ${short(textOf(value))}`];
  });
  const { FailedAttempts: attempts, Results: results } = members;
  if (Array.isArray(attempts) && attempts.length > 0) parts.push(`FailedAttempts ${attempts.length}`);
  parts.push(...tellCcvCheck(members));
  return parts.join(', ') + (typeof results === 'string' ? tellRows(results) : '') + tellFound(members);
}

/** Of a stored card: there it depends on what happened before. */
function tellCcvCheck({ PaymentInformation: paid }: Members): string[] {
  const { PaymentMethodId: method, Card: stored } = (paid ?? {}) as {
    PaymentMethodId?: unknown;
    Card?: Members;
  };
  return typeof method === 'string' ? [`CcvCheck ${String(stored?.['CcvCheck'])}`] : [];
}

/** The charges or customers that a search found. */
function tellFound({ Charges, Customers, charges }: Members): string {
  const found = Charges ?? Customers ?? charges;
  return Array.isArray(found) ? found.map((one: Members) => `\n    ${tell(one)}`).join('') : '';
}

/** The rows of a batch: equal ones beside one another stand once. */
function tellRows(csv: string): string {
  const rows = csv
    .split('\n')
    .slice(1)
    .filter((row) => row !== '');
  const parts = rows.map((row) => {
    const [, , , reference = '', status = '', , reason = '', , , retryable = ''] = row.split(',');
    return `\n    ${reference} ${status}${reason === '' ? '' : `: ${reason}, IsRetryable ${retryable}`}`;
  });
  return parts.join('');
}

function shownBody(body: Members = {}): string {
  const flat = { ...body, ...(body['PaymentInformation'] as object | undefined) };
  const parts = Object.entries(flat).flatMap(([name, value]) => {
    if (typeof value === 'object' || value === STEADY || QUIET.has(name)) return [];
    const text = textOf(value);
    return [`${name} ${text.includes('\n') ? `of ${text.split('\n').length - 1} rows` : short(text)}`];
  });
  return parts.length === 0 ? '' : ` { ${parts.join(', ')} }`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Identifiers by their ends. */
function short(text: string): string {
  return text.replaceAll(/([0-9a-f]{4})[0-9a-f]{24}([0-9a-f]{4})/g, '$1…$2');
}
