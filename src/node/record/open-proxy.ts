import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ApiError } from '../../core/errors.js';
import { Gate } from '../../http/gate.js';
import { describeListenFault } from '../http/listen-fault.js';
import type { RecordOptions } from '../options/replay-options.js';
import { buildCallError } from '../remote/call-server.js';
import { leadsToControl } from '../../http/request-key.js';
import { type Upstream, UpstreamCall } from '../remote/upstream.js';
import { requireCertificates } from '../replay/replay.js';
import { reportOnce } from '../terminal/report-once.js';
import { CommandError, EXIT_FAILED, formatLines, type Output } from '../terminal/terminal.js';
import { answerBadGateway, forwardCall, type PassedCall } from './proxy.js';

const CONNECTIONS_MAX = 256;
/** How long calls in progress have to finish when the proxy ends. */
const GRACE_MS = 1000;
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/;
const STATUS_MAX = 599;
const LIVE_KEY = /\b[sp]k_live_/;

export type ProxyOptions = Omit<RecordOptions, 'out'>;

export interface Proxy {
  readonly port: number;
  /** Resolves when all calls have ended. */
  close(): Promise<void>;
}

/** Forwards calls to another server. `onPassed` gets each call of the service. Rejects with a CommandError. */
export async function openProxy(
  options: ProxyOptions,
  output: Pick<Output, 'err'>,
  onPassed: (passed: PassedCall) => void,
): Promise<Proxy> {
  const over = new AbortController();
  const ca = options.ca === null ? null : await requireCertificates(options.ca);
  const upstream = { url: options.upstream, timeoutMs: options.timeout, ca, ending: over.signal };
  await requireReachable(upstream);
  const gate = createProxyGate(options, output);
  const reportLeft = reportOnce(output);
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const refusal = findGateRefusal(gate, request);
    if (refusal !== null) return answerBadGateway(response, refusal.refusal.detail, refusal.httpStatus);
    const passing = forwardAndRecord(request, response, upstream, output, onPassed, reportLeft);
    underWay.add(passing);
    void passing.finally(() => underWay.delete(passing));
  });
  const port = await listenProxy(server, options);
  return { port, close: () => closeProxy(server, underWay, over) };
}

/** The gate of a server: a page could otherwise reach the upstream through the proxy, which replaces the Host. */
function createProxyGate(
  { host, allowedHosts, allowedOrigins }: ProxyOptions,
  output: Pick<Output, 'err'>,
): Gate {
  // Clients use the name that the proxy is bound to.
  const names = [...allowedHosts, host.toLowerCase()];
  return new Gate({ allowedHosts: names, allowedOrigins, onTurnedAway: reportOnce(output) });
}

function findGateRefusal(
  gate: Gate,
  { headers, method = 'GET', url = '' }: IncomingMessage,
): ApiError | null {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const isControl = leadsToControl(url);
  try {
    gate.checkHost(host);
    if (origin !== undefined) gate.checkOrigin(origin, host, method, isControl);
    else if (site === 'cross-site') gate.checkSite(method, isControl);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Connects without sending anything. Rejects if no server listens there, or its certificate is not trusted. */
async function requireReachable(upstream: Upstream): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const call = new UpstreamCall(upstream, { method: 'HEAD', path: '/', headers: {} }, () => {
      resolve();
      call.request.destroy();
    });
    call.request.on('error', (error) => {
      reject(buildCallError(`cannot connect to ${upstream.url} (${call.explainError(error)})`));
    });
  });
}

async function forwardAndRecord(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  { err }: Pick<Output, 'err'>,
  onPassed: (passed: PassedCall) => void,
  reportLeft: (reason: string) => void,
): Promise<void> {
  const { url: target = '', rawHeaders } = request;
  if (!target.startsWith('/')) {
    return answerBadGateway(response, 'the path of a call must begin with a slash', 400);
  }
  if (rawHeaders.some((text) => LIVE_KEY.test(text))) {
    return answerBadGateway(response, 'a live key is not forwarded; use a sandbox key', 403);
  }
  const passed = await forwardCall(request, response, upstream);
  if (passed === null) return;
  if (passed.failure !== null) {
    err(formatLines([`playmoney: incomplete answer from ${upstream.url} (${passed.failure})`]));
  }
  if (!isServiceCall(passed)) return;
  const odd = findOddity(passed);
  if (odd === null) onPassed(passed);
  else reportLeft(`calls with ${odd} are passed on, but left out here`);
}

/** Leaves out calls that were not sent, the OPTIONS requests of browsers, and the control plane of a sandbox. */
function isServiceCall({ isConnected, method, target }: PassedCall): boolean {
  return isConnected && method !== 'OPTIONS' && !leadsToControl(target);
}

/** The part of a call that no trace can have; null if there is none. */
function findOddity({ method, status }: PassedCall): string | null {
  if (!METHOD.test(method)) return `the method ${method}`;
  return status > STATUS_MAX ? `the status ${status}, which is above ${STATUS_MAX},` : null;
}

async function listenProxy(server: Server, { port, host }: ProxyOptions): Promise<number> {
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new CommandError(describeListenFault(error, { port, host }), EXIT_FAILED));
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Calls that the upstream has not answered by then are recorded without an answer. */
async function closeProxy(
  server: Server,
  underWay: ReadonlySet<Promise<void>>,
  over: AbortController,
): Promise<void> {
  const force = setTimeout(() => {
    server.closeAllConnections();
    over.abort('the proxy was stopped');
  }, GRACE_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  await Promise.all(underWay);
  clearTimeout(force);
}
