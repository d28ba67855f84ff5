import { useState } from 'hono/jsx/dom';

import { firstCall } from './curl.js';
import { dateTime } from './format.js';
import { Code, Empty, Json, Options, Pager, Status, Title, useStore, Waiting } from './parts.js';
import { Timeline } from './record.js';
import { hrefOf } from './route.js';
import type { DeliveriesResponse, Delivery, TimelineItem } from './wire.js';

const PAGE = 25;
const STATUSES = ['pending', 'delivered', 'failed', 'withheld'];

/** The webhooks of the world, and what became of each. */
export function WebhooksView() {
  const { cache, route } = useStore();
  const query = new URLSearchParams(route.query);
  query.set('Limit', String(PAGE));
  const { data, error } = cache.read<DeliveriesResponse>(`/webhooks?${query}`);
  return (
    <>
      <Title text="Webhooks">
        <div class="tools">
          <StatusFilter />
        </div>
      </Title>
      {data === null ? <Waiting error={error} /> : <List page={data} />}
    </>
  );
}

function StatusFilter() {
  const { route } = useStore();
  const choose = (event: Event): void => {
    location.hash = hrefOf('webhooks', null, { Status: (event.target as HTMLSelectElement).value });
  };
  return (
    <select aria-label="Status" value={route.query.get('Status') ?? ''} onChange={choose}>
      <option value="">Status: any</option>
      <Options of={STATUSES} />
    </select>
  );
}

const RECEIVED = {
  Amount: '15.50',
  ProviderId: '00000000000000000000000000000001',
  PaymentInformation: { CardNumber: '4242424242424242', ExpiryDate: '12/99', Ccv: '123' },
  Webhook: { Url: 'http://127.0.0.1:3000/webhooks' },
};

function List({ page }: { page: DeliveriesResponse }) {
  const { route, keyring } = useStore();
  if (page.Count === 0) {
    if (route.query.has('Status')) return <Empty title="No webhook has this status." />;
    return (
      <Empty title="No webhook yet.">
        <p>Name a receiver in a charge, and it is told of what becomes of it:</p>
        <Code text={firstCall(keyring.key, '/charge/card', RECEIVED)} of="a charge with a webhook" />
      </Empty>
    );
  }
  const query = Object.fromEntries(route.query);
  return (
    <>
      <ol class="feed" aria-label="Webhooks, newest first">
        {page.Deliveries.map((delivery) => (
          <Row key={delivery.DeliveryId} delivery={delivery} />
        ))}
      </ol>
      <Pager page={page} hrefAt={(skip) => hrefOf('webhooks', null, { ...query, Skip: String(skip) })} />
    </>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  const { DeliveryId, At, EventType, Url, Status: status, ResponseStatus, Attempt } = delivery;
  return (
    <li class={isOpen ? 'open' : ''}>
      <button
        type="button"
        class="line-of delivery"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `delivery-${DeliveryId}` : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <time class="at">{dateTime(At)}</time>
        <Status of={status} />
        <span class="path">{Url}</span>
        <span class="rest">
          <span class="about">{EventType}</span>
          <span class="why">
            {Attempt === 0
              ? 'not tried'
              : `attempt ${Attempt}${ResponseStatus === null ? '' : `: ${ResponseStatus}`}`}
          </span>
        </span>
      </button>
      {isOpen ? <Detail delivery={delivery} /> : null}
    </li>
  );
}

function Detail({ delivery }: { delivery: Delivery }) {
  const store = useStore();
  const { DeliveryId, Ref, Note, Policy, EntryId, EventType } = delivery;
  const view = EventType.startsWith('batch')
    ? 'batches'
    : EventType.startsWith('transaction')
      ? 'charges'
      : null;
  const resend = (): void => {
    void store.act('POST', `/webhooks/${DeliveryId}/resend`, {}, () => 'It is sent again.');
  };
  return (
    <div class="detail" id={`delivery-${DeliveryId}`}>
      {Note === null ? null : (
        <p>
          <Status of={delivery.Status} /> {Note}
        </p>
      )}
      {Policy === null ? null : <p>The scenario did this to it: {Policy}.</p>}
      <div class="bodies">
        <section>
          <h3>Timeline</h3>
          <Timeline items={historyOf(delivery)} />
        </section>
        <section>
          <h3>Body</h3>
          <Json value={delivery.Body} of="webhook body" />
        </section>
      </div>
      <p class="row">
        <button type="button" onClick={resend}>
          Send again
        </button>
        {view === null ? null : <a href={hrefOf(view, Ref)}>The record that it tells of</a>}
        {EntryId === null ? null : <a href={hrefOf('live', String(EntryId))}>The call that caused it</a>}
      </p>
    </div>
  );
}

/** What is known of its attempts: the last and the next. */
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
