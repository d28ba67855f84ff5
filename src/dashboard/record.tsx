import type { Child } from 'hono/jsx/dom';

import type { Kind } from './columns.js';
import { ExchangeDetail } from './exchange.js';
import { dateTime, LONG_ID, shortId, span } from './format.js';
import { Copy, Json, Title, useStore, Waiting } from './parts.js';
import { hrefOf } from './route.js';
import type { Exchange, Looked, Members, TimelineItem } from './wire.js';

/** One record: what it is, what happened to it, and what can be made to happen. */
export function RecordView({ kind }: { kind: Kind }) {
  const { cache, route } = useStore();
  const id = route.id ?? '';
  const { data, error } = cache.read<Looked>(`/records/${kind.view}/${encodeURIComponent(id)}`);
  const title = kind.one.charAt(0).toUpperCase() + kind.one.slice(1);
  return (
    <>
      <p class="back">
        <a href={hrefOf(kind.view)}>← {kind.name}</a>
      </p>
      <Title text={title} />
      <p class="row">
        <code class="id">{id}</code> <Copy text={id} of="the identifier" />
      </p>
      {data === null ? <Waiting error={error} /> : <Record kind={kind} id={id} looked={data} />}
    </>
  );
}

function Record({ kind, id, looked }: { kind: Kind; id: string; looked: Looked }) {
  const { Record: record, Timeline: items } = looked;
  return (
    <>
      <dl class="facts">
        {kind.columns.slice(1).map(({ name, show, isWide }) =>
          isWide ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{orDash(show(record))}</dd>
            </div>
          ),
        )}
      </dl>
      {kind.columns.map(({ name, show, isWide }) =>
        isWide ? (
          <div key={name} class="wide">
            {show(record)}
          </div>
        ) : null,
      )}
      <Actions kind={kind} id={id} record={record} />
      <div class="bodies">
        <section>
          <h2>Timeline</h2>
          <Timeline items={items} />
        </section>
        <section>
          <h2>As the service shows it</h2>
          <Json value={record} of={kind.one} />
        </section>
      </div>
    </>
  );
}

/** An empty field is shown as a dash. */
function orDash(shown: Child): Child {
  return shown === '' ? '–' : shown;
}

function Actions({ kind, id, record }: { kind: Kind; id: string; record: Members }) {
  const store = useStore();
  const simulate = (action: string, label: string): void => {
    void store.act('POST', '/simulate', { Action: action, Ref: id }, () => `${label}: done.`);
  };
  return (
    <p class="row">
      {kind.simulations.map(({ action, label, fits }) =>
        fits(record) ? (
          <button key={action} type="button" onClick={() => simulate(action, label)}>
            {label}
          </button>
        ) : null,
      )}
      {kind.related.map(([view, label]) => (
        <a key={view} href={hrefOf(view, null, { [kind.idName]: id })}>
          {label}
        </a>
      ))}
    </p>
  );
}

/** One exchange of the journal, by itself. */
export function ExchangeView() {
  const { cache, route } = useStore();
  const { data, error } = cache.read<Exchange>(`/journal/${encodeURIComponent(route.id ?? '')}`);
  return (
    <>
      <p class="back">
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

/** What kind of thing happened, for those who do not see the mark. */
const MARKS: Readonly<Record<TimelineItem['What'], string>> = {
  added: 'made',
  changed: 'changed',
  failed: 'failed',
  ended: 'ended',
  due: 'due',
  call: 'call',
  webhook: 'webhook',
};

/** What happened, oldest first, by the world's clock. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol class="timeline">
      {items.map((item, n) => (
        <li key={String(n)} class={item.What}>
          <time>{dateTime(item.At)}</time>
          <span class="what">{MARKS[item.What]}</span>
          <span class="text">
            <Text item={item} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Text({ item }: { item: TimelineItem }) {
  const { now } = useStore();
  const { EntryId, DeliveryId, What, At } = item;
  const text = item.Text.replace(LONG_ID, shortId);
  if (EntryId !== null) return <a href={hrefOf('live', String(EntryId))}>{text}</a>;
  if (DeliveryId !== null) return <a href={hrefOf('webhooks')}>{text}</a>;
  return <>{What === 'due' ? `${text}: ${dueIn(Date.parse(At) - now)}` : text}</>;
}

function dueIn(ms: number): string {
  return ms <= 0 ? 'now' : `in ${span(ms)}`;
}
