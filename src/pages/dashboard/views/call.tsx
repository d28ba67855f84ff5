import { hrefOf } from '../state/route.js';
import { store } from '../state/store.js';
import type { Exchange } from '../state/wire.js';
import { fieldOf, textOf } from '../state/wire.js';
import { curlOf } from '../text/curl.js';
import { capital, dateTime, LONG_ID, pretty, shortId } from '../text/format.js';
import { whyOf } from '../text/why.js';
import { Inspector } from '../ui/inspector.js';
import { Code, Copy, Facts, Mark, Result, Status, Waiting } from '../ui/parts.js';
import { moveRow } from '../ui/rows.js';
import { KINDS } from './records/kinds.js';
import { NextAnswer } from './decide/next-answer.js';
import { sendAgain } from './send-again.js';

/** The call that is open, beside the list. */
export function CallInspector({ entry }: { entry: string }) {
  // It stays even if the journal discards it meanwhile.
  const { data, error } = store.cache.read<Exchange>(`/journal/${encodeURIComponent(entry)}`, 'lasting');
  const frame = { label: 'The selected call', move: moveRow, close: () => store.refine({ open: null }) };
  if (data === null) {
    return (
      <Inspector
        {...frame}
        title={`Call ${entry}`}
        about=""
        tabs={[['Why', () => <Waiting error={error} />]]}
      />
    );
  }
  return (
    <Inspector
      {...frame}
      title={
        <>
          <Result of={data} /> {data.Method} {data.Path.replace(LONG_ID, shortId)}
        </>
      }
      about={
        <>
          <span class="num">{dateTime(data.At)}</span> world ·{' '}
          <span class="num">{dateTime(data.RealAt)}</span> real · <code>#{data.EntryId}</code>
        </>
      }
      tabs={[
        ['Why', () => <Why exchange={data} />],
        ['Request', () => <Sent exchange={data} />],
        ['Response', () => <Body value={data.ResponseBody} of="response body" />],
        ['Repeat', () => <Repeat exchange={data} />],
      ]}
    />
  );
}

function Why({ exchange }: { exchange: Exchange }) {
  const { Fault, Warning, Operation, DurationMs, RequestId, Recorded, Truncated } = exchange;
  return (
    <>
      <p class="answer">{whyOf(exchange)}</p>
      {Warning === null ? null : (
        <p>
          <Mark tone="warn" text="warning" /> {Warning}
        </p>
      )}
      <Body value={exchange.ResponseBody} of="answer" />
      {Truncated ? <p class="soft">A body is cut off, because it was too long for the journal.</p> : null}
      <CausedWebhooks exchange={exchange} />
      <p class="row">
        <NamedRecords by={exchange.ResponseBody} />
      </p>
      <Facts
        of={[
          ['Operation', Operation],
          ['Fault', Fault],
          ['Took', `${DurationMs} ms`],
          ['Request id', <code title={RequestId}>{shortId(RequestId)}</code>],
          ['Recorded', Recorded ? 'in the opened bundle' : null],
        ]}
      />
    </>
  );
}

function Sent({ exchange: { RequestBody, RequestHeaders } }: { exchange: Exchange }) {
  return (
    <>
      <Body value={RequestBody} of="request body" />
      <h3>Headers</h3>
      <Code text={headerLines(RequestHeaders)} of="request headers" />
    </>
  );
}

function Repeat({ exchange }: { exchange: Exchange }) {
  const { Again, Operation, Reference } = exchange;
  return (
    <>
      {Again ? (
        <>
          <Code text={curlOf(Again)} of="the curl command" />
          <p class="row">
            <button type="button" class="main" onClick={() => void sendAgain(Again)}>
              Send again
            </button>
            <Copy text={curlOf(Again)} label="Copy as curl" />
          </p>
        </>
      ) : (
        <p class="soft">The request was too long to copy.</p>
      )}
      {Operation === null ? null : (
        <>
          <h3>Answer the next one differently</h3>
          <NextAnswer operation={Operation} reference={Reference} />
        </>
      )}
    </>
  );
}

function Body({ value, of }: { value: unknown; of: string }) {
  return value === null ? <p class="soft">No body.</p> : <Code text={pretty(value)} of={of} />;
}

export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function CausedWebhooks({ exchange: { Deliveries } }: { exchange: Exchange }) {
  if (Deliveries.length === 0) return null;
  return (
    <section class="stack">
      <h3>Webhooks of this call</h3>
      <ul class="stack">
        {Deliveries.map(({ DeliveryId, EventType, Url, Status: status, Attempt }) => (
          <li key={DeliveryId}>
            <Status of={status} /> <a href={hrefOf('webhooks', null, { open: DeliveryId })}>{EventType}</a> to{' '}
            <code>{Url}</code>
            {Attempt > 0 ? `, attempt ${Attempt}` : ''}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links to the records whose identifiers an answer or a record contains, except those of its own kind. */
export function NamedRecords({ by, own = '' }: { by: unknown; own?: string }) {
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
