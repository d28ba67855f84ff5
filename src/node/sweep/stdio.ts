import { createInterface } from 'node:readline';

import type { Order } from '../../client/asked.js';
import type { SweepContext, SweepOptions, SweptShop } from '../../sweep/public.js';
import { reportData } from '../../sweep/report/report-files.js';
import { EXIT_FAILED, formatJson, print, type VerbResult } from '../terminal/terminal.js';
import { sweep } from './sweep.js';

/** A flow of another process gets what is text. */
type FlowRequest = Pick<SweepContext, 'url' | 'key' | 'webhookSecret' | 'disk' | 'restarted'>;

/** The requests to a program in a run. Only the flow gets the world. */
type ProgramRequest = ({ readonly ask: 'flow' } & FlowRequest) | { readonly ask: 'recover' | 'orders' };

/** The reply to the last request of a run. */
interface ProgramReply {
  readonly run: number;
  /** The message of the exception that it threw. */
  readonly failure?: string;
  /** The requests to a flow after its run. */
  readonly parts?: readonly (keyof SweptShop)[];
  readonly orders?: readonly Order[];
}

/**
 * `sweep -`: sweeps a flow in another language, that of the process that started this one. Each message is a line of JSON. The first
 * one has the options; then each request is answered by a reply, in any order of the runs; the last one is the report, or an error.
 */
export async function sweepOverStdio(): Promise<VerbResult> {
  const lines = createInterface({ input: process.stdin });
  // Nobody waits for the report any more.
  const abandon = (): void => process.exit(EXIT_FAILED);
  lines.once('close', abandon);
  const options = await new Promise<SweepOptions>((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line) as SweepOptions));
  });
  const waiting = new Map<number, (reply: ProgramReply) => void>();
  lines.on('line', (line) => {
    const reply = JSON.parse(line) as ProgramReply;
    waiting.get(reply.run)?.(reply);
  });
  const ask = async (run: number, request: ProgramRequest): Promise<ProgramReply> => {
    const replied = new Promise<ProgramReply>((resolve) => waiting.set(run, resolve));
    print(process.stdout, formatJson({ run, ...request }));
    const reply = await replied;
    if (reply.failure !== undefined) throw new Error(reply.failure);
    return reply;
  };
  let runs = 0;
  const flow = async ({ url, key, webhookSecret, disk, restarted }: FlowRequest): Promise<SweptShop> => {
    const run = ++runs;
    const { parts = [] } = await ask(run, { ask: 'flow', url, key, webhookSecret, disk, restarted });
    return {
      ...(parts.includes('recover') ? { recover: () => ask(run, { ask: 'recover' }) } : {}),
      ...(parts.includes('orders')
        ? { orders: async () => (await ask(run, { ask: 'orders' })).orders ?? [] }
        : {}),
    };
  };
  try {
    const report = await sweep(flow, { ...options, listen: true });
    return { text: formatJson({ report: { ...reportData(report), text: report.toString() } }) };
  } catch (error) {
    return { text: formatJson({ error: error instanceof Error ? error.message : String(error) }) };
  } finally {
    lines.off('close', abandon);
    lines.close();
  }
}
