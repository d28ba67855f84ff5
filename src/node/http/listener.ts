import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';

/** HTTP/2 gives requests and responses that are like these, as far as the adapter uses them. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** What a server takes of its clients; the members of Node's HTTP/1.1 server, and times in milliseconds. */
export interface Limits {
  readonly maxHeaderSize: number;
  readonly maxHeadersCount: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly requireHostHeader: boolean;
}

/** Node would drop what is beyond a count of its own, without a word; our own listener refuses it. */
export const HEADERS_UNCOUNTED = 0;

/** Where clients can find what they need to trust the server. */
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

/** The folder for certificates cannot be used; the message says which file, why, and what to do. */
export class TlsFolderError extends Error {
  override readonly name = 'TlsFolderError';
}

/** A server that does not listen yet, and what is done otherwise over TLS. */
export interface Door {
  readonly scheme: 'http' | 'https';
  readonly server: Server;
  /** Who has to be trusted; null where nothing is encrypted. */
  readonly authority: Authority | null;
  onRequest(listener: Listener): void;
  /** How many hosts a request names: which of two is meant is anyone's guess. */
  hostsOf(request: IncomingMessage): number;
  /** Ends a response without a word, or in its midst. */
  lose(response: ServerResponse, how: 'reset' | 'empty'): void;
  /** Closes the connections whose last answer is given. */
  closeIdle(): void;
  /** Closes all connections at once. */
  closeAll(): void;
}
