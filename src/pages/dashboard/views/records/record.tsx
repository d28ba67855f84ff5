import { callHref, hrefOf } from '../../state/route.js';
import { store } from '../../state/store.js';
import { type Fields, fieldOf, type RecordDetail, textOf, type TimelineItem } from '../../state/wire.js';
import { capital, dateTime, duration, LONG_ID, shortId } from '../../text/format.js';
import { Copy, Mark, Status, Title, type Tone, WhenLoaded } from '../../ui/parts.js';
import { Batch } from './batch.js';
import type { Kind } from './columns.js';
import { KINDS } from './kinds.js';
import { RecordFields } from '../../ui/record-fields.js';
import { linkOf } from '../links.js';
import { Act } from '../rows.js';

/** The page of one record. */
export function RecordView({ kind, id }: { kind: Kind; id: string }) {
  return (
    <>
      <p>
        <a href={hrefOf(kind.view)}>← {kind.name}</a>
      </p>
      <WhenLoaded
        of={store.cache.read<RecordDetail>(`/records/${kind.view}/${encodeURIComponent(id)}`)}
        show={(detail) => <Found kind={kind} id={id} detail={detail} />}
      />
    </>
  );
}

function Found({ kind, id, detail: { Record: record, Timeline: items } }: FoundProps) {
  const status = textOf(record, 'Status');
  const own = ['Reference', 'Description', 'Title'].map((name) => textOf(record, name)).find(Boolean);
  const named = own ?? shortId(id);
  const words = [named, status].filter(Boolean).join(', ');
  return (
    <>
      <Title text={[capital(kind.one), own].filter(Boolean).join(' ')} window={words}>
        {status === '' ? null : <Status of={status} />}
      </Title>
      <p class="row">
        <code class="cut">{id}</code> <Copy text={id} of="the identifier" />
      </p>
      <Actions kind={kind} id={id} record={record} />
      {kind.view === 'batches' ? <Batch id={id} batch={record} timeline={items} /> : null}
      <section class="stack">
        <h2>Timeline</h2>
        <Timeline items={items} />
      </section>
      <RecordFields record={record} linkOf={linkOf} />
    </>
  );
}

interface FoundProps {
  readonly kind: Kind;
  readonly id: string;
  readonly detail: RecordDetail;
}

function Actions({ kind, id, record }: { kind: Kind; id: string; record: Fields }) {
  const page = kind.view === 'authentications' ? textOf(record, 'RedirectUrl') : '';
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
      {page === '' ? null : <a href={page}>Challenge page</a>}
      <NamedRecords by={record} own={kind.view} />
      {kind.related?.map(([view, label]) => (
        <a key={view} href={hrefOf(view, null, { [kind.idName]: id })}>
          {label}
        </a>
      ))}
      <a href={hrefOf('webhooks', null, { Ref: id })}>Webhooks</a>
    </p>
  );
}

const MARKS: Readonly<Record<TimelineItem['What'], readonly [word: string, tone: Tone]>> = {
  added: ['created', 'info'],
  changed: ['changed', 'info'],
  failed: ['failed', 'bad'],
  ended: ['ended', 'good'],
  due: ['due', 'due'],
  call: ['call', 'idle'],
  webhook: ['webhook', 'idle'],
  attempt: ['attempt', 'idle'],
};

function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol class="timeline">
      {items.map((item, n) => {
        const [word, tone] = MARKS[item.What];
        return (
          <li key={String(n)} class="happened row">
            <time class="num">{dateTime(item.At)}</time>
            <Mark tone={tone} text={word} />
            <span class="text">
              <Item item={item} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Item({ item }: { item: TimelineItem }) {
  const { EntryId, DeliveryId, What, At } = item;
  const text = item.Text.replace(LONG_ID, shortId);
  if (What === 'due') {
    const left = Date.parse(At) - store.now.value;
    return <>{`${text}: ${left <= 0 ? 'now' : `in ${duration(left)}`}`}</>;
  }
  if (DeliveryId !== null) return <a href={hrefOf('webhooks', null, { open: DeliveryId })}>{text}</a>;
  return EntryId === null ? <>{text}</> : <a href={callHref(EntryId)}>{text}</a>;
}

/** Links to the records whose identifiers a record contains, except those of its own kind. */
function NamedRecords({ by, own }: { by: unknown; own: string }) {
  return (
    <>
      {KINDS.map(({ idName, view, one }) => {
        const id = view === own ? '' : textOf(by, idName) || textOf(fieldOf(by, capital(one)), idName);
        return id === '' ? null : (
          <a key={view} href={hrefOf(view, id)}>
            {capital(one)}
          </a>
        );
      })}
    </>
  );
}
