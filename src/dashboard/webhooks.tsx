import type { Kind, Listing } from './columns.js';
import { EventRow, ListView, useListed } from './lists.js';
import { FIRST_CHARGE, KINDS } from './kinds.js';
import { Act, Json, Status } from './parts.js';
import { Timeline } from './record.js';
import { hrefOf } from './route.js';
import { type DeliveriesResponse, type Delivery, textOf, type TimelineItem } from './wire.js';

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

/** The webhooks of the world. */
export function WebhooksView() {
  return (
    <ListView
      listing={WEBHOOKS}
      of={useListed<DeliveriesResponse>('/webhooks')}
      show={({ Deliveries }) => (
        <ol class="list feed" aria-label="Webhooks, newest first">
          {Deliveries.map((delivery) => (
            <Row key={delivery.DeliveryId} delivery={delivery} />
          ))}
        </ol>
      )}
    />
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const { DeliveryId, At, EventType, Url, Status: status, ResponseStatus, Attempt } = delivery;
  const answered = ResponseStatus === null ? '' : `: ${ResponseStatus}`;
  return (
    <EventRow
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
          <h3>Timeline</h3>
          <Timeline items={historyOf(delivery)} />
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

/** The last attempt and the next. */
function historyOf({ At, Attempt, Status: status, ResponseStatus, NextAttemptAt }: Delivery): TimelineItem[] {
  const plain = { EntryId: null, DeliveryId: null };
  const answered = ResponseStatus === null ? '' : `, answered ${ResponseStatus}`;
  const last: TimelineItem = {
    ...plain,
    At,
    What: Attempt === 0 ? 'added' : status === 'delivered' ? 'ended' : 'failed',
    // The delivery is pending until its last attempt; this one has failed.
    Text:
      Attempt === 0 ? status : `Attempt ${Attempt}: ${status === 'pending' ? 'failed' : status}${answered}`,
  };
  if (NextAttemptAt === null) return [last];
  return [last, { ...plain, At: NextAttemptAt, What: 'due', Text: `Attempt ${Attempt + 1}` }];
}
