import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';

/** A server that calls are sent to. */
export interface Upstream {
  /** Without a trailing slash. */
  readonly url: string;
  /** Trusted certificates as PEM; null for those of the system. */
  readonly ca: string | null;
  /** How long a call may take until the end of its answer. */
  readonly timeoutMs: number;
  /** Accepts untrusted certificates; only for calls without a secret. */
  readonly isAnyCertificateFine?: boolean;
  /** Breaks off all calls, with its reason. */
  readonly ending?: AbortSignal;
}

/** A call on its own connection, so that a broken answer affects no other. Sent when `request` is written. Follows no redirects. */
export class UpstreamCall {
  isConnected = false;
  readonly request: ClientRequest;
  readonly #signal: AbortSignal;
  readonly #timeoutMs: number;

  constructor(
    { url, ca, timeoutMs, isAnyCertificateFine = false, ending }: Upstream,
    { path, ...head }: Required<Pick<RequestOptions, 'method' | 'path' | 'headers'>>,
    onConnected?: () => void,
  ) {
    const base = new URL(url);
    const isSecure = base.protocol === 'https:';
    this.#timeoutMs = timeoutMs;
    this.#signal = AbortSignal.timeout(timeoutMs);
    this.request = (isSecure ? requestHttps : requestHttp)(base, {
      ...head,
      path: base.pathname.replace(/\/$/, '') + path,
      agent: false,
      signal: ending === undefined ? this.#signal : AbortSignal.any([this.#signal, ending]),
      ...(ca === null ? {} : { ca }),
      ...(isAnyCertificateFine ? { rejectUnauthorized: false } : {}),
    });
    this.request.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        this.isConnected = true;
        onConnected?.();
      });
    });
  }

  /** Resolves with the answer's head; rejects when none comes. */
  answer(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      this.request.on('response', resolve).on('error', reject);
      // There is no error if the server switches to another protocol.
      this.request.on('close', () => reject(new Error('the connection was closed')));
    });
  }

  /** The body of the answer; throws if it is not complete in time. */
  async *readBodyPieces(answer: IncomingMessage): AsyncGenerator<Uint8Array, void> {
    yield* answer as AsyncIterable<Uint8Array>;
    // A body without a length ends with its connection, whoever closed it.
    if (this.isLate) throw new Error('late');
  }

  get isLate(): boolean {
    return this.#signal.aborted;
  }

  get limit(): string {
    return `${this.#timeoutMs} ms`;
  }

  explainError(error: NodeJS.ErrnoException): string {
    if (this.isLate) return `no answer within ${this.limit}`;
    return error.name === 'AbortError' ? String(error.cause) : describeNetworkError(error);
  }
}

/** Why a call over the network failed. Where a name has several addresses, the message of the error is empty. */
function describeNetworkError({ code = '', message }: NodeJS.ErrnoException): string {
  const hint = /VERIFY|SELF_SIGNED|CA_|ISSUER/.test(code) ? '; trust its certificate with --ca FILE' : '';
  return `${message === '' ? code : message}${hint}`;
}
