import type { Context } from 'hono';

import { HIDDEN } from '../../core/text/secret-fields.js';
import { parseJson } from '../../core/text/text.js';
import { CODE, refuse } from '../../core/errors.js';
import { type Env, requireWorld } from '../../http/exchange.js';
import { ConnectionLost } from '../../http/answers/respond.js';
import type { Entry } from '../../journal/entry.js';
import type { World } from '../../world/world.js';
import type { OutgoingCall } from '../opening/prepare-call.js';
import { buildTraceEntry, pickSentBody } from './trace.js';

/** Sends a call again as it was sent, also the values that nobody may see. */
export async function repeatEntry(c: Context<Env>, entry: Entry): Promise<{ Status: number }> {
  const world = requireWorld(c);
  const { settings, send } = c.get('edge');
  const call = buildRepeat(world, entry);
  if (call === null) {
    return refuse(
      CODE.ValidationError,
      `The journal has only the beginning of the body of entry ${entry.id}, so the call cannot be repeated.`,
    );
  }
  const { method, path, headers, body } = call;
  const url = new URL(settings.basePath + path, c.req.url);
  const sent = { method, headers: { ...headers, 'x-secretkey': world.key }, body, signal: c.req.raw.signal };
  try {
    const { status } = await send(new Request(url, sent));
    return { Status: status };
  } catch (error) {
    if (error instanceof ConnectionLost) return { Status: 0 };
    throw error;
  }
}

/** The call of an entry with all that it was sent with but the key; null if the journal has only a part of its body. */
export function buildRepeat({ journal }: Pick<World, 'journal'>, entry: Entry): OutgoingCall | null {
  const { value: sent } = journal.storedCalls(entry.id).next();
  if (entry.requestTruncated || sent === undefined) return null;
  const { path, query, method, request, isRecorded } = sent;
  const text = typeof request === 'string' ? request : null;
  const headers = buildTraceEntry(entry).Headers;
  return {
    method,
    path: path + (query === '' ? '' : `?${query}`),
    headers,
    body: pickSentBody(headers, isRecorded && text !== null ? dropMasks(text) : text),
  };
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
