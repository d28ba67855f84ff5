import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { callHref, viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import {
  type RecordJson,
  readField,
  type RecordDetail,
  readTextAt,
  type TimelineItem,
} from '../../state/wire.js';
import { capitalise, formatDateTime, formatSpan, LONG_ID, abbreviateId } from '../../text/format.js';
import { formatTime } from '../../text/when.js';
import { CopyButton } from '../../ui/copy.js';
import { Mark, StatusMark, type Tone } from '../../ui/marks.js';
import { EmptyPanel, Title, WhenLoaded } from '../../ui/panel.js';
import { SentenceText } from '../../ui/sentence.js';
import { StatePath } from '../../ui/state-path.js';
import {
  describeRecord,
  listRecordStates,
  listRecordSteps,
  type RecordHistory,
} from '../../text/record-story.js';
import type { RecordAction } from '../../text/steps.js';
import { BatchProgress } from './batch.js';
import type { KindDescription } from './columns.js';
import { KINDS } from './kinds.js';
import { RecordFields } from '../../ui/record-fields.js';
import { linkOf } from '../links.js';
import { performAction } from '../send.js';

/** The page of one record. */
export function RecordView({ kind, id }: { kind: KindDescription; id: string }) {
  return (
    <>
      <p>
        <a href={viewHref(kind.view)}>← {kind.name}</a>
      </p>
      <LoadedRecord
        kind={kind}
        id={id}
        show={(detail) => <RecordDetails kind={kind} id={id} detail={detail} />}
      />
    </>
  );
}

interface LoadedRecordProps {
  readonly kind: Pick<KindDescription, 'view' | 'one' | 'many'>;
  readonly id: string;
  readonly show: (detail: RecordDetail) => ComponentChildren;
}

/** A record with its history; if the world does not have it, why that may be. */
export function LoadedRecord({ kind: { view, one, many }, id, show }: LoadedRecordProps) {
  const loaded = store.cache.read<RecordDetail>(`/records/${view}/${encodeURIComponent(id)}`);
  if (loaded.error?.includes('This world has no') !== true) return <WhenLoaded loaded={loaded} show={show} />;
  const { value: replaced } = store.replaced;
  const why =
    replaced === null
      ? ''
      : `: it was ${replaced.How} at ${formatTime(new Date(replaced.at).toISOString())} UTC`;
  return (
    <EmptyPanel title={`No ${one} ${abbreviateId(id)} in this world${why}.`}>
      <p>
        <a href={viewHref(view)}>Show all {many}</a>
      </p>
    </EmptyPanel>
  );
}

function RecordDetails({ kind, id, detail: { Record: record, Timeline: items } }: RecordDetailsProps) {
  const status = readTextAt(record, 'Status');
  const own = ['Reference', 'Description', 'Title'].map((name) => readTextAt(record, name)).find(Boolean);
  const named = own ?? abbreviateId(id);
  const words = [named, status].filter(Boolean).join(', ');
  const history = { record, timeline: items, now: store.now.value };
  return (
    <>
      <Title text={[capitalise(kind.one), own].filter(Boolean).join(' ')} window={words}>
        {status === '' ? null : <StatusMark status={status} />}
      </Title>
      <p class="row">
        <code class="cut">{id}</code> <CopyButton text={id} subject="the identifier" />
      </p>
      <p>
        <SentenceText sentence={describeRecord(kind.view, history)} linkOf={linkOf} />
      </p>
      <RecordPath key={status} view={kind.view} history={history} />
      <RecordLinks kind={kind} id={id} record={record} />
      {kind.view === 'batches' ? <BatchProgress id={id} batch={record} /> : null}
      <section class="stack">
        <h2>Timeline</h2>
        <Timeline items={items} />
      </section>
      <RecordFields record={record} linkOf={linkOf} />
    </>
  );
}

interface RecordDetailsProps {
  readonly kind: KindDescription;
  readonly id: string;
  readonly detail: RecordDetail;
}

/** The states of a record, and what a person can do with it. */
function RecordPath({ view, history }: { view: string; history: RecordHistory }) {
  const [isBusy, setBusy] = useState(false);
  const states = listRecordStates(history);
  const steps = listRecordSteps(view, history);
  if (states.length + steps.length === 0) return null;
  const act = (what: RecordAction): void => {
    setBusy(true);
    void performAction(what).finally(() => setBusy(false));
  };
  return (
    <section aria-label="State">
      <StatePath
        nodes={states}
        failed=""
        next={steps}
        busy={isBusy}
        hasKey={store.access.world === null}
        onAct={act}
      />
    </section>
  );
}

/** The pages of the service that a payer would see, by the field with their address. */
const PAYER_PAGES: Readonly<Record<string, readonly [field: string, label: string]>> = {
  authentications: ['RedirectUrl', 'Open challenge page'],
  'payment-links': ['Url', 'Open page'],
};

function RecordLinks({ kind, id, record }: { kind: KindDescription; id: string; record: RecordJson }) {
  const [field, label] = PAYER_PAGES[kind.view] ?? ['', ''];
  const page = readTextAt(record, field);
  return (
    <p class="row">
      {page === '' ? null : <a href={page}>{label}</a>}
      <NamedRecords by={record} own={kind.view} />
      {kind.related?.map(([view, related]) => (
        <a key={view} href={viewHref(view, null, { [kind.idName]: id })}>
          {related}
        </a>
      ))}
      <a href={viewHref('webhooks', null, { Ref: id })}>Webhooks</a>
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
            <time class="num">{formatDateTime(item.At)}</time>
            <Mark tone={tone} text={word} />
            <span class="text">
              <TimelineLine item={item} />
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function TimelineLine({ item }: { item: TimelineItem }) {
  const { EntryId, DeliveryId, What, At } = item;
  const text = item.Text.replace(LONG_ID, abbreviateId);
  if (What === 'due') {
    const left = Date.parse(At) - store.now.value;
    return <>{`${text}: ${left <= 0 ? 'now' : `in ${formatSpan(left)}`}`}</>;
  }
  if (DeliveryId !== null) return <a href={viewHref('webhooks', null, { open: DeliveryId })}>{text}</a>;
  return EntryId === null ? <>{text}</> : <a href={callHref(EntryId)}>{text}</a>;
}

/** Links to the records whose identifiers a record contains, except those of its own kind. */
function NamedRecords({ by, own }: { by: unknown; own: string }) {
  return (
    <>
      {KINDS.map(({ idName, view, one }) => {
        const id =
          view === own ? '' : readTextAt(by, idName) || readTextAt(readField(by, capitalise(one)), idName);
        return id === '' ? null : (
          <a key={view} href={viewHref(view, id)}>
            {capitalise(one)}
          </a>
        );
      })}
    </>
  );
}
