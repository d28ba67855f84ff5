import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import type { RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';

import { ABORTED, ANSWER_LOGGED_MAX, type Post, type Posted } from '../../core/post.js';
import { isOwnAddress, classifyAddress } from '../machine/addresses.js';
import { describeFailure } from './failures.js';
import { type ResolvedAddress, NAME_SYSTEM, NameResolver, type NameSystem } from './resolve-names.js';
import { OWN_PORTS } from './own-ports.js';

/** How much of the unused body of a response is read, and for how long, so that the receiver sees no error. */
const DRAINED_BYTES_MAX = 65_536;
const DRAIN_MS = 1_000;
/** How long an attempt waits for the beginning of the body of a response after its headers. */
const BODY_MS = 200;

/** How names are resolved and requests are made. */
export interface Network extends NameSystem {
  readonly request: (options: RequestOptions, isHttps: boolean) => Promise<ClientRequest>;
}

/** Each delivery has its own connection: none stays open for a receiver that may not be called again. */
const AGENT = new Agent({ keepAlive: false });

const NETWORK: Network = {
  ...NAME_SYSTEM,
  request: async (options, isHttps) => {
    if (!isHttps) return requestHttp({ ...options, agent: AGENT });
    // Loaded on demand, since few receivers use https.
    const https = await import('node:https');
    return https.request({ ...options, agent: false });
  },
};

/**
 * Posts to receivers of webhooks. Checks every address of a name before it sends anything, and connects only to addresses
 * that it has checked. Redirects are not followed.
 */
export function createSender(
  network: Network = NETWORK,
  ownPorts: Uint8Array = OWN_PORTS,
): (post: Post) => Promise<Posted> {
  const names = new NameResolver(network);
  return async (post) => {
    const url = new URL(post.url);
    const isHttps = url.protocol === 'https:';
    const { hostname, path, auth } = urlToHttpOptions(url);
    const name = String(hostname);
    const port = Number(url.port || (isHttps ? 443 : 80));
    // Saved files can have any URL.
    if (port === 0) return { withheld: 'its port is 0, and Node would connect to another one' };
    const family = isIP(name);
    // A literal address needs no resolver; parsing the URL has normalised it.
    const addresses = family === 0 ? await names.find(name, post.signal) : [{ address: name, family }];
    if ('failed' in addresses) return addresses;
    const reason = whyWithheld(addresses, Atomics.load(ownPorts, port) === 1, post.reach);
    if (reason !== null) return { withheld: reason };
    const request = await network.request(
      {
        ...requestOptions(post, addresses),
        host: name,
        port,
        path,
        ...(url.username === '' ? {} : { auth }),
        ...(family === 0 ? { servername: name } : {}),
      },
      isHttps,
    );
    return sendPost(request, post);
  };
}

/** Returns why a receiver must not be called; null if it may. One forbidden address among several is enough. */
function whyWithheld(
  addresses: readonly ResolvedAddress[],
  isOwnPort: boolean,
  reach: Post['reach'],
): string | null {
  if (addresses.length === 0) return 'its name has no address';
  for (const { address } of addresses) {
    const kind = classifyAddress(address);
    if (kind === 'metadata' || kind === 'reserved') {
      return `${address} is a ${kind} address, and webhooks are never sent there`;
    }
    if (kind === 'public' && reach !== 'public') {
      return `${address} is a public address; start with --webhooks public to deliver there`;
    }
    if (isOwnPort && isOwnAddress(address)) return 'it is the sandbox itself';
  }
  return null;
}

function requestOptions({ headers, body }: Post, addresses: readonly ResolvedAddress[]): RequestOptions {
  // Header values are sent unchanged, in UTF-8.
  const sendable = Object.entries(headers).map(([name, value]) => [
    name,
    Buffer.from(value).toString('latin1'),
  ]);
  return {
    method: 'POST',
    headers: { ...Object.fromEntries(sendable), 'content-length': Buffer.byteLength(body) },
    lookup: buildLookup(addresses),
    // Receivers on a developer's machine often have self-signed certificates.
    rejectUnauthorized: addresses.some(({ address }) => classifyAddress(address) === 'public'),
  };
}

/** Resolves to the addresses that were checked, whatever the resolver returns now. */
function buildLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function sendPost(request: ClientRequest, { body, signal }: Post): Promise<Posted> {
  return new Promise((resolve) => {
    let end = (error: Error): void => resolve({ failed: describeFailure(error) });
    const abort = (): void => {
      end(new Error(ABORTED));
      request.destroy();
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const note = describeCertificate(response);
      const headers = joinHeaders(response);
      // Whatever happens from now on, there is a status. What came of the body is read first.
      const begin = readBeginning(response, (received) => {
        const answer = { status, headers, body: received };
        resolve(note === null ? answer : { ...answer, note });
      });
      end = () => void setImmediate(begin);
    });
    request.on('error', (error) => end(error));
    // An upgrade or a tunnel is not an answer to a POST.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ failed: 'the receiver answered with an upgrade' });
    });
    // As bytes: a string would be sent together with the headers, in its own encoding.
    request.end(Buffer.from(body));
  });
}

/** The headers of a response by name, those of the same name joined by commas. */
function joinHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function describeCertificate({ socket }: IncomingMessage): string | null {
  const { authorized, authorizationError } = socket as Partial<TLSSocket>;
  if (authorized !== false) return null;
  return `its certificate is not trusted (${String(authorizationError)}), which is accepted for private addresses`;
}

/**
 * Reads a part of a body, passes its beginning on as soon as it is there, and closes the connection. Returns what passes on what is
 * there.
 */
function readBeginning(response: IncomingMessage, onBeginning: (body: string) => void): () => void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const begin = (): void => {
    clearTimeout(bodyTimer);
    onBeginning(Buffer.concat(chunks).toString('utf8', 0, ANSWER_LOGGED_MAX));
  };
  const bodyTimer = setTimeout(begin, BODY_MS);
  const drainTimer = setTimeout(() => response.destroy(), DRAIN_MS).unref();
  response.on('data', (chunk: Buffer) => {
    if (bytes < ANSWER_LOGGED_MAX) chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= ANSWER_LOGGED_MAX) begin();
    if (bytes > DRAINED_BYTES_MAX) response.destroy();
  });
  response.on('end', begin);
  // The delivery is over: later errors change nothing.
  response.on('error', () => {});
  response.on('close', () => {
    clearTimeout(drainTimer);
    begin();
  });
  return begin;
}
