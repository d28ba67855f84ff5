import { isObject } from '../core/text/text.js';
import type { Posted } from '../core/post.js';

const ACCEPTED = 'nothing, which counts as 200, or an object with status (100 to 999), failed or withheld';

/** Reads what a function for deliveries returned, which may be a program's own. Throws if it is nothing of that kind. */
export function readPosted(returned: unknown): Posted {
  if (returned === undefined || returned === null) return { status: 200 };
  if (!isObject(returned)) return refuseReturned(typeof returned);
  const { status, failed, withheld, cause, headers, body, note } = returned;
  if (typeof withheld === 'string') return { withheld };
  if (typeof failed === 'string')
    return cause === 'name' || cause === 'time' ? { failed, cause } : { failed };
  if (!Number.isInteger(status) || Number(status) < 100 || Number(status) > 999)
    return refuseReturned('an object without them');
  return {
    status: Number(status),
    ...(isObject(headers) ? { headers: readHeaderTexts(headers) } : {}),
    ...(typeof body === 'string' ? { body } : {}),
    ...(typeof note === 'string' ? { note } : {}),
  };
}

/** The headers of a `Response`, or an object of them. */
function readHeaderTexts(headers: object): Record<string, string> {
  const pairs: [string, unknown][] = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
}

function refuseReturned(what: string): never {
  throw new Error(`deliver returned ${what}; it must return ${ACCEPTED}`);
}

/** Describes a thrown value for the log; a program may throw anything. */
export function describeThrown(thrown: unknown): string {
  const text: unknown = thrown instanceof Error ? thrown.message : thrown;
  return typeof text === 'string' ? text : `deliver threw a value of type ${typeof text}`;
}
