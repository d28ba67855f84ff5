import type { IncomingMessage } from 'node:http';

import * as z from 'zod';

import { MEBIBYTE } from '../../core/limits/memory.js';
import { maskKey } from '../../core/text/secrets.js';
import { explainWrongType, isObject, parseJson } from '../../core/text/text.js';
import { readTextUpTo } from './read-text.js';
import { UpstreamCall } from './upstream.js';
import { formatMiB } from '../files/whole-file.js';
import type { ClientOptions } from '../options/option-table.js';
import { CommandError, EXIT_FAILED } from '../terminal/terminal.js';

/** How long a server may take to answer a quick call. Together with the start of the program, this is less than 5 s. */
export const ANSWER_MS = 4000;
/** How long it may take to move a clock over many jobs, to fill a world, or to send a whole one. */
export const WORK_MS = 600_000;
/** The maximum size of an answer, unless the call sets another. */
const ANSWER_BYTES_MAX = MEBIBYTE;
/** The maximum size of a page of a journal, whose calls have bodies. */
export const JOURNAL_BYTES_MAX = 64 * MEBIBYTE;
/** How many characters of a server's message are printed. */
const MESSAGE_LENGTH_MAX = 500;

/** Node's error codes for a certificate that it does not trust. */
const DISTRUST = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

const QUESTION = 'Is it a playmoney server? Give its address with --url';

/** A server to call. Health checks have no key, and accept any certificate since they send no secret. */
export interface RemoteServer extends Omit<ClientOptions, 'key'> {
  readonly key: string | null;
}

export interface RemoteRequest {
  readonly path: string;
  /** A text is sent as YAML, an object as JSON. */
  readonly body?: object | string;
  /** Default: POST with a body, GET without one. */
  readonly method?: 'PUT' | 'DELETE';
  /** How long the call may take until the end of its answer. */
  readonly limitMs?: number;
}

export interface RemoteCall<S extends z.ZodType> extends RemoteRequest {
  /** Only checks: the answer keeps the fields that are not in it. */
  readonly schema: S;
  readonly bytesMax?: number;
}

export interface ReadAnswer<T> {
  readonly body: T;
  /** The world that was called, such as `the world 1f2e3d4c of sk_test_local`. */
  readonly world: string;
  /** The short hash of its key; null if the answer has none. */
  readonly hash: string | null;
}

/** A server refused a call because of what was sent. */
export class BadRequestError extends CommandError {
  override readonly name = 'BadRequestError';
}

export function buildCallError(message: string): CommandError {
  return new CommandError(message, EXIT_FAILED);
}

/** Calls a running server. Rejects with a CommandError unless it answers in time with JSON that matches the schema. */
export async function callServer<S extends z.ZodType>(
  server: RemoteServer,
  { schema, bytesMax, ...request }: RemoteCall<S>,
): Promise<ReadAnswer<z.output<S>>> {
  const address = server.url + request.path;
  const { head, pieces } = await callServerRaw(server, request);
  const type = head.headers['content-type'] ?? 'an answer without a content type';
  if (!type.startsWith('application/json')) {
    throw buildCallError(
      `${address} returned ${type.slice(0, MESSAGE_LENGTH_MAX)} instead of JSON. ${QUESTION}`,
    );
  }
  const body = parseJson(await readAnswerUpTo(address, pieces, bytesMax));
  if (body === undefined) throw buildCallError(`${address} returned malformed JSON. ${QUESTION}`);
  const [issue] = schema.safeParse(body, { error: explainIssue }).error?.issues ?? [];
  if (issue !== undefined) {
    const field = issue.path.join('.') || 'the body';
    throw buildCallError(`${address} returned unexpected JSON: ${field} ${issue.message}. ${QUESTION}`);
  }
  const hash = head.headers['x-sandbox-world']?.toString() ?? null;
  return { body: body as z.output<S>, world: describeWorld(hash, server.key ?? ''), hash };
}

/** Words a wrong field of an answer as one of a request is worded. */
function explainIssue({ expected, input }: z.core.$ZodRawIssue): string {
  const type = String(expected);
  const words: Readonly<Record<string, string>> = { boolean: 'true or false', array: 'an array' };
  return explainWrongType(words[type] ?? (/string|number/.test(type) ? `a ${type}` : 'an object'), input);
}

