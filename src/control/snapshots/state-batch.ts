import { indexRows } from '../../resources/batches/csv.js';
import { type Batch, batchFields, type BatchRows, rowFields } from '../../records/batch.js';
import { ApiError } from '../../core/errors.js';
import type { SourceLinks } from '../../records/payment-method.js';
import type { TableName } from '../../world/tables.js';
import { recordCodec } from './state-links.js';
import * as field from '../../core/store/field.js';

/** A batch in a document: its results as bytes, without the offsets of its rows, which are computed again. */
const storedBatchCodec = field.record({ ...batchFields(), ...rowFields });

type StoredBatch = field.ValueOf<typeof storedBatchCodec>;

/** How the records of a table are written: field by field, and a batch with its rows. */
export function recordCodecWithRows(table: TableName, links: SourceLinks): field.Codec<object> {
  return table === 'batches' ? (batchCodec(links) as field.Codec<object>) : recordCodec(table, links);
}

function batchCodec(links: SourceLinks): field.Codec<Omit<Batch, 'id' | 'index'>> {
  const toCharge = links.to('charges');
  return {
    read: (value) => {
      const { text, outcome, charge, failures, ...rest } = storedBatchCodec.read(value);
      const rows = readBatchRows({ ...rest, text, outcome, charge, failures });
      // A reader of a row looks up its charge by the number.
      for (const number of rows.charge) if (number > 0) field.readAt('Charge', toCharge.read, number - 1);
      return { ...rest, rows };
    },
    write: ({ rows, ...rest }) =>
      storedBatchCodec.write({
        ...rest,
        text: rows.text,
        outcome: writeNumbers(rows.outcome.subarray(0, rest.done)),
        charge: writeNumbers(rows.charge.subarray(0, rest.done)),
        failures: rows.failures,
      }),
  };
}

function readBatchRows({
  text,
  count,
  done,
  success,
  failure,
  outcome,
  charge,
  failures,
}: StoredBatch): BatchRows {
  if (done > count) field.invalid(`has Done ${done}, which is more than its Count ${count}`);
  // Processing goes on from these numbers. Others could become negative, and could not be read again.
  if (success + failure !== done)
    field.invalid(`has Success ${success} and Failure ${failure}, but Done ${done}`);
  const rows = {
    text,
    starts: indexRowStarts(text, count),
    outcome: new Uint16Array(count),
    charge: new Uint32Array(count),
    failures: [...failures],
  };
  field.readAt('Outcome', () => readNumbers(rows.outcome, outcome, done), outcome);
  field.readAt('Charge', () => readNumbers(rows.charge, charge, done), charge);
  const wrong = rows.outcome.findIndex((number) => number > failures.length);
  if (wrong >= 0) field.invalid(`refers to a failure for row ${wrong} that is not in Failures`);
  return rows;
}

function indexRowStarts(text: string, count: number): Uint32Array {
  try {
    return indexRows(text, count);
  } catch (error) {
    // The text gets the same checks and messages as that of a new batch.
    if (error instanceof ApiError) field.invalid(`is invalid: ${error.refusal.detail}`);
    throw error;
  }
}

type RowNumbers = Uint16Array | Uint32Array;

function viewBytes({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Reads the numbers of the first `done` rows, the least byte first. */
function readNumbers(numbers: RowNumbers, bytes: Uint8Array, done: number): void {
  const width = numbers.BYTES_PER_ELEMENT;
  if (bytes.length !== done * width)
    field.invalid(`has ${bytes.length} bytes; it must have ${done * width} for ${done} rows`);
  const view = viewBytes(bytes);
  for (let row = 0; row < done; row++)
    numbers[row] = width === 2 ? view.getUint16(row * width, true) : view.getUint32(row * width, true);
}

function writeNumbers(numbers: RowNumbers): Uint8Array {
  const width = numbers.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(numbers.length * width);
  const view = viewBytes(bytes);
  for (const [row, number] of numbers.entries()) {
    if (width === 2) view.setUint16(row * width, number, true);
    else view.setUint32(row * width, number, true);
  }
  return bytes;
}
