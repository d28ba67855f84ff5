import { useState } from 'preact/hooks';

import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { BriefCall, CallPage, FindingsResponse, RecordDetail, RecordPage } from '../state/wire.js';
import { readTextAt } from '../state/wire.js';
import type { ChargeHistory } from '../text/charge.js';
import { capitalise, formatMoneyValue } from '../text/format.js';
import {
  buildOrderWaterfall,
  isAboutOrder,
  listLookups,
  mergeTimelines,
  sumOrder,
  toTimelineItem,
  type OrderSum,
} from '../text/order/order.js';
import { buildSequence } from '../text/order/sequence.js';
import { EmptyPanel, Title, WhenLoaded } from '../ui/panel.js';
import { SequenceDiagram } from '../ui/sequence.js';
import { DataTable } from '../ui/table.js';
import { CallInspector } from './call.js';
import { DeliveryInspector } from './delivery.js';
import { ChargeWaterfall } from './records/charge.js';
import { KINDS } from './records/kinds.js';
import { advanceClock } from './send.js';

/** How many charges of one order are summed, and how many of them are shown, the newest ones; and how many of its calls. */
const CHARGES_SUMMED_MAX = 500;
const CHARGES_MAX = 20;
const CALLS_MAX = 100;

/** All that the world knows of one Reference: its money, charges, calls, webhooks and challenges. */
export function OrderView({ reference }: { reference: string }) {
  const query = new URLSearchParams({ Reference: reference, Limit: String(CHARGES_SUMMED_MAX) });
  return (
    <WhenLoaded
      loaded={store.cache.read<RecordPage>(`/records/charges?${query}`)}
      show={(page) => <OrderPage reference={reference} page={page} />}
    />
  );
}

interface OrderPageProps {
  readonly reference: string;
  readonly page: RecordPage;
}

function OrderPage({ reference, page: { Records, Count } }: OrderPageProps) {
  const charges = Records.slice(0, CHARGES_MAX);
  const histories = readHistories(charges);
  const { calls, isCut } = readCalls(reference);
  const { query } = store.route.value;
  const open = query.get('open') ?? '';
  const isEmpty = charges.length === 0 && calls.length === 0;
  return (
    <div class="investigating">
      <div class="investigate">
        <div class="charge">
          <OrderHead reference={reference} sums={sumOrder(Records)} />
          {Count > Records.length ? <p class="soft">Sums of the newest {Records.length} charges.</p> : null}
          {isEmpty ? <EmptyPanel title="This world has no charge and no call with this Reference." /> : null}
          {charges.length === 0 ? null : (
            <DataTable
              label="Charges of the order"
              columns={CHARGE_COLUMNS}
              rows={charges}
              keyOf={(charge) => readTextAt(charge, 'ChargeId')}
            />
          )}
          {Count > charges.length ? (
            <p class="soft">
              The newest {charges.length} of {Count} charges.{' '}
              <a href={viewHref('charges', null, { Reference: reference })}>Show all</a>
            </p>
          ) : null}
          {isCut ? <p class="soft">The newest {CALLS_MAX} of its calls and look-ups.</p> : null}
          {isEmpty ? null : <OrderHistory histories={histories} calls={calls} open={open} />}
        </div>
        {/^\d+$/.test(open) ? (
          <CallInspector key={open} entry={open} />
        ) : open === '' ? null : (
          <DeliveryInspector key={open} id={open} />
        )}
      </div>
    </div>
  );
}

const CHARGE_COLUMNS = (KINDS[0]?.columns ?? []).filter(({ name }) => name !== 'Reference');

/** The charges with their histories, as far as these have arrived, the oldest first. */
function readHistories(charges: RecordPage['Records']): ChargeHistory[] {
  return charges.toReversed().flatMap((charge) => {
    const path = `/records/charges/${readTextAt(charge, 'ChargeId')}`;
    const { data } = store.cache.read<RecordDetail>(path);
    if (data === null) return [];
    const { Record: record, Timeline: timeline, Decisions: decisions } = data;
    return [{ record, timeline, decisions, now: store.now.value }];
  });
}

/** The calls with the Reference, and those that looked it up; `isCut`: there are more. */
function readCalls(reference: string): { readonly calls: readonly BriefCall[]; readonly isCut: boolean } {
  const pages = [['Reference', reference] as const, ...listLookups(reference)].map(([name, value]) => {
    const query = new URLSearchParams({ [name]: value, Brief: 'true', Limit: String(CALLS_MAX) });
    return store.cache.read<CallPage>(`/journal?${query}`).data ?? { Entries: [], Count: 0 };
  });
  return {
    calls: pages.flatMap(({ Entries }) => Entries).filter((call) => isAboutOrder(call, reference)),
    isCut: pages.some(({ Entries, Count }) => Count > Entries.length),
  };
}

function OrderHead({ reference, sums }: { reference: string; sums: readonly OrderSum[] }) {
  const { data } = store.cache.read<FindingsResponse>('/findings');
  const finding = data?.Findings.find(({ Reference }) => Reference === reference);
  return (
    <div class="head">
      <p>
        <a href={viewHref('charges')}>Charges</a> › Order
      </p>
      <Title text={reference} isFigure />
      {finding === undefined ? null : (
        <p class="bad strong">
          <bdi>{finding.Message}</bdi>
        </p>
      )}
      <dl class="sums row">
        {sums.map(({ currency, ...sum }) =>
          (['taken', 'returned', 'held'] as const).map((name) => (
            <div key={`${currency} ${name}`}>
              <dt class="soft">{capitalise(name)}</dt>
              <dd class="num">{formatMoneyValue(sum[name], currency)}</dd>
            </div>
          )),
        )}
      </dl>
    </div>
  );
}

const TABS = ['Waterfall', 'Sequence'] as const;

interface OrderHistoryProps {
  readonly histories: readonly ChargeHistory[];
  readonly calls: readonly BriefCall[];
  readonly open: string;
}

function OrderHistory({ histories, calls, open }: OrderHistoryProps) {
  const [isBusy, setBusy] = useState(false);
  const { query, id, view } = store.route.value;
  const tab = query.get('tab') ?? TABS[0];
  const others = calls.map(toTimelineItem);
  const run = (to: string): void => {
    setBusy(true);
    void advanceClock({ To: to }).finally(() => setBusy(false));
  };
  return (
    <>
      <ul class="tabs">
        {TABS.map((name) => (
          <li key={name}>
            <a href={viewHref(view, id, { tab: name })} aria-current={name === tab ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      {tab === 'Sequence' ? (
        <SequenceDiagram
          arrows={buildSequence(
            mergeTimelines(
              histories.map(({ timeline }) => timeline),
              others,
            ),
          )}
        />
      ) : (
        <ChargeWaterfall
          build={(isWhole) => buildOrderWaterfall(histories, calls, store.now.value, isWhole)}
          now={store.now.value}
          open={open}
          isBusy={isBusy}
          act={(act) => (act.does === 'run' ? run(act.to) : undefined)}
        />
      )}
    </>
  );
}
