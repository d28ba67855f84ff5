import { callHref, viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import { type DeliveriesResponse, type Delivery, readTextAt } from '../state/wire.js';
import { formatDateTime, abbreviateId } from '../text/format.js';
import { explainDelivery } from '../text/explain.js';
import { describeAttempt, groupResent, nameDeliveryStatus } from '../text/webhooks.js';
import { formatMoment, formatTimeUntil } from '../text/when.js';
import { ExplainButton } from '../ui/explain.js';
import { Inspector } from '../ui/inspector.js';
import { JsonTree } from '../ui/json.js';
import { CodeBlock } from '../ui/copy.js';
import { Mark, StatusMark } from '../ui/marks.js';
import { FactList, LoadingOrError } from '../ui/panel.js';
import { linkOf } from './links.js';
import type { KindDescription } from './records/columns.js';
import { KINDS } from './records/kinds.js';
import { CallButton } from './rows.js';

/** A delivery with those that repeat it, beside the list. */
export function DeliveryInspector({ id, close }: { id: string; close?: () => void }) {
  const path = `/webhooks?Search=${encodeURIComponent(id)}&Limit=50`;
  const { data, error } = store.cache.read<DeliveriesResponse>(path);
  const all = groupResent(data?.Deliveries ?? []).find((group) => group.id === id)?.all ?? [];
  const first = all.at(-1);
  const frame = { label: 'The selected webhook', close };
  if (first === undefined) {
    const why =
      data === null ? error : `The log has no delivery ${abbreviateId(id)}. It may have been discarded.`;
    return (
      <Inspector {...frame} title="Webhook" tabs={[['Attempts', () => <LoadingOrError error={why} />]]} />
    );
  }
  return (
    <Inspector
      {...frame}
      title={
        <>
          <StatusMark status={nameDeliveryStatus(all[0] ?? first)} /> {first.EventType}
        </>
      }
      about={
        <>
          to <code>{first.Url}</code>{' '}
          <ExplainButton about={explainDelivery(all[0] ?? first)} linkOf={linkOf} />
        </>
      }
      tabs={[
        ['Attempts', () => <AttemptList all={all} />],
        ['Body', () => <JsonTree value={first.Body} label="Webhook body" linkOf={linkOf} open={9} />],
        ['Signature', () => <SignaturePart delivery={first} />],
      ]}
    />
  );
}

function AttemptList({ all }: { all: readonly Delivery[] }) {
  const first = all.at(-1);
  if (first === undefined) return null;
  const { DeliveryId, Note, Policy, EntryId, Attempts: tried } = first;
  const about = KINDS.find((kind) => readRecordId(first, kind) === first.Ref);
  return (
    <>
      <p class="row">
        <CallButton
          method="POST"
          path={`/webhooks/${DeliveryId}/resend`}
          body={{}}
          done="Sent again."
          kind="main"
        >
          Send again
        </CallButton>
        {about === undefined ? null : <a href={viewHref(about.view, first.Ref)}>Show the {about.one}</a>}
        {EntryId === null ? null : <a href={callHref(EntryId)}>Show the call</a>}
      </p>
      {Note === null || tried.length > 0 ? null : <p>{Note}</p>}
      {Policy === null ? null : <p>A policy of the scenario changed it: {Policy}.</p>}
      {first.Attempt > 0 && tried.length === 0 ? (
        <p class="soft">Documents of earlier versions have no attempts.</p>
      ) : null}
      <ol class="stack">
        {all
          .toReversed()
          .map((delivery) =>
            delivery.Attempts.map((attempt, n) => (
              <AttemptItem
                key={`${delivery.DeliveryId} ${n}`}
                name={nameAttempt(delivery, n + 1)}
                attempt={attempt}
                next={
                  n + 1 < delivery.Attempts.length
                    ? 'tried'
                    : delivery.NextAttemptAt === null
                      ? 'none'
                      : 'due'
                }
              />
            )),
          )}
      </ol>
      {all.map((delivery) =>
        delivery.NextAttemptAt === null ? null : (
          <p key={delivery.DeliveryId}>
            <Mark tone="due" text="due" /> {nameAttempt(delivery, delivery.Attempt + 1)} at{' '}
            {formatMoment(delivery.NextAttemptAt)}, {formatTimeUntil(delivery.NextAttemptAt, store.now.value)}
          </p>
        ),
      )}
    </>
  );
}

const nameAttempt = ({ ResendOf }: Delivery, number: number): string =>
  ResendOf === null ? `Attempt ${number}` : `Sent again, attempt ${number}`;

/** The identifier of a record in a message, whose fields are in camelCase. */
function readRecordId({ Body }: Delivery, { idName }: KindDescription): string {
  return readTextAt(Body, 'data', idName.charAt(0).toLowerCase() + idName.slice(1));
}

interface AttemptProps {
  readonly name: string;
  readonly attempt: Delivery['Attempts'][number];
  /** Follows the text. */
  readonly next: Parameters<typeof describeAttempt>[1];
}

function AttemptItem({ name, attempt, next }: AttemptProps) {
  const { At, DurationMs, Status: status, ResponseBody } = attempt;
  return (
    <li class="attempt stack">
      <p class="row">
        <StatusMark status={status} />
        <span>
          {name}: {describeAttempt(attempt, next)}
          {DurationMs === null ? '' : ` ${DurationMs} ms.`}
        </span>
        <time class="soft num">{formatDateTime(At)}</time>
      </p>
      {ResponseBody === null || ResponseBody === '' ? null : (
        <CodeBlock text={ResponseBody} label={`answer to ${name.toLowerCase()}`} />
      )}
      <AttemptHeaders name={name} attempt={attempt} />
    </li>
  );
}

function AttemptHeaders({
  name,
  attempt: { RequestHeaders, ResponseHeaders },
}: Pick<AttemptProps, 'name' | 'attempt'>) {
  const parts = [
    ['Request headers', RequestHeaders],
    ['Response headers', ResponseHeaders],
  ] as const;
  if (parts.every(([, headers]) => headers === null)) return null;
  return (
    <details>
      <summary>Headers</summary>
      {parts.map(([title, headers]) =>
        headers === null ? null : (
          <div key={title}>
            <p class="soft">{title}</p>
            <JsonTree value={headers} label={`${title} of ${name.toLowerCase()}`} linkOf={linkOf} />
          </div>
        ),
      )}
    </details>
  );
}

function SignaturePart({ delivery: { Attempts: tried, Body } }: { delivery: Delivery }) {
  const sent = Object.entries(tried.at(-1)?.RequestHeaders ?? {});
  const [name, value] = sent.find(([header]) => /signature$/i.test(header)) ?? [];
  return (
    <>
      {value === undefined ? (
        <p class="soft">
          No signature was sent. A webhook is signed if the server has a webhook secret and it was attempted.
        </p>
      ) : (
        <>
          <FactList facts={[[name ?? '', <code>{value}</code>]]} />
          <p>
            It is the Base64 of the HMAC-SHA-256 of the text below, keyed with the webhook secret. Receivers
            compute it over the bytes that arrive, before they parse them.
          </p>
        </>
      )}
      <h3>What is signed</h3>
      <CodeBlock text={JSON.stringify(Body)} label="the signed text" />
    </>
  );
}
