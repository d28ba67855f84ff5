import { BatchRows } from './batch-rows.js';
import type { Kind } from '../ui/columns.js';
import { ExchangeDetail, NamedRecords } from './exchange.js';
import { capital, dateTime, LONG_ID, shortId, duration } from '../text/format.js';
import { ListView, Table, useListed } from '../ui/lists.js';
import {
  Act,
  Badge,
  Copy,
  Facts,
  Json,
  WhenLoaded,
  Title,
  type Tone,
  useStore,
  Waiting,
} from '../ui/parts.js';
import { hrefOf } from '../state/route.js';
import {
  type Exchange,
  type RecordDetail,
  type Fields,
  type RecordPage,
  textOf,
  type TimelineItem,
} from '../state/wire.js';

export function RecordsView({ kind }: { kind: Kind }) {
  return (
    <ListView
      listing={kind}
      of={useListed<RecordPage>(`/records/${kind.view}`)}
      show={({ Records }) => (
        <Table
          label={kind.name}
          columns={kind.columns}
          rows={Records}
          keyOf={(record) => textOf(record, kind.idName)}
        />
      )}
    />
  );
}

export function RecordView({ kind }: { kind: Kind }) {
  const { cache, route } = useStore();
  const id = route.id ?? '';
  return (
    <>
      <p>
        <a href={hrefOf(kind.view)}>← {kind.name}</a>
      </p>
      <Title text={capital(kind.one)} />
      <p class="row">
        <code>{id}</code> <Copy text={id} of="the identifier" />
      </p>
      <WhenLoaded
        of={cache.read<RecordDetail>(`/records/${kind.view}/${encodeURIComponent(id)}`)}
        show={(looked) => <Record kind={kind} id={id} looked={looked} />}
      />
    </>
  );
}

function Record({ kind, id, looked }: { kind: Kind; id: string; looked: RecordDetail }) {
  const { Record: record, Timeline: items } = looked;
  return (
    <>
      <Facts of={kind.columns.slice(1).map(({ name, show }) => [name, show(record)])} />
      <Actions kind={kind} id={id} record={record} />
      <div class="columns">
        <section class="stack">
          <h2>Timeline</h2>
          <Timeline items={items} />
        </section>
        <section class="stack">
          <h2>As the service returns it</h2>
          <Json value={record} of={kind.one} />
        </section>
      </div>
      {kind.view === 'batches' ? <BatchRows id={id} batch={record} /> : null}
    </>
  );
}

function Actions({ kind, id, record }: { kind: Kind; id: string; record: Fields }) {
  return (
    <p class="row">
      {kind.simulations?.map(({ action, label, fits }) =>
        fits(record) ? (
          <Act
            key={action}
            method="POST"
            path="/simulate"
            body={{ Action: action, Ref: id }}
            done={`${label}: done.`}
          >
            {label}
          </Act>
        ) : null,
      )}
      <NamedRecords by={record} own={kind.view} />
      {kind.related?.map(([view, label]) => (
        <a key={view} href={hrefOf(view, null, { [kind.idName]: id })}>
          {label}
        </a>
      ))}
    </p>
  );
}

export function ExchangeView() {
  const { cache, route } = useStore();
  const { data, error } = cache.read<Exchange>(`/journal/${encodeURIComponent(route.id ?? '')}`, 'lasting');
  return (
    <>
      <p>
        <a href={hrefOf('live')}>← Live</a>
      </p>
      <Title text={data === null ? 'Exchange' : `${data.Method} ${data.Path}`} />
      {data === null ? (
        <Waiting error={error} />
      ) : (
        <p class="soft">{dateTime(data.At)} by the world’s clock</p>
      )}
      {data === null ? null : <ExchangeDetail exchange={data} />}
    </>
  );
}

const MARKS: Readonly<Record<TimelineItem['What'], readonly [word: string, tone: Tone]>> = {
  added: ['created', 'info'],
  changed: ['changed', 'info'],
  failed: ['failed', 'bad'],
  ended: ['ended', 'good'],
  due: ['due', 'warn'],
  call: ['call', 'idle'],
  webhook: ['webhook', 'idle'],
  attempt: ['attempt', 'idle'],
};

export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol class="stack">
      {items.map((item, n) => {
        const [word, tone] = MARKS[item.What];
        return (
          <li key={String(n)} class="happened row">
            <time class="at">{dateTime(item.At)}</time>
            <Badge tone={tone} text={word} />
            <span class="text">
              <Text item={item} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Text({ item }: { item: TimelineItem }) {
  const { now } = useStore();
  const { EntryId, DeliveryId, What, At } = item;
  const text = item.Text.replace(LONG_ID, shortId);
  if (What === 'due') return <>{`${text}: ${dueIn(Date.parse(At) - now)}`}</>;
  if (DeliveryId !== null) return <a href={hrefOf('webhooks')}>{text}</a>;
  return EntryId === null ? <>{text}</> : <a href={hrefOf('live', String(EntryId))}>{text}</a>;
}

function dueIn(ms: number): string {
  return ms <= 0 ? 'now' : `in ${duration(ms)}`;
}
