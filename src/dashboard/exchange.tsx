import { memo, useState } from 'hono/jsx/dom';

import { curlOf } from './curl.js';
import { amount, clockTime, counted, dateTime, LONG_ID, shortId } from './format.js';
import { Badge, Code, Copy, HttpStatus, Json, Status, useStore } from './parts.js';
import { hrefOf } from './route.js';
import { whyInShort, whyOf } from './why.js';
import { type Exchange, memberOf, textOf } from './wire.js';

/** An exchange in a list: a line that opens. */
export function ExchangeRow({ exchange, today }: { exchange: Exchange; today: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class={isOpen ? 'open' : ''}>
      <Line exchange={exchange} today={today} isOpen={isOpen} setOpen={setOpen} />
      {isOpen ? <ExchangeDetail exchange={exchange} /> : null}
    </li>
  );
}

interface LineProps {
  readonly exchange: Exchange;
  /** The world's date, which need not be said. */
  readonly today: string;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** There are many, and they hardly ever change. */
const Line = memo(
  PlainLine,
  (before, after) =>
    before.exchange === after.exchange && before.isOpen === after.isOpen && before.today === after.today,
);

function PlainLine({ exchange, today, isOpen, setOpen }: LineProps) {
  const { EntryId, At, Method, Path, Query, Status: status, Warning, Deliveries } = exchange;
  return (
    <button
      type="button"
      class="line-of"
      aria-expanded={isOpen}
      aria-controls={isOpen ? `exchange-${EntryId}` : undefined}
      onClick={() => setOpen(!isOpen)}
    >
      <time class="at" title={At}>
        {At.startsWith(today) ? clockTime(At) : dateTime(At).slice(5)}
      </time>
      <span class="method">{Method}</span>
      <span class="path" title={Path}>
        {Path.replace(LONG_ID, shortId)}
        {Query === '' ? null : <span class="soft">?{Query}</span>}
      </span>
      <HttpStatus status={status} />
      <span class="rest">
        <span class="about">
          <span>{about(exchange)}</span>
          {Warning === null ? null : <Badge tone="warn" text="warning" />}
          {Deliveries.length > 0 ? <Badge tone="info" text={counted(Deliveries.length, 'webhook')} /> : null}
        </span>
        <span class="why">{whyInShort(exchange)}</span>
      </span>
    </button>
  );
}

/** What it was about, in a few words: an amount or what was wrong, then what the caller calls it. */
function about({ RequestBody, ResponseBody, Status: status }: Exchange): string {
  const message = textOf(ResponseBody, 'Message') || textOf(ResponseBody, 'message');
  const paid = amount(memberOf(ResponseBody, 'Amount'), memberOf(ResponseBody, 'Currency'));
  const first = status >= 400 ? (message.split(':')[0] ?? '') : paid;
  const reference = textOf(RequestBody, 'Reference') || textOf(ResponseBody, 'Reference');
  return [first, reference || textOf(RequestBody, 'Description')].filter((text) => text !== '').join(' · ');
}

/** All of an exchange. It is read anew, since what it caused goes on. */
export function ExchangeDetail({ exchange }: { exchange: Exchange }) {
  const store = useStore();
  const { data } = store.cache.read<Exchange>(`/journal/${exchange.EntryId}`);
  const now = data ?? exchange;
  return (
    <div class="detail" id={`exchange-${exchange.EntryId}`}>
      <Why exchange={now} />
      <div class="bodies">
        <section>
          <h3>Request</h3>
          <Body value={now.RequestBody} of="request body" />
          <details>
            <summary>Headers</summary>
            <Code text={headerLines(now.RequestHeaders)} of="request headers" />
          </details>
        </section>
        <section>
          <h3>
            Response <HttpStatus status={now.Status} />
          </h3>
          <Body value={now.ResponseBody} of="response body" />
        </section>
      </div>
      {now.Truncated ? <p class="soft">A body was too long to be kept whole.</p> : null}
      <CausedWebhooks exchange={now} />
      <Actions exchange={now} />
    </div>
  );
}

function Why({ exchange }: { exchange: Exchange }) {
  const { Precedence, Trigger, Rule, Fault, Warning, Operation, At, DurationMs, RequestId } = exchange;
  const message = exchange.Status >= 400 ? textOf(exchange.ResponseBody, 'Message') : '';
  const rows: readonly (readonly [name: string, value: string | null])[] = [
    ['Trigger', Trigger],
    ['Rule', Rule],
    ['Fault', Fault],
    ['Decided at', Precedence],
    ['Operation', Operation],
    ['World’s time', dateTime(At)],
    ['Took', `${DurationMs} ms`],
    ['Request id', RequestId],
  ];
  return (
    <section class="why-so">
      <h3>Why this answer</h3>
      <p>{whyOf(exchange)}</p>
      {message === '' ? null : <p>{message}</p>}
      {Warning === null ? null : (
        <p>
          <Badge tone="warn" text="warning" /> {Warning}
        </p>
      )}
      <dl class="facts">
        {rows.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

function Body({ value, of }: { value: unknown; of: string }) {
  return value === null ? <p class="soft">No body.</p> : <Json value={value} of={of} />;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function CausedWebhooks({ exchange }: { exchange: Exchange }) {
  if (exchange.Deliveries.length === 0) return null;
  return (
    <section>
      <h3>Webhooks that it caused</h3>
      <ul class="plain">
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

/** The fields of an answer that hold the identifier of a record, and where the page shows that. */
const LINKS: readonly (readonly [member: string, view: string, label: string])[] = [
  ['ChargeId', 'charges', 'Charge'],
  ['CustomerId', 'customers', 'Customer'],
  ['PaymentMethodId', 'payment-methods', 'Payment method'],
  ['VaultId', 'vault', 'Vault entry'],
  ['BatchId', 'batches', 'Batch'],
];

function Actions({ exchange }: { exchange: Exchange }) {
  const { Again, ResponseBody } = exchange;
  return (
    <p class="row">
      {Again === null ? <span class="soft">The request was too long to be sent again.</span> : null}
      {Again ? <Copy text={curlOf(Again)} label="Copy as curl" /> : null}
      {LINKS.map(([member, view, label]) => {
        const id = textOf(ResponseBody, member);
        return id === '' ? null : (
          <a key={view} href={hrefOf(view, id)}>
            {label}
          </a>
        );
      })}
    </p>
  );
}
