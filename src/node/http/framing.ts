import { IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { ApiError, CODE } from '../../core/errors.js';
import { chooseDialect, DEFAULT_DIALECT_SETTING, type DialectSetting } from '../../core/dialect/dialect.js';
import { quoteText } from '../../core/text/text.js';
import { hashText, Identifiers } from '../../core/ids/random.js';
import { RETRY_AFTER_SECONDS } from '../../outcomes/outcomes.js';
import { translateError } from '../../http/answers/dialect.js';
import { buildErrorBody, PROTECTION, formatWarnings } from '../../http/answers/respond.js';
import { linger } from './linger.js';
import type { Excess } from './load.js';

type FramingRefusal = readonly [status: number, detail: string];
const HEADER_BYTES_MAX = 32 * 1024;
export const HEADERS_MAX = 100;
const WRONG_VERSION: FramingRefusal = [
  505,
  'The request line must end in HTTP/1.1 or HTTP/1.0. HTTP/2 needs https, and a client that agrees on it with ALPN.',
];
/** The parser's reasons against a version that has digits: a wrong one, or one without a dot such as HTTP/2. */
const OTHER_VERSION = /^(?:Invalid HTTP version|Expected dot)/;
const TOO_LARGE: FramingRefusal = [431, 'The headers are too large; the maximum is 32 KiB.'];
/** Answers to the errors of Node's parser; any other error is a plain 400. */
const FAULTS: Readonly<Record<string, FramingRefusal>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large; the maximum is 16 KiB.'],
  HPE_PAUSED_H2_UPGRADE: WRONG_VERSION,
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const NO_TUNNEL: FramingRefusal = [
  501,
  'This server does not open tunnels (CONNECT), as a proxy for https does; send it requests for its own paths.',
];

/** How long a client may take to send its whole request. */
const REQUEST_TIMEOUT_MS = 120_000;
/** The default of Node's own server. A client program that did not read its last answer cannot end earlier. */
const KEEP_ALIVE_TIMEOUT_MS = 5_000;

/** Limits for clients: options of Node's HTTP/1.1 server, with times in milliseconds. */
export type Limits = ReturnType<typeof buildLimits>;

export function buildLimits(headersTimeout: number) {
  return {
    maxHeaderSize: HEADER_BYTES_MAX,
    // No limit: Node would silently drop the headers above it. `faultInRequest` counts and refuses them.
    maxHeadersCount: 0,
    headersTimeout,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeout / 4)),
    // Our own handler checks it, since its refusal explains the problem.
    requireHostHeader: false,
  };
}

/** Refuses requests that are not HTTP, or that are ambiguous. The app never sees them. */
export class Framing {
  readonly #ids = new Identifiers(hashText('framing'), 'request');
  #refused = 0;
  /** Connections whose refusal waits until an earlier request is answered. */
  readonly #waitingRefusals = new WeakSet<Socket>();

  /** The setting of new worlds. */
  constructor(private readonly dialect: DialectSetting = DEFAULT_DIALECT_SETTING) {}

