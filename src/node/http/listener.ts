import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';

/** Handles a request. Those of HTTP/2 and their responses are like these, as far as they are used. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The limits that a server sets its clients: fields of Node's HTTP/1.1 server, with times in milliseconds. */
export interface Limits {
  readonly maxHeaderSize: number;
  readonly maxHeadersCount: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly requireHostHeader: boolean;
}

/** Node would silently drop headers beyond its own limit; `serve` counts and refuses them. */
export const HEADERS_UNCOUNTED = 0;

export interface Authority {
  /** The file that holds the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  /** The certificate itself, in PEM. */
  readonly certificate: string;
}

export interface HttpsOptions {
  /** Where the certificates are kept and found again; the user's own data folder unless given. */
  readonly dir?: string;
  /** What the certificate names besides localhost, 127.0.0.1, ::1 and the host. */
  readonly names?: readonly string[];
  /** Called once, when the first client breaks off its handshake as those do that do not trust the certificate. */
  readonly onDistrust?: (authority: Authority) => void;
}

/** The folder for certificates cannot be used; the message names the file, the reason and the remedy. */
export class TlsFolderError extends Error {
  override readonly name = 'TlsFolderError';
}

/** A server that does not listen yet, over plain TCP or over TLS. */
export interface Listener {
  readonly scheme: 'http' | 'https';
  readonly server: Server;
  /** The authority that clients have to trust; null without TLS. */
  readonly authority: Authority | null;
  onRequest(handle: RequestHandler): void;
  /** How many hosts a request names: with two it is ambiguous which one is meant. */
  hostsOf(request: IncomingMessage): number;
  /** Breaks off a response, whether or not some of it was sent. */
  lose(response: ServerResponse, how: 'reset' | 'empty'): void;
  closeIdle(): void;
  closeAll(): void;
}
