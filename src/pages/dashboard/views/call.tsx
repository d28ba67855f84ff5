import { sandboxHome } from '../../home.js';
import { viewHref } from '../state/route.js';
import { store } from '../state/store.js';
import type { FullCall } from '../state/wire.js';
import { LONG_ID, abbreviateId } from '../text/format.js';
import { formatMoment } from '../text/when.js';
import { nameDeliveryStatus } from '../text/webhooks.js';
import { type CallForm, listCallForms } from '../text/call-forms.js';
import { buildLadder, findOutcomeName, findProviderName, whyCall, type LadderStep } from '../text/why.js';
import { Inspector, type InspectorProps } from '../ui/inspector.js';
import { JsonTree } from '../ui/json.js';
import { CodeBlock, CopyButton } from '../ui/copy.js';
import { Mark, ResultMark, StatusMark } from '../ui/marks.js';
import { FactList, LoadingOrError } from '../ui/panel.js';
import { SentenceText } from '../ui/sentence.js';
import { openScenario } from './decide/own-scenario.js';
import { NextAnswer } from './decide/next-answer.js';
import { readDecisionContext } from './decision-context.js';
import { linkOf } from './links.js';
import { sendAgain } from './send.js';

interface CallInspectorProps {
  readonly entry: string;
  /** The name of the provider of a charge, for calls that do not name it. */
  readonly provider?: string;
  readonly close?: () => void;
}

/** All about one call: why it got its answer, what was sent both ways, and how to repeat it. */
export function CallInspector({ entry, provider, close }: CallInspectorProps) {
  // A call that is shown stays even if the journal discards it meanwhile.
  const { data, error } = store.cache.read<FullCall>(`/journal/${encodeURIComponent(entry)}`, 'lasting');
  const frame = { label: 'The selected call', close };
  if (data === null)
    return (
      <Inspector
        {...frame}
        title={`Call ${entry}`}
        tabs={[['Why', () => <LoadingOrError error={error} />]]}
      />
    );
  const tabs: InspectorProps['tabs'] = [
    [
      'Why',
      () => <WhyPart call={data} provider={provider ?? findProviderName(data, readDecisionContext())} />,
    ],
    ['Request', () => <RequestPart call={data} />],
    ['Response', () => <BodyTree value={data.ResponseBody} label="Response body" open={9} />],
    ['Repeat', () => <RepeatPart call={data} />],
  ];
  const about = (
    <>
      <span class="num">{formatMoment(data.At)}</span> in the world ·{' '}
      <span class="num">{formatMoment(data.RealAt)}</span> in real time · {data.DurationMs} ms ·{' '}
      <code>#{data.EntryId}</code>
    </>
  );
  const title = (
    <>
      <ResultMark call={data} /> {data.Undone ? <Mark tone="idle" text="undone" /> : null} {data.Method}{' '}
      {data.Operation ?? data.Path.replace(LONG_ID, abbreviateId)}
    </>
  );
  return <Inspector {...frame} title={title} about={about} tabs={tabs} />;
}

function WhyPart({ call, provider }: { call: FullCall; provider: string }) {
  const { Warning, ResponseBody, Truncated, Recorded } = call;
  return (
    <>
      <div class="both">
        <section aria-label="What decided">
          {call.Undone ? (
            <p class="warning">Undone: the world went back to a state without this call.</p>
          ) : null}
          <p class="answer">
            <SentenceText sentence={whyCall(call, readDecisionContext())} linkOf={linkOf} />
          </p>
          {Warning === null ? null : <p class="warning">{Warning}</p>}
          <Ladder rungs={buildLadder(call, provider, readDecisionContext())} />
        </section>
        <section aria-label="Answer">
          <div class="row between">
            <h3>Answer</h3>
            <CopyButton text={JSON.stringify(ResponseBody, null, 2)} subject="the answer" />
          </div>
          <BodyTree value={ResponseBody} label="Fields of the answer" />
          {Truncated ? <p class="soft">A body is cut off: it was too long for the journal.</p> : null}
          {Recorded ? <p class="soft">Recorded in the opened bundle.</p> : null}
        </section>
      </div>
      <CausedWebhooks call={call} />
      <CallActions call={call} />
    </>
  );
}

