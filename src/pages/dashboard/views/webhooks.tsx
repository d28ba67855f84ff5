import { toListQuery } from '../state/route.js';
import { store } from '../state/store.js';
import { type DeliveriesResponse, type Delivery, readTextAt } from '../state/wire.js';
import { formatSpan } from '../text/format.js';
import {
  groupResent,
  nameDeliveryStatus,
  type RepeatedDelivery,
  WEBHOOK_STATUSES,
  WEBHOOK_WORDS,
} from '../text/webhooks.js';
import { NewRowsButton, useHeldRows } from '../ui/held-rows.js';
import { List } from '../ui/list.js';
import { Mark, StatusMark } from '../ui/marks.js';
import type { ListDescription } from './records/columns.js';
import { ListView } from './records/records.js';
import { ReceiverTable, ResendAll, shortenAddress } from './receivers.js';
import { ReferenceLink } from './reference-link.js';
import { EventTime, dayAndMode, openRowHref } from './rows.js';

const PAGE = 100;

const WEBHOOKS: ListDescription = {
  view: 'webhooks',
  name: 'Webhooks',
  one: 'webhook',
  many: 'webhooks',
  filters: [
    { name: 'Search', label: 'Filter webhooks' },
    { name: 'Status', label: 'Status', options: WEBHOOK_STATUSES, words: WEBHOOK_WORDS },
    { name: 'Url', label: 'Address, * for any characters' },
    { name: 'Reference', label: 'Reference' },
  ],
};

export function WebhooksView() {
  const loaded = store.cache.read<DeliveriesResponse>(`/webhooks?${toListQuery(store.route.value, PAGE)}`);
  return (
    <ListView
      listing={WEBHOOKS}
      loaded={loaded}
      show={({ Deliveries, Receivers }) => (
        <>
          <ReceiverTable receivers={Receivers} />
          <WebhookList newest={Deliveries} />
        </>
      )}
    >
      <ResendAll receivers={loaded.data?.Receivers ?? []} />
    </ListView>
  );
}

function WebhookList({ newest }: { newest: readonly Delivery[] }) {
  const { query } = store.route.value;
  const open = query.get('open');
  const about = `${store.keyring.name ?? ''} ${toListQuery(store.route.value, PAGE)}`;
  const { rows, release } = useHeldRows(newest, open !== null, about);
  const known = new Map(newest.map((delivery) => [delivery.DeliveryId, delivery]));
  const listed = new Set(rows.map(({ DeliveryId }) => DeliveryId));
  const missed = newest.filter(
    ({ DeliveryId, ResendOf }) => !listed.has(DeliveryId) && ResendOf === null,
  ).length;
  // Rows stay in their places while one is read, but show the latest attempts.
  const fresh = rows.map((delivery) => known.get(delivery.DeliveryId) ?? delivery);
  const added = newest.filter(({ DeliveryId, ResendOf }) => !listed.has(DeliveryId) && ResendOf !== null);
  return (
    <>
      <NewRowsButton count={missed} noun={missed === 1 ? ' webhook' : ' webhooks'} show={release} />
      <List
        label="Webhooks, newest first"
        rows={groupResent([...added, ...fresh])}
        idOf={({ id }) => id}
        open={open}
        choose={(id) => store.changeQuery({ open: id })}
        hrefOf={openRowHref}
        show={(sent) => <DeliveryRow sent={sent} />}
        about={`${dayAndMode()} ${JSON.stringify(newest.map(({ Attempt, Status: s }) => [Attempt, s]))}`}
      />
    </>
  );
}

function DeliveryRow({ sent: { all } }: { sent: RepeatedDelivery }) {
  const [last] = all;
  const first = all.at(-1);
  if (first === undefined || last === undefined) return null;
  return (
    <>
      <EventTime at={first.At} />
      <span class="cut path-of">
        <b>
          <ReferenceLink reference={readTextAt(first.Body, 'data', 'reference')} isInRow />
        </b>{' '}
        {first.EventType}
      </span>
      <span class="said">
        <StatusMark status={nameDeliveryStatus(last)} />
      </span>
      <span class="about attempts">
        <AttemptMarks deliveries={all} />
      </span>
      <code class="cut why" title={first.Url}>
        {shortenAddress(first.Url)}
      </code>
    </>
  );
}

/** How many attempts a row draws, the latest ones. */
const DRAWN_MAX = 3;

/** The latest attempts, and the next one: ✗ 503, ✗ 503, in 5 min. */
function AttemptMarks({ deliveries }: { deliveries: readonly Delivery[] }) {
  const tried = deliveries.toReversed().flatMap(({ Attempts: some }) => some);
  const hidden = Math.max(0, tried.length - DRAWN_MAX);
  const due = deliveries.find(({ NextAttemptAt }) => NextAttemptAt !== null)?.NextAttemptAt ?? null;
  return (
    <>
      {hidden > 0 ? <span class="soft">{hidden} earlier</span> : null}
      {tried.slice(hidden).map(({ Status: status, ResponseStatus, At: at }, n) => (
        <Mark
          key={`${at} ${n}`}
          tone={status === 'delivered' ? 'good' : 'bad'}
          text={`${status === 'delivered' ? '✓' : '✗'} ${ResponseStatus ?? 'no answer'}`}
        />
      ))}
      {due === null ? null : (
        <span class="mark due">
          ◌ <DueIn at={due} />
        </span>
      )}
    </>
  );
}

function DueIn({ at }: { at: string }) {
  const left = Date.parse(at) - store.now.value;
  return <>{left <= 0 ? 'now' : `in ${formatSpan(left)}`}</>;
}
