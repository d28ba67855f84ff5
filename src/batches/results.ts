import type { World } from '../world.js';
import { HEADER, quoteField, rowText, splitRow } from './csv.js';
import type { Batch, RowFailure } from './record.js';

/** The first line of Results. */
export const RESULTS_HEADER = `${HEADER},Status,TransactionId,FailureReason,GatewayErrorCode,GatewayErrorResponse,IsRetryable`;

/** What stands at rows that a broken batch never reached. */
const NEVER_REACHED: RowFailure = {
  reason: 'Processing stopped before this row',
  gatewayCode: null,
  gatewayMessage: null,
  retryable: true,
};

/** The whole of Results: the header and a line for each row, without a line end after the last. */
export function resultsText(world: World, batch: Batch): string {
  return RESULTS_HEADER + resultLines(world, batch, 0, batch.count);
}

/** The lines of rows, each with a line end in front, as of the moment when the record was read. */
export function resultLines(world: World, batch: Batch, from: number, to: number): string {
  const { text, starts, outcome, charge } = batch.rows;
  const failed = batch.rows.failures.map(failedCells);
  const waiting = batch.status === 'FAILED' ? failedCells(NEVER_REACHED) : `,${batch.status},,,,,`;
  let lines = '';
  for (let row = from; row < to; row++) {
    lines += `\n${rowContent(text, starts[row] ?? 0, starts[row + 1] ?? 0)}`;
    if (row >= batch.done) lines += waiting;
    else if (outcome[row] === 0) lines += `,SUCCESS,${world.charges.at((charge[row] ?? 0) - 1)?.id},,,,`;
    else lines += failed[(outcome[row] ?? 0) - 1];
  }
  return lines;
}

function failedCells({ reason, gatewayCode, gatewayMessage, retryable }: RowFailure): string {
  const cells = [reason, gatewayCode ?? '', gatewayMessage ?? ''].map(quoteField).join(',');
  return `,FAILED,,${cells},${retryable}`;
}

/** The four fields of a row, quoted where they need it. */
function rowContent(text: string, from: number, next: number): string {
  const content = rowText(text, from, next);
  // Without a quote or a return there is nothing to unquote, or to quote.
  return /["\r]/.test(content) ? splitRow(content).map(quoteField).join(',') : content;
}