  /** Answers on the bare socket if no request could be read, and closes it. Earlier requests are answered first. */
  refuseSocket(error: Error, socket: Socket): void {
    if (this.#waitingRefusals.has(socket)) return;
    const openAnswer = findOpenAnswer(socket);
    if (socket.writable && openAnswer?.req.complete === true) {
      // The earlier request was read completely and may have had its effect: its client must get its own answer.
      this.#waitingRefusals.add(socket);
      openAnswer.once('close', () => {
        this.#waitingRefusals.delete(socket);
        this.refuseSocket(error, socket);
      });
      return;
    }
    // The last answer closes the connection, and is still being sent.
    if (socket.writableEnded) return;
    // The answer may still be on its way. The rest of a body that was not read is not a new request.
    if (openAnswer?.writableEnded === true) {
      openAnswer.once('close', () => linger(socket));
      return;
    }
    // A second answer in the middle of the first would corrupt it.
    if (!socket.writable || openAnswer?.headersSent === true) {
      socket.destroy();
      return;
    }
    const [status, detail] = chooseRefusal(error);
    this.endSocket(socket, status, detail);
  }

  endSocket(socket: Socket, status: number, detail: string): void {
    const { headers, body } = this.#refusal(null, status, detail);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`;
    linger(socket, head + body);
  }

  /** Refuses CONNECT. Over HTTP/1.1 Node has given up the bare socket, with all of its listeners. */
  refuseTunnel(to: Socket | ServerResponse): void {
    if ('writeHead' in to) return this.refuse(to, ...NO_TUNNEL);
    to.on('error', () => to.destroy());
    const openAnswer = findOpenAnswer(to);
    if (openAnswer === undefined) this.endSocket(to, ...NO_TUNNEL);
    else openAnswer.once('close', () => this.refuseTunnel(to));
  }

  refuse(response: ServerResponse, status: number, detail: string, code?: number): void {
    const { headers, body } = this.#refusal(response.req, status, detail, code);
    response.writeHead(status, headers).end(body);
  }

  /** Node silently keeps the first of two Host headers, so this counts the raw ones. */
  countHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
    let hosts = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i];
      if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
    }
    return hosts;
  }

  /** Refuses an expectation other than 100-continue, which Node would refuse with an empty body. */
  refuseExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
    const expected = headers.expect?.slice(0, 100) ?? '';
    this.refuse(response, 417, `The header Expect must be 100-continue, not ${quoteText(expected)}.`);
  }

  /** Refuses a request because of the load. The connection stays open, unless there are too many connections. */
  refuseExcess(response: ServerResponse, { detail, isLast }: Excess): void {
    const { headers, body } = this.#refusal(response.req, 503, detail, CODE.RetryLater);
    const { connection = 'close', ...others } = headers;
    const more = { ...(isLast ? { connection } : {}), 'retry-after': String(RETRY_AFTER_SECONDS) };
    response.writeHead(503, { ...others, ...more }).end(body);
  }

  refuseBug(response: ServerResponse): void {
    const detail = 'Internal error. This is a bug in the sandbox; please report the request.';
    this.refuse(response, 500, detail, CODE.UnknownError);
  }

  /** Closes the connection, since the bytes that follow may be misread. Null if no request could be read. */
  #refusal(
    request: Pick<IncomingMessage, 'headers'> | null,
    httpStatus: number,
    detail: string,
    code: number = CODE.ValidationError,
  ): { headers: Record<string, string>; body: string } {
    const error = new ApiError({ code, detail, httpStatus });
    const { dialect } = chooseDialect((name) => request?.headers[name]?.toString(), false, this.dialect);
    const body = JSON.stringify(translateError(buildErrorBody(error, null), dialect));
    const headers = {
      ...PROTECTION,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': this.#ids.at(this.#refused++),
      connection: 'close',
      // The sdk dialect has no field for the longer text.
      ...(dialect === 'sdk' ? { 'x-sandbox-warning': formatWarnings([error.message]) } : {}),
    };
    return { headers, body };
  }
}

function chooseRefusal({
  code = '',
  reason = '',
}: NodeJS.ErrnoException & { readonly reason?: string }): FramingRefusal {
  // The parser uses the same code for faults after the version.
  if (code === 'HPE_INVALID_VERSION' && OTHER_VERSION.test(reason)) return WRONG_VERSION;
  return FAULTS[code] ?? [400, 'The request is not well-formed HTTP/1.1.'];
}

/** Returns why a request with this number of hosts is refused before the app sees it; null if it is not. */
export function faultInRequest(request: IncomingMessage, hosts: number): FramingRefusal | null {
  if (isOtherVersion(request)) return WRONG_VERSION;
  if (request.rawHeaders.length > 2 * HEADERS_MAX)
    return [431, `The request has too many headers; the maximum is ${HEADERS_MAX}.`];
  if (hasLargeHeaders(request)) return TOO_LARGE;
  if (hosts === 0) return [400, 'The request has no Host header; send one.'];
  if (hosts > 1) return [400, 'The request has more than one Host header; send only one.'];
  if (hasOddCoding(request)) return [400, 'The header Transfer-Encoding must be chunked, in HTTP/1.1.'];
  const { url = '' } = request;
  if (url === '*') return [400, 'OPTIONS * is not supported; ask about a path, such as OPTIONS /charge.'];
  // A fragment is for pages.
  return url.startsWith('/') && !url.includes('#')
    ? null
    : [400, 'The request line is malformed: the path must begin with / or http:// and must not contain #.'];
}

/** Whether an HTTP/1.1 request names another version. The parser accepts 0.9 and 2.0 too. */
function isOtherVersion(request: IncomingMessage): boolean {
  // Requests that are really HTTP/2 have a class of their own.
  return request instanceof IncomingMessage && request.httpVersionMajor !== 1;
}

/** Whether the headers are too large. For HTTP/1.1 the parser has already checked this. */
function hasLargeHeaders({ httpVersionMajor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor === 1) return false;
  return rawHeaders.reduce((sum, text) => sum + text.length, 0) > HEADER_BYTES_MAX;
}

/** Whether readers may disagree on the end of a request: an unsupported transfer coding, or any in HTTP/1.0. */
function hasOddCoding({ headers, httpVersionMinor }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0);
}

function findOpenAnswer(socket: Socket): ServerResponse | undefined {
  // Node's own handler of these errors reads the same field.
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
