import type { World } from '../world.js';
import { HEADER, quoteField, rowEnd, splitRow, UTF8 } from './csv.js';
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
  const { starts, outcome, charge } = batch.rows;
  const contents = new RowContents(batch, from, to);
  const failed = batch.rows.failures.map(failedCells);
  const waiting = batch.status === 'FAILED' ? failedCells(NEVER_REACHED) : `,${batch.status},,,,,`;
  let lines = '';
  for (let row = from; row < to; row++) {
    lines += `\n${contents.of(starts[row] ?? 0, starts[row + 1] ?? 0)}`;
    if (row >= batch.done) lines += waiting;
    else if (outcome[row] === 0) lines += `,SUCCESS,${world.charges.idOf((charge[row] ?? 0) - 1)},,,,`;
    else lines += failed[(outcome[row] ?? 0) - 1];
  }
  return lines;
}

function failedCells({ reason, gatewayCode, gatewayMessage, retryable }: RowFailure): string {
  const cells = [reason, gatewayCode ?? '', gatewayMessage ?? ''].map(quoteField).join(',');
  return `,FAILED,,${cells},${retryable}`;
}

/** The rows' own four fields, quoted where they need it; a run of rows is decoded at once. */
class RowContents {
  private readonly text: Uint8Array;
  private readonly offset: number;
  /** The run, where it has ASCII alone and offsets in text and bytes agree. */
  private readonly ascii: string | null;
  /** Whether the rows may stand as they came: there is nothing to unquote, or to quote. */
  private readonly isPlain: boolean;

  constructor({ rows }: Batch, from: number, to: number) {
    const end = rows.starts[to] ?? 0;
    this.text = rows.text;
    this.offset = rows.starts[from] ?? 0;
    const run = UTF8.decode(rows.text.subarray(this.offset, end));
    this.ascii = run.length === end - this.offset ? run : null;
    this.isPlain = !run.includes('"') && !run.includes('\r');
  }

  of(from: number, next: number): string {
    const to = rowEnd(this.text, from, next);
    const content =
      this.ascii === null
        ? UTF8.decode(this.text.subarray(from, to))
        : this.ascii.slice(from - this.offset, to - this.offset);
    return this.isPlain ? content : splitRow(content).map(quoteField).join(',');
  }
}
