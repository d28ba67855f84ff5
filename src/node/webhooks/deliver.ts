import { lookup } from 'node:dns/promises';
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import type { RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';

import type { Post, Posted } from '../../core/post.js';
import { type AddressKind, isOwnAddress, kindOfAddress } from '../http/addresses.js';
import { OWN_PORTS, type OwnPorts } from './own-ports.js';

/** Why a post failed that was given up. */
export const BROKEN_OFF = 'it was broken off';
/** What is read of an answer's body, and how long, so that its receiver can end in peace; nobody looks at it. */
const DRAINED_BYTES_MAX = 65_536;
const DRAIN_MS = 1_000;

interface Address {
  readonly address: string;
  readonly family: number;
}

interface JudgedAddress extends Address {
  readonly kind: AddressKind;
}

/** How names become addresses, and how requests are made. */
export interface Network {
  readonly resolve: (name: string) => Promise<readonly Address[]>;
  readonly request: (options: RequestOptions, isHttps: boolean) => Promise<ClientRequest>;
}

/** Each delivery has a connection of its own: none is kept open for a receiver that may not come again. */
const AGENT = new Agent({ keepAlive: false });

const NETWORK: Network = {
  resolve: (name) => lookup(name, { all: true }),
  request: async (options, isSecure) => {
    if (!isSecure) return requestHttp({ ...options, agent: AGENT });
    // Few receivers have certificates: the others do not pay for this.
    const https = await import('node:https');
    return https.request({ ...options, agent: false });
  },
};

/**
 * Posts to receivers of webhooks. Each address that a name leads to is judged before anything is sent, and what was
 * judged is what is connected to; redirects are answers like any other.
 */
export function delivering(
  network: Network = NETWORK,
  ownPorts: OwnPorts = OWN_PORTS,
): (post: Post) => Promise<Posted> {
  return async (post) => {
    const url = new URL(post.url);
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port === '' ? defaultPort(url) : url.port);
    const addresses = (await addressesOf(name, network)).map(judge);
    const reason = whyWithheld(addresses, ownPorts.has(port), post.reach);
    if (reason !== null) return { withheld: reason };
    const isPublic = addresses.some(({ kind }) => kind === 'public');
    const request = await network.request(
      optionsOf(post, url, name, port, addresses, isPublic),
      isHttps(url),
    );
    return exchange(request, post);
  };
}

function isHttps({ protocol }: URL): boolean {
  return protocol === 'https:';
}

function defaultPort(url: URL): number {
  return isHttps(url) ? 443 : 80;
}

/** A literal address needs no resolver; odd spellings became plain ones when the URL was read. */
async function addressesOf(name: string, { resolve }: Network): Promise<readonly Address[]> {
  const family = isIP(name);
  return family === 0 ? resolve(name) : [{ address: name, family }];
}

function judge(one: Address): JudgedAddress {
  return { ...one, kind: kindOfAddress(one.address) };
}

/** Why a receiver is not posted to; one bad address of several is enough. Null: it is. */
function whyWithheld(
  addresses: readonly JudgedAddress[],
  isOwnPort: boolean,
  reach: Post['reach'],
): string | null {
  if (addresses.length === 0) return 'its name leads to no address';
  for (const { address, kind } of addresses) {
    if (kind === 'metadata') return `${address} is a metadata address, which is never delivered to`;
    if (kind === 'reserved') return `${address} is a reserved address, which is never delivered to`;
    if (kind === 'public' && reach !== 'public') {
      return `${address} is a public address; start with --webhooks public to deliver there`;
    }
    if (isOwnPort && isOwnAddress(address)) return 'it is the sandbox itself';
  }
  return null;
}

function optionsOf(
  { headers, body }: Post,
  url: URL,
  name: string,
  port: number,
  addresses: readonly Address[],
  isPublic: boolean,
): RequestOptions {
  const { username, password } = url;
  return {
    method: 'POST',
    host: name,
    port,
    path: `${url.pathname}${url.search}`,
    headers: { ...sendable(headers), 'content-length': bytesOf(body).length },
    ...(username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
    lookup: judged(addresses),
    // Receivers on a developer's machine have certificates that nobody signed.
    rejectUnauthorized: isPublic,
    ...(isIP(name) === 0 ? { servername: name } : {}),
  };
}

/** Header values as they are, in UTF-8. */
function sendable(headers: Post['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}

/** Gives the addresses that were judged, whatever the resolver would say by now. */
function judged(addresses: readonly Address[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (all === true)
      callback(
        null,
        addresses.map(({ address, family }) => ({ address, family })),
      );
    else callback(null, first.address, first.family);
  };
}

function exchange(request: ClientRequest, { body, signal }: Post): Promise<Posted> {
  return new Promise((resolve) => {
    const breakOff = (): unknown => request.destroy(new Error(BROKEN_OFF));
    if (signal.aborted) breakOff();
    else signal.addEventListener('abort', breakOff, { once: true });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const note = certificateNote(response);
      drain(response);
      resolve(note === null ? { status } : { status, note });
    });
    request.on('error', (error) => resolve({ failed: reasonOf(error) }));
    // An upgrade or a tunnel is no answer to a POST.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ failed: 'answered with an upgrade' });
    });
    request.end(bytesOf(body));
  });
}

function certificateNote({ socket }: IncomingMessage): string | null {
  const { authorized, authorizationError } = socket as Partial<TLSSocket>;
  if (authorized !== false) return null;
  return `its certificate is not trusted (${String(authorizationError)}), which is let pass on private addresses`;
}

/** Reads a little of a body that nobody looks at, and closes the connection. */
function drain(response: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), DRAIN_MS).unref();
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAINED_BYTES_MAX) response.destroy();
  });
  // What goes wrong from here on changes nothing.
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
}

/** Where several addresses were tried, the error of all of them says nothing itself. */
function reasonOf(error: Error & { code?: string; errors?: readonly Error[] }): string {
  const [first] = error.errors ?? [];
  return error.message || first?.message || error.code || error.name;
}