function CausedWebhooks({ call: { Deliveries } }: { call: FullCall }) {
  if (Deliveries.length === 0) return null;
  return (
    <section aria-label="Webhooks of this call">
      <h3>Webhooks</h3>
      <ul>
        {Deliveries.map(({ DeliveryId, EventType, Url, Status, Attempt }) => (
          <li key={DeliveryId}>
            <StatusMark status={nameDeliveryStatus({ Status, Attempt })} />{' '}
            <a href={viewHref('webhooks', null, { open: DeliveryId })}>{EventType}</a> to <code>{Url}</code>
            {Attempt > 0 ? `, attempt ${Attempt}` : ''}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CallActions({ call }: { call: FullCall }) {
  if (!call.Again) return null;
  return (
    <section aria-label="Actions">
      <h3>Actions</h3>
      <div class="row">
        <button type="button" class="main" onClick={() => void sendAgain(call)}>
          Send again
        </button>
        {listForms(call).map(({ name, text }) =>
          name === 'rule' ? (
            <button key={name} type="button" onClick={() => openScenario('The rule', text)}>
              Make this a rule
            </button>
          ) : (
            <CopyButton
              key={name}
              text={text}
              label={`Copy as ${name}`}
              kind=""
              hotkey={name === 'curl' ? 'c' : undefined}
            />
          ),
        )}
      </div>
    </section>
  );
}

function RequestPart({
  call: { Method, Path, Query, RequestBody, RequestHeaders, RequestId },
}: {
  call: FullCall;
}) {
  return (
    <section>
      <p>
        <code class="whole">
          {Method} {Path}
          {Query === '' ? '' : `?${Query}`}
        </code>
      </p>
      <BodyTree value={RequestBody} label="Request body" />
      <h3>Headers</h3>
      <JsonTree value={RequestHeaders} label="Request headers" linkOf={linkOf} />
      <FactList facts={[['Request id', <code title={RequestId}>{abbreviateId(RequestId)}</code>]]} />
    </section>
  );
}

function BodyTree({ value, label, open = 1 }: { value: unknown; label: string; open?: number }) {
  if (value === null) return <p class="soft">No body.</p>;
  return <JsonTree value={value} label={label} linkOf={linkOf} open={open} />;
}

function RepeatPart({ call }: { call: FullCall }) {
  const forms = listForms(call);
  return (
    <>
      {call.Operation === null ? null : (
        <>
          <h3>Answer the next one differently</h3>
          <NextAnswer operation={call.Operation} reference={call.Reference} />
        </>
      )}
      {forms.length === 0 ? (
        <p>
          <Mark tone="warn" text="cut off" /> The request was too long for the journal, so it cannot be
          repeated.
        </p>
      ) : null}
      {forms.map(({ name, text }) => (
        <section key={name} aria-label={`As a ${name}`}>
          <h3>As {name}</h3>
          <CodeBlock text={text} label={`the ${name}`} />
        </section>
      ))}
    </>
  );
}

function listForms(call: FullCall): CallForm[] {
  return call.Again
    ? listCallForms(call, call.Again, sandboxHome(), findOutcomeName(call, readDecisionContext()))
    : [];
}

/** Everything that can decide an outcome, in order, with the step that did. */
function Ladder({ rungs }: { rungs: readonly LadderStep[] }) {
  return (
    <ol class="ladder">
      {rungs.map(({ name, title, verdict, place, isBad, note }) => (
        <li key={name} class={isBad ? 'decided bad' : place} title={title}>
          <span>
            {place === 'decided' ? <b>{name}</b> : name} <span>{verdict}</span>
          </span>
          {note === '' ? null : <p>{note}</p>}
        </li>
      ))}
    </ol>
  );
}
