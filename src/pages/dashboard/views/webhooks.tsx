import type { Kind, Listing } from '../ui/columns.js';
import { EventRow, type Openable, useFreezableList } from '../ui/events.js';
import { headerLines } from './exchange.js';
import { counted, dateTime } from '../text/format.js';
import { ListView, useListed } from '../ui/lists.js';
import { FIRST_CHARGE, KINDS } from '../ui/kinds.js';
import { Act, Code, Json, Status, useStore } from '../ui/parts.js';
import { Timeline } from './record.js';
import { hrefOf } from '../state/route.js';
import { type DeliveriesResponse, type Delivery, textOf, type TimelineItem } from '../state/wire.js';

/** How webhooks are listed. Unlike records, each opens within its list. */
const WEBHOOKS: Listing = {
  view: 'webhooks',
  name: 'Webhooks',
  one: 'webhook',
  many: 'webhooks',
  filters: [{ name: 'Status', label: 'Status', options: ['pending', 'delivered', 'failed', 'withheld'] }],
  hint: 'They appear when a charge has a Webhook or a webhook subscription matches. Send such a charge:',
  first: {
    path: '/charge/card',
    body: { ...FIRST_CHARGE.body, Webhook: { Url: 'http://127.0.0.1:3000/webhooks' } },
  },
};

export function WebhooksView() {
  return (
    <ListView
      listing={WEBHOOKS}
      of={useListed<DeliveriesResponse>('/webhooks')}
      show={({ Deliveries }) => <List newest={Deliveries} />}
    />
  );
}

function List({ newest }: { newest: readonly Delivery[] }) {
  const { route } = useStore();
  const list = useFreezableList(newest, ({ DeliveryId }) => DeliveryId, route.query.toString());
  return (
    <>
      <ol class="list feed" aria-label="Webhooks, newest first">
        {list.shown.map((delivery) => (
          <Row
            key={delivery.DeliveryId}
            delivery={delivery}
            isOpen={list.isOpen(delivery)}
            toggle={() => list.toggle(delivery)}
          />
        ))}
      </ol>
      {list.missed === 0 ? null : (
        <p>
          <button type="button" onClick={list.resume}>
            Show {counted(list.missed, 'new webhook')}
          </button>
        </p>
      )}
    </>
  );
}

function Row({ delivery, ...openable }: Openable & { delivery: Delivery }) {
  const { DeliveryId, At, EventType, Url, Status: status, ResponseStatus, Attempt } = delivery;
  const answered = ResponseStatus === null ? '' : `: ${ResponseStatus}`;
  return (
    <EventRow
      {...openable}
      event={delivery}
      id={`delivery-${DeliveryId}`}
      parts={() => ({
        at: At,
        method: 'POST',
        address: <code>{Url}</code>,
        status: <Status of={status} />,
        about: <span>{EventType}</span>,
        why: Attempt === 0 ? 'not sent' : `attempt ${Attempt}${answered}`,
      })}
      detail={() => <Detail delivery={delivery} />}
    />
  );
}

function Detail({ delivery }: { delivery: Delivery }) {
  const { DeliveryId, Ref, Note, Policy, EntryId, Body, Status: status } = delivery;
  // A body is camelCase.
  const idIn = ({ idName }: Kind): string =>
    textOf(Body, 'data', idName.charAt(0).toLowerCase() + idName.slice(1));
  const about = KINDS.find((kind) => idIn(kind) === Ref);
  return (
    <>
      {Note === null ? null : (
        <p>
          <Status of={status} /> {Note}
        </p>
      )}
      {Policy === null ? null : <p>A policy of the scenario changed it: {Policy}.</p>}
      <div class="columns">
        <section class="stack">
          <h3>Attempts</h3>
          <ol class="stack">
            {delivery.Attempts.map((attempt, n) => (
              <AttemptItem key={String(n)} n={n + 1} attempt={attempt} />
            ))}
          </ol>
          <Timeline items={othersOf(delivery)} />
        </section>
        <section class="stack">
          <h3>Body</h3>
          <Json value={Body} of="webhook body" />
        </section>
      </div>
      <p class="row">
        <Act method="POST" path={`/webhooks/${DeliveryId}/resend`} body={{}} done="Sent again.">
          Send again
        </Act>
        {about === undefined ? null : <a href={hrefOf(about.view, Ref)}>Show the {about.one}</a>}
        {EntryId === null ? null : <a href={hrefOf('live', String(EntryId))}>Show the call</a>}
      </p>
    </>
  );
}

interface AttemptProps {
  readonly n: number;
  readonly attempt: Delivery['Attempts'][number];
}

function AttemptItem({ n, attempt }: AttemptProps) {
  const { At, DurationMs, Status: status, ResponseStatus, Note } = attempt;
  const answered = ResponseStatus === null ? (Note ?? 'no response') : `answered ${ResponseStatus}`;
  return (
    <li class="stack">
      <div class="happened row">
        <time class="at">{dateTime(At)}</time>
        <Status of={status} />
        <span class="text">
          Attempt {n}: {answered}
          {DurationMs === null ? '' : `, ${DurationMs} ms`}
        </span>
      </div>
      <Headers n={n} attempt={attempt} />
    </li>
  );
}

function Headers({ n, attempt: { RequestHeaders, ResponseHeaders } }: AttemptProps) {
  const parts = [
    ['Request headers', RequestHeaders],
    ['Response headers', ResponseHeaders],
  ] as const;
  if (parts.every(([, headers]) => headers === null)) return null;
  return (
    <details>
      <summary>Headers</summary>
      {parts.map(([name, headers]) =>
        headers === null ? null : (
          <div key={name}>
            <p class="soft">{name}</p>
            <Code text={headerLines(headers)} of={`${name.toLowerCase()} of attempt ${n}`} />
          </div>
        ),
      )}
    </details>
  );
}

/** The timeline items that are not stored attempts, such as the next attempt. */
function othersOf({ At, Attempt, Attempts, Status: status, NextAttemptAt }: Delivery): TimelineItem[] {
  const plain = { EntryId: null, DeliveryId: null, Status: null, DurationMs: null };
  const others: TimelineItem[] = [];
  if (Attempt === 0) others.push({ ...plain, At, What: 'added', Text: status });
  // Documents of earlier versions have the last attempt only.
  else if (Attempts.length === 0)
    others.push({ ...plain, At, What: 'webhook', Text: `Attempt ${Attempt}: ${status}` });
  if (NextAttemptAt !== null) {
    others.push({ ...plain, At: NextAttemptAt, What: 'due', Text: `Attempt ${Attempt + 1}` });
  }
  return others;
}
