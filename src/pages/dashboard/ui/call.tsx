/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';

import { JsonTree } from './json.js';
import { Ladder } from './ladder.js';
import { Sentence } from './said.js';
import { repeatsOf } from '../text/repeat.js';
import type { LinkOf } from '../text/said.js';
import type { Exchange } from '../state/wire.js';
import { type Known, ladderOf, outcomeOf, providerOf, whyCall } from '../text/why.js';

interface CallProps {
  readonly call: Exchange;
  readonly known: Known;
  /** The provider of the charge, where the call does not name it. */
  readonly provider?: string;
  /** Where the server is, for commands. */
  readonly origin: string;
  readonly busy: boolean;
  readonly linkOf: LinkOf;
  readonly onCopy: (text: string, what: string) => void;
  readonly onAgain: (call: Exchange) => void;
  /** Opens a scenario with this text. */
  readonly onRule: (yaml: string) => void;
  /** What else can be done, such as choosing the next answer. */
  readonly more?: ComponentChildren;
}

/** All about one call, as the tabs of an inspector: why it got its answer, what was sent both ways, and how to repeat it. */
export function callTabs(props: CallProps): (readonly [name: string, show: () => ComponentChildren])[] {
  const { call, linkOf } = props;
  return [
    ['Why', () => <WhyPart {...props} />],
    [
      'Request',
      () => (
        <section>
          <p>
            <code class="whole">
              {call.Method} {call.Path}
              {call.Query === '' ? '' : `?${call.Query}`}
            </code>
          </p>
          <Body value={call.RequestBody} label="Request body" linkOf={linkOf} />
          <h3>Headers</h3>
          <JsonTree value={call.RequestHeaders} label="Request headers" linkOf={linkOf} />
        </section>
      ),
    ],
    [
      'Response',
      () => (
        <section>
          <Body value={call.ResponseBody} label="Response body" linkOf={linkOf} open={9} />
        </section>
      ),
    ],
    ['Repeat', () => <RepeatPart {...props} />],
  ];
}

function WhyPart(props: CallProps) {
  const { call, known, provider, linkOf, onCopy } = props;
  const rungs = ladderOf(call, call.Operation ?? '', provider ?? providerOf(call, known), known);
  return (
    <>
      <div class="both">
        <section aria-label="What decided">
          <p class="answer">
            <Sentence of={whyCall(call, known)} linkOf={linkOf} />
          </p>
          {call.Warning === null ? null : <p class="warning">{call.Warning}</p>}
          <Ladder rungs={rungs} hasFailed={call.Status === 0 || call.Status >= 400} />
        </section>
        <section aria-label="Answer">
          <div class="row between">
            <h3>Answer</h3>
            <CopyButton text={JSON.stringify(call.ResponseBody, null, 2)} of="the answer" onCopy={onCopy} />
          </div>
          <Body value={call.ResponseBody} label="Fields of the answer" linkOf={linkOf} />
          {call.Truncated ? (
            <p class="soft">A body is cut off, because it was too long for the journal.</p>
          ) : null}
        </section>
      </div>
      <DoPart {...props} />
    </>
  );
}

type BodyProps = { value: unknown; label: string; linkOf: LinkOf; open?: number };

function Body({ value, ...more }: BodyProps) {
  return value === null ? <p class="soft">No body.</p> : <JsonTree value={value} {...more} />;
}

function CopyButton({ text, of, onCopy }: { text: string; of: string } & Pick<CallProps, 'onCopy'>) {
  return (
    <button type="button" class="plain" aria-label={`Copy ${of}`} onClick={() => onCopy(text, of)}>
      Copy
    </button>
  );
}

function DoPart(props: CallProps) {
  const { call, busy, more, onAgain, onCopy, onRule } = props;
  return (
    <section aria-label="Do">
      <h3>Do</h3>
      <div class="row">
        <button type="button" class="main" disabled={busy || !call.Again} onClick={() => onAgain(call)}>
          Send again
        </button>
        {formsOf(props).map(({ name, text }) => {
          const isRule = name === 'rule';
          return (
            <button
              key={name}
              type="button"
              onClick={() => (isRule ? onRule(text) : onCopy(text, `the ${name}`))}
            >
              {isRule ? 'Make this a rule' : `Copy as ${name}`}
            </button>
          );
        })}
        {more}
      </div>
    </section>
  );
}

function RepeatPart(props: CallProps) {
  const forms = formsOf(props);
  if (forms.length === 0)
    return <p class="soft">The request was too long for the journal, so it cannot be repeated.</p>;
  return (
    <>
      {forms.map(({ name, text }) => (
        <section key={name} aria-label={`As a ${name}`}>
          <div class="row between">
            <h3>As {name}</h3>
            <CopyButton text={text} of={`the ${name}`} onCopy={props.onCopy} />
          </div>
          {/* It scrolls, so the keyboard must reach it. */}
          <pre tabIndex={0} role="region" aria-label={`The call as ${name}`}>
            {text}
          </pre>
        </section>
      ))}
    </>
  );
}

function formsOf({ call, known, origin }: CallProps): ReturnType<typeof repeatsOf> {
  return call.Again ? repeatsOf(call, call.Again, origin, outcomeOf(call, known)) : [];
}
