import type { Context } from 'hono';

import { HIDDEN } from '../../core/text/secret-fields.js';
import { parseJson } from '../../core/text/text.js';
import { CODE, refuse } from '../../core/errors.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { ConnectionLost } from '../../http/answers/respond.js';
import type { Entry } from '../../journal/entry.js';
import { buildTraceEntry } from './trace.js';

/** Sends a call again as it was sent, also the values that nobody may see. */
export async function repeatEntry(c: Context<Env>, entry: Entry): Promise<{ Status: number }> {
  const world = requireWorld(c);
  const { settings, send } = c.get('edge');
  const { value: sent } = world.journal.storedCalls(entry.id).next();
  if (entry.requestTruncated || sent === undefined) {
    return refuse(
      CODE.ValidationError,
      `The journal has only the beginning of the body of entry ${entry.id}, so the call cannot be repeated.`,
    );
  }
  const { path, query, method, request, isRecorded } = sent;
  const url = new URL(settings.basePath + path + (query === '' ? '' : `?${query}`), c.req.url);
  const headers = { ...buildTraceEntry(entry).Headers, 'x-secretkey': world.key };
  const text = typeof request === 'string' ? request : null;
  const body = isRecorded && text !== null ? dropMasks(text) : text;
  try {
    const { status } = await send(new Request(url, { method, headers, body, signal: c.req.raw.signal }));
    return { Status: status };
  } catch (error) {
    if (error instanceof ConnectionLost) return { Status: 0 };
    throw error;
  }
}

/** The call of an opened bundle has masks for credentials: without the field, or the password of an address, no receiver gets a mask. */
function dropMasks(text: string): string {
  if (parseJson(text) === undefined) return text;
  return JSON.stringify(
    JSON.parse(text, (_, value: unknown) =>
      value === HIDDEN
        ? undefined
        : typeof value === 'string'
          ? value.replace(/\/\/[^/@]*:\*{3}@/, '//')
          : value,
    ),
  );
}
