import { createInnerSandbox } from '../../app/sandbox.js';
import { runChild } from '../exec/child.js';
import { EXEC_KEY } from '../exec/exec.js';
import { serveHttp } from '../http/serve.js';
import { NODE_HOST } from '../machine/host.js';
import type { VerifyOptions } from '../options/verify-options.js';
import { openProxy } from '../record/open-proxy.js';
import type { Output } from '../terminal/terminal.js';
import { type ObservedCall, observeCall } from './observed-call.js';

const HOST = '127.0.0.1';
/** A run is kept in memory. */
export const CALLS_MAX = 10_000;

/** The calls of a command, and its exit code. */
export interface SuiteRun {
  readonly calls: readonly ObservedCall[];
  /** How many later calls were not kept. */
  readonly left: number;
  readonly exitCode: number;
  /** When it began, in milliseconds since 1970. */
  readonly begun: number;
}

/** Runs a command whose calls go to the service, or to playmoney without an upstream. Rejects with a CommandError. */
export async function runSuite(
  command: readonly string[],
  options: VerifyOptions,
  { err }: Output,
): Promise<SuiteRun> {
  const { upstream } = options;
  const own =
    upstream === null ? await serveHttp(createInnerSandbox(NODE_HOST), { port: 0, host: HOST }) : null;
  const begun = NODE_HOST.now();
  const calls: ObservedCall[] = [];
  let left = 0;
  const url = upstream ?? `http://${HOST}:${own?.port}`;
  const proxy = await openProxy(
    { ...options, upstream: url, port: 0, host: HOST, allowedHosts: [], allowedOrigins: [] },
    { err },
    (passed) => {
      if (calls.length < CALLS_MAX) calls.push(observeCall(passed, NODE_HOST.now()));
      else left++;
    },
  );
  const key = options.key ?? (own === null ? null : EXEC_KEY);
  try {
    const child = await runChild(command, {
      ...process.env,
      PLAYMONEY_URL: `http://${HOST}:${proxy.port}`,
      ...(key === null ? {} : { PLAYMONEY_KEY: key }),
    });
    const exitCode = await child.ended;
    await child.clear();
    return { calls, left, exitCode, begun };
  } finally {
    await proxy.close();
    await own?.close();
  }
}
