import { curlOf } from '../text/curl.js';
import { amount, capital, counted, dateTime, LONG_ID, shortId } from '../text/format.js';
import { KINDS } from '../ui/kinds.js';
import { EventRow, type Openable } from '../ui/events.js';
import { Badge, Code, Copy, Facts, HttpStatus, Json, Status, useStore } from '../ui/parts.js';
import { hrefOf } from '../state/route.js';
import { whyInShort, whyOf } from '../text/why.js';
import { type Exchange, fieldOf, textOf } from '../state/wire.js';

export function ExchangeRow({ exchange, ...openable }: Openable & { exchange: Exchange }) {
  const { EntryId, At, RealAt, Method, Path, Query, Status: status, Warning, Deliveries } = exchange;
  return (
    <EventRow
      {...openable}
      event={exchange}
      id={`exchange-${EntryId}`}
      parts={() => ({
        at: At,
        realAt: RealAt,
        method: Method,
        address: (
          <code title={Path}>
            {Path.replace(LONG_ID, shortId)}
            {Query === '' ? null : <span class="soft">?{Query}</span>}
          </code>
        ),
        status: <HttpStatus status={status} />,
        about: (
          <>
            <span class="cut">{about(exchange)}</span>
            {exchange.Recorded ? <Badge tone="idle" text="recorded" /> : null}
            {Warning === null ? null : <Badge tone="warn" text="warning" />}
            {Deliveries.length > 0 ? (
              <Badge tone="info" text={counted(Deliveries.length, 'webhook')} />
            ) : null}
          </>
        ),
        why: whyInShort(exchange),
      })}
      detail={() => <ExchangeDetail exchange={exchange} />}
    />
  );
}

function about({ Reference, RequestBody, ResponseBody, Status: status }: Exchange): string {
  const message = textOf(ResponseBody, 'Message') || textOf(ResponseBody, 'message');
  const paid = amount(fieldOf(ResponseBody, 'Amount'), fieldOf(ResponseBody, 'Currency'));
  const first = status >= 400 ? (message.split(':')[0] ?? '') : paid;
  return [first, Reference ?? textOf(RequestBody, 'Description')].filter((text) => text !== '').join(' · ');
}

/** The details of an exchange. Loads it again, because the state of its webhooks changes. */
export function ExchangeDetail({ exchange }: { exchange: Exchange }) {
  const store = useStore();
  // It stays open even if the journal discards it meanwhile.
  const { data } = store.cache.read<Exchange>(`/journal/${exchange.EntryId}`, 'lasting');
  const now = data ?? exchange;
  return (
    <>
      <Why exchange={now} />
      <div class="columns">
        <section class="stack">
          <h3>Request</h3>
          <Body value={now.RequestBody} of="request body" />
          <details>
            <summary>Headers</summary>
            <Code text={headerLines(now.RequestHeaders)} of="request headers" />
          </details>
        </section>
        <section class="stack">
          <h3>
            Response <HttpStatus status={now.Status} />
          </h3>
          <Body value={now.ResponseBody} of="response body" />
        </section>
      </div>
      {now.Truncated ? <p class="soft">A body is cut off, because it was too long for the journal.</p> : null}
      <CausedWebhooks exchange={now} />
      <Actions exchange={now} />
    </>
  );
}

function Why({ exchange }: { exchange: Exchange }) {
  const { Precedence, Trigger, Rule, Fault, Warning, Operation, At, RealAt, DurationMs, RequestId } =
    exchange;
  const message = exchange.Status >= 400 ? textOf(exchange.ResponseBody, 'Message') : '';
  return (
    <section class="stack">
      <h3>Why this answer</h3>
      <p>{whyOf(exchange)}</p>
      {message === '' ? null : <p>{message}</p>}
      {Warning === null ? null : (
        <p>
          <Badge tone="warn" text="warning" /> {Warning}
        </p>
      )}
      <Facts
        of={[
          ['Trigger', Trigger],
          ['Rule', Rule],
          ['Fault', Fault],
          ['Decided by', Precedence],
          ['Operation', Operation],
          ['World time', dateTime(At)],
          ['Real time', RealAt],
          ['Took', `${DurationMs} ms`],
          ['Request id', RequestId],
          ['Recorded', exchange.Recorded ? 'in the opened bundle' : null],
        ]}
      />
    </section>
  );
}

function Body({ value, of }: { value: unknown; of: string }) {
  return value === null ? <p class="soft">No body.</p> : <Json value={value} of={of} />;
}

export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function CausedWebhooks({ exchange }: { exchange: Exchange }) {
  if (exchange.Deliveries.length === 0) return null;
  return (
    <section class="stack">
      <h3>Webhooks of this call</h3>
      <ul class="stack">
        {exchange.Deliveries.map(({ DeliveryId, EventType, Url, Status: status, Attempt }) => (
          <li key={DeliveryId}>
            <Status of={status} /> {EventType} to <code>{Url}</code>
            {Attempt > 0 ? `, attempt ${Attempt}` : ''}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Actions({ exchange }: { exchange: Exchange }) {
  const { Again, ResponseBody } = exchange;
  return (
    <p class="row">
      {Again === null ? <span class="soft">The request was too long to copy.</span> : null}
      {Again ? <Copy text={curlOf(Again)} label="Copy as curl" /> : null}
      <NamedRecords by={ResponseBody} />
    </p>
  );
}

/** Links to the records whose identifiers an answer or a record contains, except those of its own kind. */
export function NamedRecords({ by, own = '' }: { by: unknown; own?: string }) {
  return (
    <>
      {KINDS.map(({ idName, view, one }) => {
        const id = view === own ? '' : textOf(by, idName);
        return id === '' ? null : (
          <a key={view} href={hrefOf(view, id)}>
            {capital(one)}
          </a>
        );
      })}
    </>
  );
}