/** The head of an answer, and its body in pieces, which end with a CommandError if the body breaks off. */
export interface RawAnswer {
  readonly head: IncomingMessage;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Like `callServer`, but returns the answer unread. Redirects are not followed: they would take the key elsewhere. */
export async function callServerRaw(
  { url, key, adminToken }: RemoteServer,
  { path, body, method, limitMs = ANSWER_MS }: RemoteRequest,
): Promise<RawAnswer> {
  const isYaml = typeof body === 'string';
  const text = isYaml || body === undefined ? (body ?? '') : JSON.stringify(body);
  const headers = {
    'content-type': isYaml ? 'application/yaml' : 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    ...(key === null ? {} : { 'x-secretkey': key }),
    ...(adminToken === null ? {} : { 'x-sandbox-admin': adminToken }),
  };
  const target = { url, ca: null, timeoutMs: limitMs, isAnyCertificateFine: key === null };
  const usual = body === undefined ? 'GET' : 'POST';
  const sent = new UpstreamCall(target, { method: method ?? usual, path, headers });
  sent.request.end(text);
  const head = await sent.answer().catch((error: NodeJS.ErrnoException) => {
    throw buildCallError(describeNoAnswer(url, sent, error));
  });
  const answer = { head, pieces: readPieces(url + path, sent, head) };
  return head.statusCode === 200 ? answer : refuseAnswer(url + path, answer);
}

async function* readPieces(
  address: string,
  sent: UpstreamCall,
  head: IncomingMessage,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* sent.readBodyPieces(head);
  } catch (error) {
    const reason = sent.isLate
      ? `it was not complete within ${sent.limit}`
      : sent.explainError(error as Error);
    throw buildCallError(`the answer of ${address} ended early: ${reason}`);
  }
}

async function readAnswerUpTo(
  address: string,
  pieces: AsyncIterable<Uint8Array>,
  bytesMax = ANSWER_BYTES_MAX,
): Promise<string> {
  const text = await readTextUpTo(bytesMax, pieces);
  if (text === null)
    throw buildCallError(`${address} returned more than ${formatMiB(bytesMax)}. ${QUESTION}`);
  return text;
}

export function describeWorld(name: string | null, key: string): string {
  return `the world ${name === null ? '' : `${name.slice(0, MESSAGE_LENGTH_MAX)} `}of ${maskKey(key)}`;
}

async function refuseAnswer(address: string, { head, pieces }: RawAnswer): Promise<never> {
  const { statusCode: status = 0, headers } = head;
  if (headers.location !== undefined) {
    const to = headers.location.slice(0, MESSAGE_LENGTH_MAX);
    throw buildCallError(`${address} redirects to ${to} (status ${status}). ${QUESTION}`);
  }
  const parsed = parseJson(await readAnswerUpTo(address, pieces));
  const message = isObject(parsed) ? parsed['Message'] : null;
  if (typeof message !== 'string') {
    throw buildCallError(`${address} returned ${status} without a message. ${QUESTION}`);
  }
  const shown = message.slice(0, MESSAGE_LENGTH_MAX);
  throw status === 400 ? new BadRequestError(shown, EXIT_FAILED) : buildCallError(shown);
}

function describeNoAnswer(url: string, sent: UpstreamCall, error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  if (DISTRUST.has(code)) {
    return `the certificate of ${url} is not trusted. Set NODE_EXTRA_CA_CERTS to the file that the server prints at its start`;
  }
  if (sent.isConnected) {
    const outcome = sent.isLate
      ? `accepted the connection, but did not answer within ${sent.limit}`
      : `accepted the connection, but did not answer with HTTP (${sent.explainError(error)})`;
    return `${url} ${outcome}. ${QUESTION}, with https:// if it uses TLS`;
  }
  const reason = code === 'ECONNREFUSED' ? '' : ` (${sent.explainError(error)})`;
  return `no server at ${url}${reason}. Start one with \`playmoney start\`, or give its address with --url`;
}

/** Rejects with a CommandError unless a playmoney server answers in time. Called before work that may take long. */
export async function requirePlaymoney(server: RemoteServer): Promise<void> {
  await callServer(server, {
    path: '/_sandbox/health',
    schema: z.object({ Version: z.string() }),
  });
}
