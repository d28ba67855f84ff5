import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';

/** Handles a request. For HTTP/2, the compatible request and response of Node are used. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface CertificateAuthority {
  /** For NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  /** In PEM. */
  readonly certificate: string;
}

export interface HttpsOptions {
  /** The folder for certificates; by default in the user's data folder. */
  readonly dir?: string;
  /** Names for the certificate in addition to localhost, 127.0.0.1, ::1 and the host. */
  readonly names?: readonly string[];
  /** Called once, when the first client aborts its handshake, probably because it does not trust the certificate. */
  readonly onDistrust?: (authority: CertificateAuthority) => void;
}

/** The folder for certificates cannot be used. The message names the file, the reason and the remedy. */
export class TlsFolderError extends Error {
  override readonly name = 'TlsFolderError';
}

/** A server that does not listen yet, over plain TCP or over TLS. */
export interface HttpListener {
  readonly scheme: 'http' | 'https';
  readonly server: Server;
  readonly authority: CertificateAuthority | null;
  onRequest(handle: RequestHandler): void;
  /** How many hosts a request names; two are ambiguous. */
  countHosts(request: IncomingMessage): number;
  /** Aborts a response, whether or not some of it was sent. */
  lose(response: ServerResponse, how: 'reset' | 'empty'): void;
  /** The connection of a response, with all other responses on it; null if it is closed. */
  readonly connectionOf: (response: ServerResponse) => { destroy(): unknown } | null;
  closeIdle(): void;
  closeAll(): void;
}
