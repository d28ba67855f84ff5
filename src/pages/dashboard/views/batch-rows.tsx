import { type Column, failedRows, type Filter } from '../ui/columns.js';
import { counted, shortId } from '../text/format.js';
import { Filters, Pager, Table, useListed } from '../ui/lists.js';
import { WhenLoaded, Status } from '../ui/parts.js';
import { hrefOf } from '../state/route.js';
import { type BatchRowsResponse, type Fields, textOf } from '../state/wire.js';

type Row = BatchRowsResponse['Rows'][number];

const FILTERS: readonly Filter[] = [{ name: 'Status', label: 'Status', options: ['SUCCESS', 'FAILED'] }];

/** Rows may name payment methods that cannot exist. */
const IDENTIFIER = /^[0-9a-f]{32}$/;

const linkColumn = (name: string, view: string, idOf: (row: Row) => string | null): Column<Row> => ({
  name,
  needsName: true,
  show: (row) => {
    const id = idOf(row);
    if (id === null || !IDENTIFIER.test(id)) return id ?? '';
    return <a href={hrefOf(view, id)}>{shortId(id)}</a>;
  },
});

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Row', isNumber: true, needsName: true, show: (row) => row.Row },
  { name: 'Status', show: (row) => <Status of={row.Status} /> },
  { name: 'Reason', isWrapped: true, show: reasonOf },
  { name: 'Amount', isNumber: true, show: ({ Currency, Amount }) => `${Currency} ${Amount}` },
  { name: 'Reference', isShortened: true, show: ({ Reference }) => Reference },
  linkColumn('Charge', 'charges', ({ ChargeId }) => ChargeId),
  linkColumn('Payment method', 'payment-methods', ({ PaymentMethodId }) => PaymentMethodId),
];

function reasonOf({ FailureReason, GatewayErrorCode, GatewayErrorResponse, IsRetryable }: Row): string {
  const gateway = [GatewayErrorCode, GatewayErrorResponse].filter(Boolean).join(' ');
  const said = gateway === '' ? FailureReason : `${FailureReason} (gateway: ${gateway})`;
  return [said, IsRetryable === true ? 'retryable' : null].filter(Boolean).join(', ');
}

export function BatchRows({ id, batch }: { id: string; batch: Fields }) {
  const missed = Number(failedRows(batch)) - Number(textOf(batch, 'Failure'));
  return (
    <section class="stack">
      <div class="title row">
        <h2>Rows</h2>
        <Filters of={FILTERS} />
      </div>
      {missed === 0 ? null : (
        <p class="soft">
          Processing stopped before {counted(missed, 'row')}. As in Results, they count as failed.
        </p>
      )}
      <WhenLoaded
        of={useListed<BatchRowsResponse>(`/records/batches/${encodeURIComponent(id)}/rows`)}
        show={(page) =>
          page.Count === 0 ? (
            <p class="soft">No rows match.</p>
          ) : (
            <>
              <Table label="Rows" columns={COLUMNS} rows={page.Rows} keyOf={({ Row }) => String(Row)} />
              <Pager page={page} words={['Previous', 'Next']} />
            </>
          )
        }
      />
    </section>
  );
}
