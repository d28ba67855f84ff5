import { fetchControl } from '../../state/api.js';
import { toListQuery, viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import { type BatchRowsResponse, type RecordJson, readTextAt } from '../../state/wire.js';
import { formatQuantity, abbreviateId } from '../../text/format.js';
import { Filters } from '../../ui/fields.js';
import { saveFile } from '../../ui/save.js';
import { StatusMark } from '../../ui/marks.js';
import { WhenLoaded } from '../../ui/panel.js';
import { type Column, Pager, DataTable } from '../../ui/table.js';
import { BatchBar, countRows } from './batch-bar.js';
import { PAGE } from './records.js';
import { ReferenceLink } from '../reference-link.js';
import { filterBy, pageHref } from '../rows.js';

type BatchTableRow = BatchRowsResponse['Rows'][number];

const FILTERS = [{ name: 'Status', label: 'Status', options: ['SUCCESS', 'FAILED'] }];

interface BatchProps {
  readonly id: string;
  readonly batch: RecordJson;
}

/** How far a batch is, why rows failed, and the rows. */
export function BatchProgress({ id, batch }: BatchProps) {
  const { count, good, bad, left } = countRows(batch);
  const missed = bad - Number(readTextAt(batch, 'Failure'));
  const path = `/records/batches/${encodeURIComponent(id)}/rows`;
  const rows = store.cache.read<BatchRowsResponse>(`${path}?${toListQuery(store.route.value, PAGE)}`);
  return (
    <section class="stack" aria-label="Progress">
      <p class="figures row">
        <BatchBar batch={batch} />
        <span>
          <b class="good">{good}</b> succeeded, <b class="bad">{bad}</b> failed, <b>{left}</b> left of{' '}
          {formatQuantity(count, 'row')}
        </span>
      </p>
      <div class="row between">
        <h2>Rows</h2>
        <button type="button" onClick={() => void downloadRows(id, path)}>
          Download as CSV
        </button>
      </div>
      <Filters filters={FILTERS} values={store.route.value.query} changed={filterBy} />
      {missed === 0 ? null : (
        <p class="soft">
          Processing stopped before {formatQuantity(missed, 'row')}. As in Results, they count as failed.
        </p>
      )}
      <FailureReasons reasons={rows.data?.Reasons ?? []} />
      <WhenLoaded
        loaded={rows}
        show={(page) =>
          page.Count === 0 ? (
            <p class="soft">No rows match.</p>
          ) : (
            <>
              <DataTable label="Rows" columns={COLUMNS} rows={page.Rows} keyOf={({ Row: n }) => String(n)} />
              <Pager page={page} hrefAt={pageHref} words={['Previous', 'Next']} />
            </>
          )
        }
      />
    </section>
  );
}

/** Why rows failed, the most frequent reason first. */
function FailureReasons({ reasons }: { reasons: BatchRowsResponse['Reasons'] }) {
  if (reasons.length === 0) return null;
  return (
    <ul class="row dots" aria-label="Why rows failed">
      {reasons.map(({ Reason, Count }) => (
        <li key={Reason}>
          {Reason} <b class="bad">{Count.toLocaleString('en-GB')}</b>
        </li>
      ))}
    </ul>
  );
}

/** Rows may name payment methods that cannot exist. */
const IDENTIFIER = /^[0-9a-f]{32}$/;

const rowLinkColumn = (
  name: string,
  view: string,
  idOf: (row: BatchTableRow) => string | null,
): Column<BatchTableRow> => ({
  name,
  show: (row) => {
    const id = idOf(row);
    if (id === null || !IDENTIFIER.test(id)) return id ?? '';
    return <a href={viewHref(view, id)}>{abbreviateId(id)}</a>;
  },
});

const COLUMNS: readonly Column<BatchTableRow>[] = [
  { name: 'Row', isNumber: true, show: (row) => row.Row },
  { name: 'Status', show: (row) => <StatusMark status={row.Status} /> },
  { name: 'Reason', isWrapped: true, show: whyFailed },
  { name: 'Amount', isNumber: true, show: ({ Currency, Amount }) => `${Currency} ${Amount}` },
  { name: 'Reference', show: ({ Reference }) => <ReferenceLink reference={Reference} /> },
  rowLinkColumn('Charge', 'charges', ({ ChargeId }) => ChargeId),
  rowLinkColumn('Payment method', 'payment-methods', ({ PaymentMethodId }) => PaymentMethodId),
];

function whyFailed({
  FailureReason,
  GatewayErrorCode,
  GatewayErrorResponse,
  IsRetryable,
}: BatchTableRow): string {
  const gateway = [GatewayErrorCode, GatewayErrorResponse].filter(Boolean).join(' ');
  const reason = gateway === '' ? FailureReason : `${FailureReason} (gateway: ${gateway})`;
  return [reason, IsRetryable === true ? 'may succeed later' : null].filter(Boolean).join(', ');
}

/** How many rows are asked for at once. */
const CHUNK = 500;

async function downloadRows(id: string, path: string): Promise<void> {
  const rows: BatchTableRow[] = [];
  for (let count = Infinity; rows.length < count;) {
    const pagePath = `${path}?Limit=${CHUNK}&Skip=${rows.length}`;
    const page = (await fetchControl(store.access, 'GET', pagePath)) as BatchRowsResponse;
    rows.push(...page.Rows);
    count = page.Rows.length === 0 ? rows.length : page.Count;
  }
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => Object.values(row).map(quoteCsvField).join(','));
  saveFile(
    `batch-${abbreviateId(id).slice(0, 8)}.csv`,
    [names.join(','), ...lines, ''].join('\r\n'),
    'text/csv',
  );
}

function quoteCsvField(value: BatchTableRow[keyof BatchTableRow]): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
