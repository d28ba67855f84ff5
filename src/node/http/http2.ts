import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { ReadableOptions } from 'node:stream';

import { ConnectionLost, PROTECTION } from '../../http/answers/respond.js';

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_STREAM_STATE_OPEN } = constants;

/** Concurrent requests on one connection; many servers use this limit. */
export const STREAMS_MAX = 100;

/** An HTTP/2 request with the fields that the server reads of an HTTP/1.1 request. */
export class Http2Request extends Http2ServerRequest {
  /** How many hosts it names: 2 if Host contradicts :authority. Node refuses a request with none, or two of the same header. */
  readonly hosts: number;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    options: ReadableOptions,
    rawHeaders: readonly string[],
  ) {
    const { host, ':authority': authority = host } = headers;
    // The app reads the host from the headers, as in HTTP/1.1.
    super(
      stream,
      headers,
      options,
      host === undefined ? ['host', String(authority), ...rawHeaders] : rawHeaders,
    );
    Object.defineProperties(this, {
      headers: { value: readPlainHeaders(headers) },
      // The connection decides the scheme, not the client.
      scheme: { value: 'https' },
      authority: { value: authority, writable: true },
    });
    this.hosts = (host ?? authority) === authority ? 1 : 2;
    // Node would end an aborted body as if it were complete. Without a listener, the error would end the process.
    this.on('error', () => {});
    this.on('aborted', () => this.destroy(new ConnectionLost()));
  }
}

/** The headers without the pseudo-headers; :authority becomes Host, as in HTTP/1.1. */
function readPlainHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const plain: IncomingHttpHeaders = {};
  const authority = headers[':authority'];
  if (typeof authority === 'string') plain.host = authority;
  for (const name in headers) if (!name.startsWith(':')) plain[name] = headers[name];
  return plain;
}

/** An HTTP/2 response that is written like an HTTP/1.1 response. */
export class Http2Response extends Http2ServerResponse {
  constructor(stream: ServerHttp2Stream) {
    super(stream);
    Object.defineProperty(this, 'destroyed', { get: () => stream.destroyed || stream.closed });
    // Node emits this when it has passed the answer to the connection, except for its end.
    stream.once('wantTrailers', () => setImmediate(() => stopSending(stream)));
  }

  /** Leaves out the Connection header: all requests share the connection. */
  override writeHead(statusCode: number, headers?: OutgoingHttpHeaders | string): this {
    // Node itself calls it without headers, for CONNECT and for an Expect that is not met.
    const { connection: _, ...rest }: OutgoingHttpHeaders =
      typeof headers === 'object' ? headers : { ...PROTECTION };
    return super.writeHead(statusCode, rest);
  }

  /** Aborts only this response: the connection has others, perhaps of other worlds. */
  lose(): void {
    this.stream.close(NGHTTP2_INTERNAL_ERROR);
  }
}

/** Tells a client that has its answer not to send the rest of its body. */
function stopSending(stream: ServerHttp2Stream): void {
  if (isSending(stream)) stream.close(NGHTTP2_NO_ERROR);
}

function isSending(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && stream.state.state === NGHTTP2_STREAM_STATE_OPEN;
}

/** Closes a connection that has had no request for too long. */
export function limitSession(
  session: ServerHttp2Session,
  firstRequestMs: number,
  nextRequestMs: number,
): void {
  let open = 0;
  const closeAfter = (ms: number): NodeJS.Timeout => setTimeout(() => session.close(), ms).unref();
  let idle = closeAfter(firstRequestMs);
  session.on('stream', (stream) => {
    open++;
    clearTimeout(idle);
    stream.once('close', () => {
      open--;
      if (open === 0) idle = closeAfter(nextRequestMs);
    });
  });
  session.once('close', () => clearTimeout(idle));
}

/** Calls `refuse` if a request has not arrived completely in time, and stops reading it. */
export function limitRequest(request: Http2Request, ms: number, refuse: () => void): void {
  if (!isSending(request.stream)) return;
  const slow = setTimeout(() => {
    if (!isSending(request.stream)) return;
    refuse();
    request.destroy(new ConnectionLost());
  }, ms);
  slow.unref();
  request.once('close', () => clearTimeout(slow));
}
