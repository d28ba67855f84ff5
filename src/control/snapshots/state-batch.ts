import { indexRows } from '../../resources/batches/csv.js';
import { type Batch, batchFields, type BatchRows, rowFields } from '../../records/batch.js';
import { ApiError } from '../../core/errors.js';
import type { SourceLinks } from '../../records/payment-method.js';
import type { TableName } from '../../world/tables.js';
import { codecOf } from './state-links.js';
import * as field from '../../core/store/field.js';

/** A batch in a document: its results as bytes, without the offsets of its rows, which are computed again. */
const stored = field.record({ ...batchFields(), ...rowFields });

const batch: field.Codec<Omit<Batch, 'id' | 'index'>> = {
  read: (value) => {
    const { text, outcome, charge, failures, ...rest } = stored.read(value);
    return { ...rest, rows: rowsOf(rest, { text, outcome, charge, failures }) };
  },
  write: ({ rows, ...rest }) =>
    stored.write({
      ...rest,
      text: rows.text,
      outcome: bytesOf(rows.outcome.subarray(0, rest.done)),
      charge: bytesOf(rows.charge.subarray(0, rest.done)),
      failures: rows.failures,
    }),
};

type StoredRows = Pick<field.ValueOf<typeof stored>, keyof typeof rowFields>;

function rowsOf(
  { count, done }: Pick<Batch, 'count' | 'done'>,
  { text, outcome, charge, failures }: StoredRows,
): BatchRows {
  if (done > count) field.invalid(`has Done ${done}, which is more than its Count ${count}`);
  const rows = {
    text,
    starts: startsIn(text, count),
    outcome: new Uint16Array(count),
    charge: new Uint32Array(count),
    failures: [...failures],
  };
  field.within('Outcome', () => fill(rows.outcome, outcome, done), outcome);
  field.within('Charge', () => fill(rows.charge, charge, done), charge);
  return rows;
}

function startsIn(text: string, count: number): Uint32Array {
  try {
    return indexRows(text, count);
  } catch (error) {
    // The text gets the same checks and messages as that of a new batch.
    if (error instanceof ApiError) field.invalid(`is invalid: ${error.refusal.detail}`);
    throw error;
  }
}

function fill(numbers: Uint16Array | Uint32Array, bytes: Uint8Array, done: number): void {
  const width = numbers.BYTES_PER_ELEMENT;
  if (bytes.length !== done * width)
    field.invalid(`has ${bytes.length} bytes; it must have ${done * width} for ${done} rows`);
  for (let row = 0; row < done; row++) {
    let value = 0;
    for (let byte = width - 1; byte >= 0; byte--) value = value * 256 + (bytes[row * width + byte] ?? 0);
    numbers[row] = value;
  }
}

function bytesOf(numbers: Uint16Array | Uint32Array): Uint8Array {
  const width = numbers.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(numbers.length * width);
  let at = 0;
  for (const number of numbers)
    for (let byte = 0; byte < width; byte++) bytes[at++] = (number >>> (8 * byte)) & 0xff;
  return bytes;
}

/** How the records of a table are written: field by field, and a batch with its rows. */
export function storedCodec(table: TableName, links: SourceLinks): field.Codec<object> {
  return table === 'batches' ? (batch as field.Codec<object>) : codecOf(table, links);
}
