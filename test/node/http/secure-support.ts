import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { type Agent, request } from 'node:https';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';

export const KEY = { 'x-secretkey': 'sk_test_a' };
export const JSON_KEY = { ...KEY, 'content-type': 'application/json' };

export function chargeText(card = '4242424242424242', reference = 'order'): string {
  return JSON.stringify({
    Amount: '20.00',
    ProviderId: '00000000000000000000000000000001',
    Reference: reference,
    PaymentInformation: { CardNumber: card, ExpiryDate: '12/30', Ccv: '123' },
  });
}

/** What came of one request. */
export interface Came {
  /** 0 where no answer came. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** The code of the error that ended it; null where it ended in order. */
  readonly error: string | null;
}

function came(status: number, headers: IncomingHttpHeaders, text: string, error: string | null): Came {
  const json = text.startsWith('{') && error === null ? (JSON.parse(text) as Came['json']) : {};
  return { status, headers, text, json, error };
}

/** A connection of HTTP/2 that trusts one authority alone, once it stands. */
export async function openSession(url: string, ca: string): Promise<ClientHttp2Session> {
  const session = connect(url, { ca, minVersion: 'TLSv1.2' });
  await new Promise<void>((resolve, reject) => {
    session.once('connect', () => resolve());
    session.once('error', reject);
  });
  // The server hangs up on purpose in some tests.
  session.on('error', () => {});
  return session;
}

/** Resolves when a stream is over, with all that came on it. */
export function ended(stream: ClientHttp2Stream): Promise<Came> {
  return new Promise((resolve) => {
    let headers: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
    let text = '';
    let error: string | null = null;
    stream.setEncoding('latin1');
    stream.on('response', (given) => (headers = given));
    stream.on('data', (piece: string) => (text += piece));
    stream.on('aborted', () => (error ??= 'aborted'));
    stream.on('error', (reason: NodeJS.ErrnoException) => (error = reason.message));
    stream.on('close', () => resolve(came(headers[':status'] ?? 0, headers, text, error)));
  });
}

/** One request of HTTP/2; with a body it is a POST unless told otherwise. */
export function ask(
  session: ClientHttp2Session,
  path: string,
  headers: OutgoingHttpHeaders = KEY,
  body?: string,
): Promise<Came> {
  const method = body === undefined ? 'GET' : 'POST';
  const stream = session.request({ ':path': path, ':method': method, ...headers });
  stream.end(body);
  return ended(stream);
}

/** One request of HTTP/1.1 over TLS. */
export function askHttp1(
  url: string,
  ca: string,
  { headers = KEY, body, agent }: { headers?: Record<string, string>; body?: string; agent?: Agent } = {},
): Promise<Came & { readonly reused: boolean }> {
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(url, { ca, method, headers, ...(agent ? { agent } : { agent: false }) });
    const over = (status: number, given: IncomingHttpHeaders, text: string, error: string | null): void =>
      resolve({ ...came(status, given, text, error), reused: asked.reusedSocket });
    asked.on('error', (error: NodeJS.ErrnoException) => over(0, {}, '', error.code ?? error.message));
    asked.on('response', (answer) => {
      let text = '';
      let error: string | null = null;
      answer.setEncoding('latin1');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('error', (reason: NodeJS.ErrnoException) => (error = reason.code ?? reason.message));
      answer.on('close', () => over(answer.statusCode ?? 0, answer.headers, text, error));
    });
    asked.end(body);
  });
}

/** A connection of TLS that trusts one authority alone; rejects as the client does. */
export function openTls(port: number, ca: string, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca, ...options });
    socket.once('secureConnect', () => resolve(socket));
    socket.on('error', reject);
  });
}
