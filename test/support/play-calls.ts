import type { Answer, Client } from './sandbox.js';
import { memberOf } from './sdk.js';
import { type Call, CALLS, written } from './service-calls.js';
import type { Spelling } from './spellings.js';

/**
 * Makes the calls of the service in one spelling, all or those up to the one at `last`, and returns the answers in the same
 * order. `beforeLast` happens before that one.
 */
export async function playCalls(
  api: Client,
  spelling: Spelling,
  last = CALLS.length - 1,
  beforeLast: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Answer[]> {
  const kept = new Map<string, string>();
  const answers: Answer[] = [];
  for (const [at, call] of CALLS.slice(0, last + 1).entries()) {
    const headers = { ...spelling.headers, ...call.headers };
    const { path, body } = written(call, spelling, kept);
    if (at === last) await beforeLast();
    const answer = await send(api, call.method, path, body, headers);
    for (const [name, members] of Object.entries(at < last ? (call.keeps ?? {}) : {})) {
      kept.set(name, String(memberOf(answer, ...members)));
    }
    answers.push(answer);
  }
  return answers;
}

function send(
  api: Client,
  method: Call['method'],
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
) {
  if (method === 'GET') return api.get(path, headers);
  if (method === 'DELETE') return api.del(path, headers);
  return method === 'PUT' ? api.put(path, body, headers) : api.post(path, body, headers);
}
