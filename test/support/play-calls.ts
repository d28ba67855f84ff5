import type { Answer, Client } from './sandbox.js';
import { memberOf } from './sdk.js';
import { type Call, CALLS, written } from './service-calls.js';
import type { Spelling } from './spellings.js';

/** Makes every call of the service in one spelling, and returns the answers in the same order. */
export async function playCalls(api: Client, spelling: Spelling): Promise<Answer[]> {
  const kept = new Map<string, string>();
  const answers: Answer[] = [];
  for (const call of CALLS) {
    const headers = { ...spelling.headers, ...call.headers };
    const { path, body } = written(call, spelling, kept);
    const answer = await send(api, call.method, path, body, headers);
    for (const [name, members] of Object.entries(call.keeps ?? {})) {
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
