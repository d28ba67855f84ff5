import { type Snapshot, takeSnapshot } from '../../src/snapshot.js';
import type { TestSandbox } from '../support/sandbox.js';
import { memberOf } from '../support/sdk.js';
import { type Call, CALLS } from '../support/service-calls.js';
import { type Spelling, SPELLINGS } from '../support/spellings.js';
import type { Sent } from './mutation.js';
import { stateText } from './state-text.js';

interface Valid {
  readonly sent: Sent;
  /** The world in which it is answered 200. */
  readonly before: Snapshot;
}

/** Calls of the control plane, which take no identifiers. */
const CONTROL: readonly Sent[] = [
  control('POST', 'clock/advance', { By: '2h' }),
  control('PUT', 'clock', { Mode: 'manual', Now: '2026-02-01T00:00:00Z' }),
  control('POST', 'outcomes', {
    Operation: 'charge.create',
    Outcomes: ['issuer_unavailable', { Fault: 'reset', Phase: 'after' }],
    Match: { Reference: 'r' },
  }),
  control('PUT', 'scenario', {
    Definition: {
      name: 'a',
      rules: [{ when: { operation: 'charge.create', nth: 2 }, then: { outcome: 'approve' }, times: 3 }],
      timeline: [{ at: '1h', state: { provider: 'down' } }],
    },
  }),
  control('POST', 'journal/count', { Match: { Status: 200, Body: { Amount: 5 } } }),
  control('POST', 'tokens', {
    ProviderId: '00000000000000000000000000000001',
    PaymentInformation: { CardNumber: '4111111111111111', ExpiryDate: '10/30' },
  }),
  control('PUT', 'snapshots/a'),
  control('GET', 'journal?Limit=5&Status=200'),
  control('GET', 'webhooks?Limit=5&Status=pending'),
  control('POST', 'reset', { Seed: '2' }),
];

function control(method: string, path: string, body?: object): Sent {
  return {
    method,
    path: `/_sandbox/${path}`,
    headers: [['content-type', 'application/json']],
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/** Each operation of the service as a request that is answered 200, with the world in which it is. */
export async function validRequests(sandbox: TestSandbox, key: string): Promise<readonly Valid[]> {
  const [spelling] = Object.values(SPELLINGS);
  if (spelling === undefined) throw new Error('There is no spelling');
  const kept = new Map<string, string>();
  const valid: Valid[] = [];
  const note = (sent: Sent): void => {
    valid.push({ sent, before: takeSnapshot(sandbox.worlds.open(key)) });
  };
  for (const call of CALLS) {
    const sent = sentBy(call, spelling, kept, key);
    note(sent);
    const { method, path, headers, body } = sent;
    const response = await sandbox.fetch(
      new Request(`http://localhost${path}`, { method, headers: [...headers] as [string, string][], body }),
    );
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path} is not valid: ${text}`);
    const answer = { status: 200, headers: response.headers, text, body: JSON.parse(text) as object };
    for (const [name, members] of Object.entries(call.keeps ?? {})) {
      kept.set(name, String(memberOf(answer as Parameters<typeof memberOf>[0], ...members)));
    }
  }
  const document = stateText(takeSnapshot(sandbox.worlds.open(key)));
  for (const sent of [...CONTROL, { ...control('PUT', 'state'), body: document }])
    note({ ...sent, headers: [['x-secretkey', key], ...sent.headers] });
  return valid;
}

function sentBy(call: Call, spelling: Spelling, kept: ReadonlyMap<string, string>, key: string): Sent {
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => kept.get(name) ?? whole);
  const path = call.route.replaceAll(/:(\w+)/g, (_, name: string) => kept.get(call.ids?.[name] ?? '') ?? '');
  const query = new URLSearchParams(
    Object.entries(call.query ?? {}).map(([name, value]) => [
      spelling.queryName(name),
      filled(typeof value === 'string' ? value : spelling.queryDate(value)),
    ]),
  );
  const headers = { 'x-secretkey': key, 'x-sandbox-dialect': 'sdk', ...spelling.headers, ...call.headers };
  return {
    method: call.method,
    path: query.size === 0 ? path : `${path}?${query}`,
    headers: Object.entries(headers),
    body: call.body === undefined ? null : filled(spelling.body(call.body)),
  };
}
