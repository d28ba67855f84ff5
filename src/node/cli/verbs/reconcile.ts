import { buffer } from 'node:stream/consumers';

import * as z from 'zod';

import { toWire } from '../../../client/spelling.js';
import { JsonFault } from '../../../core/json/json-fault.js';
import { toPlainJson, readJson } from '../../../core/json/json.js';
import type { OptionValues } from '../../../core/option.js';
import { formatCount, isObject, describeType } from '../../../core/text/text.js';
import { readText, decodeText } from '../../files/text-file.js';
import { FileError } from '../../files/file-error.js';
import type { RECONCILE } from '../../options/option-table.js';
import {
  callServer,
  JOURNAL_BYTES_MAX,
  BadRequestError,
  requirePlaymoney,
  WORK_MS,
} from '../../remote/call-server.js';
import { EXIT_FAILED, formatJson, formatLines, type VerbResult } from '../../terminal/terminal.js';

/** Compares the orders of a file with the charges of a world, and prints each finding. Rejects with a CommandError. */
export async function runReconcile(options: OptionValues<typeof RECONCILE>): Promise<VerbResult> {
  const { orders: source, json, ...server } = options;
  const [name, text] =
    source === '-'
      ? ['standard input', decodeText('standard input', await buffer(process.stdin))]
      : [source ?? '', await readText(source ?? '')];
  const orders = readOrders(name, text).map(toWire);
  // A large world may take long, so a quick call first detects a server that never answers.
  await requirePlaymoney(server);
  const { body, world } = await callServer(server, {
    path: '/_sandbox/reconcile',
    body: { Orders: orders },
    schema: z.object({ Count: z.number(), Findings: z.array(z.object({ Message: z.string() })) }),
    bytesMax: JOURNAL_BYTES_MAX,
    limitMs: WORK_MS,
  }).catch((error: unknown) => {
    throw error instanceof BadRequestError ? new FileError(`${name}: ${error.message}`) : error;
  });
  const { Count, Findings } = body;
  const result = Count === 0 ? {} : { exitCode: EXIT_FAILED };
  if (json) return { text: formatJson(body, 2), ...result };
  const more = Count > Findings.length ? [`and ${Count - Findings.length} more`] : [];
  const sum = `${formatCount(orders.length, 'order')} and the charges of ${world}`;
  const last = Count === 0 ? `${sum} balance.` : `${sum} do not balance: ${formatCount(Count, 'finding')}.`;
  return { text: formatLines([...Findings.map(({ Message }) => Message), ...more, last]), ...result };
}

const EXAMPLE = '{"reference": "order-1", "amount": 15.5, "paid": true}';

/** The orders of a JSON array or of JSON lines. Throws a FileError if one is not an object. */
export function readOrders(name: string, text: string): readonly object[] {
  const isArray = text.trimStart().startsWith('[');
  const lines = isArray ? [text] : text.split('\n');
  const values = lines.flatMap((line, n) => (line.trim() === '' ? [] : [parseOrderLine(line, name, n)]));
  const orders = (isArray ? values[0] : values) as readonly object[];
  const other = orders.findIndex((order) => !isObject(order));
  if (other < 0) return orders;
  throw new FileError(
    `${name}: order ${other + 1} is ${describeType(orders[other])}; it must be an object such as ${EXAMPLE}`,
  );
}

function parseOrderLine(line: string, name: string, n: number): unknown {
  try {
    return toPlainJson(readJson(line));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new FileError(`${name}:${n + error.line}:${error.column}: not valid JSON: ${error.message}`);
  }
}
