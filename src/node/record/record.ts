import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ApiError } from '../../core/errors.js';
import { formatCount, quoteForShell } from '../../core/text/text.js';
import { Gate } from '../../http/gate.js';
import { formatAddress, isLoopbackHost } from '../cli/start/start-note.js';
import { buildCallError } from '../remote/call-server.js';
import type { RecordOptions } from '../options/replay-options.js';
import { reportOnce } from '../terminal/report-once.js';
import { onEndingSignal } from '../terminal/signals.js';
import {
  CommandError,
  EXIT_FAILED,
  formatLines,
  type Output,
  type VerbResult,
} from '../terminal/terminal.js';
import { followParent } from '../exec/child.js';
import { NODE_HOST } from '../machine/host.js';
import { describeListenFault } from '../http/listen-fault.js';
import { requireCertificates } from '../replay/replay.js';
import { leadsToControl, type Upstream, UpstreamCall } from '../remote/upstream.js';
import { requireNew, requireWritable, writeNew } from '../files/whole-file.js';
import { answerBadGateway, forwardCall, type PassedCall } from './proxy.js';
import { Recording } from './recording.js';

const CONNECTIONS_MAX = 256;
/** How long calls in progress have to finish when the recording ends. */
const GRACE_MS = 1000;
const OPEN_TO_OTHERS = 'lets other machines use this proxy, and the upstream through it.';
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/;
const LIVE_KEY = /\b[sp]k_live_/;

type WaitForEnd = (port: number) => Promise<void>;

/** Forwards calls to another server until `ending` resolves, then writes them as a trace into a new file. Rejects with a CommandError. */
export async function runRecord(
  options: RecordOptions,
  output: Output,
  ending: WaitForEnd,
): Promise<VerbResult> {
  const { upstream: url, out: file, timeout: timeoutMs } = options;
  await requireNew(file, 'recording');
  await requireWritable(file);
  const over = new AbortController();
  const ca = options.ca === null ? null : await requireCertificates(options.ca);
  const upstream = { url, timeoutMs, ca, ending: over.signal };
  await requireReachable(upstream);
  const recording = new Recording();
  const gate = createProxyGate(options, output);
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const refusal = findGateRefusal(gate, request);
    if (refusal !== null) return answerBadGateway(response, refusal.refusal.detail, refusal.httpStatus);
    const passing = forwardAndRecord(request, response, upstream, recording, output);
    underWay.add(passing);
    void passing.finally(() => underWay.delete(passing));
  });
  const port = await listenProxy(server, options);
  output.out(formatLines([`playmoney listening on ${formatAddress({ ...options, https: false })}:${port}`]));
  if (!isLoopbackHost(options.host))
    output.err(formatLines([`Warning: --host ${options.host} ${OPEN_TO_OTHERS}`]));
  const note = `Forwards calls to ${url}. Ctrl+C (SIGINT or SIGTERM) ends the recording and writes ${file}.`;
  output.err(formatLines([note]));
  await ending(port);
  await closeProxy(server, underWay, over);
  output.err(formatLines(recording.lossLines.map((line) => `playmoney: ${line}`)));
  return writeRecording(recording, file, url);
}

/** The gate of a server: a page could otherwise reach the upstream through the proxy, which replaces the Host. */
function createProxyGate({ host, allowedHosts, allowedOrigins }: RecordOptions, output: Output): Gate {
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
  recording: Recording,
  { err }: Output,
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
  const isFirstLeft = recording.left === 0;
  recording.keep(passed, NODE_HOST.now());
  if (isFirstLeft && recording.left > 0) {
    const calls = formatCount(recording.calls, 'call');
    const full = `the recording is full after ${calls}; later calls are forwarded but not recorded`;
    err(formatLines([`playmoney: ${full}`]));
  }
}

/** Leaves out calls that were not sent, the OPTIONS requests of browsers, and the control plane of a sandbox. */
function isServiceCall({ isConnected, method, target, status }: PassedCall): boolean {
  return isConnected && METHOD.test(method) && !leadsToControl(target) && status < 600;
}

async function listenProxy(server: Server, { port, host }: RecordOptions): Promise<number> {
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
    over.abort('the recording ended');
  }, GRACE_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  await Promise.all(underWay);
  clearTimeout(force);
}

async function writeRecording(recording: Recording, file: string, url: string): Promise<VerbResult> {
  const { calls, left } = recording;
  if (calls === 0) throw new CommandError(`no calls were recorded, so ${file} was not written`, EXIT_FAILED);
  await writeNew(file, 'recording', (write) => recording.write(write, NODE_HOST.now()));
  const more = left === 0 ? '' : `; ${formatCount(left, 'later call')} not recorded`;
  const next = `playmoney replay ${quoteForShell(file)} --against http://127.0.0.1:4010`;
  const text = `${file}: ${formatCount(calls, 'call')} to ${url}${more}. Send them to a sandbox with: ${next}`;
  return { text: formatLines([text]) };
}

/** Resolves at the first signal that ends a program, or when the parent process has ended. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    onEndingSignal(resolve);
    followParent(resolve);
  });
}
