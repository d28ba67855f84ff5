import { buffer } from 'node:stream/consumers';

import { toWire } from '../../../client/spelling.js';
import { JsonFault } from '../../../core/json/json-fault.js';
import { plainJson, readJson } from '../../../core/json/json.js';
import type { ValuesOf } from '../../../core/option.js';
import { count, isObject, kindOf } from '../../../core/text/text.js';
import { readText, textIn } from '../../files/text-file.js';
import { FileError } from '../../files/file-error.js';
import type { RECONCILE } from '../../options/option-table.js';
import { call, JOURNAL_BYTES_MAX, RefusedError, requirePlaymoney, WORK_MS } from '../../remote/client.js';
import { EXIT_FAILED, jsonOf, linesOf, type Result } from '../../terminal/terminal.js';

/** Compares the orders of a file with the charges of a world, and prints each finding. Rejects with a CommandError. */
export async function reconcile(options: ValuesOf<typeof RECONCILE>): Promise<Result> {
  const { orders: source, json, ...server } = options;
  const [name, text] =
    source === '-'
      ? ['standard input', textIn('standard input', await buffer(process.stdin))]
      : [source ?? '', await readText(source ?? '')];
  const orders = recordsIn(name, text).map(toWire);
  // A large world may take long, so a quick call first detects a server that never answers.
  await requirePlaymoney(server);
  const { body, world } = await call(server, {
    path: '/_sandbox/reconcile',
    body: { Orders: orders },
    shape: { Count: 'number', Findings: [{ Message: 'string' }] },
    bytesMax: JOURNAL_BYTES_MAX,
    limitMs: WORK_MS,
  }).catch((error: unknown) => {
    throw error instanceof RefusedError ? new FileError(`${name}: ${error.message}`) : error;
  });
  const { Count, Findings } = body;
  const result = Count === 0 ? {} : { exitCode: EXIT_FAILED };
  if (json) return { text: jsonOf(body, 2), ...result };
  const more = Count > Findings.length ? [`and ${Count - Findings.length} more`] : [];
  const sum = `${count(orders.length, 'order')} and the charges of ${world}`;
  const last = Count === 0 ? `${sum} balance.` : `${sum} do not balance: ${count(Count, 'finding')}.`;
  return { text: linesOf([...Findings.map(({ Message }) => Message), ...more, last]), ...result };
}

const EXAMPLE = '{"reference": "order-1", "amount": 15.5, "paid": true}';

/** The orders of a JSON array or of JSON lines. Throws a FileError if one is not an object. */
export function recordsIn(name: string, text: string): readonly object[] {
  const isArray = text.trimStart().startsWith('[');
  const lines = isArray ? [text] : text.split('\n');
  const values = lines.flatMap((line, n) => (line.trim() === '' ? [] : [valueIn(line, name, n)]));
  const orders = (isArray ? values[0] : values) as readonly object[];
  const other = orders.findIndex((order) => !isObject(order));
  if (other < 0) return orders;
  throw new FileError(
    `${name}: order ${other + 1} is ${kindOf(orders[other])}; it must be an object such as ${EXAMPLE}`,
  );
}

function valueIn(line: string, name: string, n: number): unknown {
  try {
    return plainJson(readJson(line));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new FileError(`${name}:${n + error.line}:${error.column}: not valid JSON: ${error.message}`);
  }
}
