import { useRef } from 'hono/jsx/dom';

import { counted } from './format.js';
import { Empty, Options, PLAIN_TEXT, textsOf, Title, useStore, Waiting } from './parts.js';
import type { QueuesResponse, TriggersResponse } from './wire.js';

const MATCHES = ['Reference', 'ProviderId', 'CardNumber', 'Amount'];

/** What the next calls are answered, used up in order. */
export function OutcomesView() {
  const { cache } = useStore();
  const { data, error } = cache.read<QueuesResponse>('/outcomes');
  return (
    <>
      <Title text="Outcomes" />
      <p class="soft">
        What is queued here goes before rules, test cards and providers, and is used up in order.
      </p>
      <QueueForm />
      <h2>Queued</h2>
      {data === null ? <Waiting error={error} /> : <Queued queues={data} />}
    </>
  );
}

/** The operations that can have an outcome stand with the page. */
function operations(): readonly string[] {
  return document.getElementById('dashboard')?.dataset['operations']?.split(' ') ?? [];
}

function QueueForm() {
  const store = useStore();
  const outcomes = useRef<HTMLInputElement>(null);
  const queue = async (event: Event): Promise<void> => {
    const { form, texts } = textsOf(event);
    const { operation: Operation = '', outcomes: names = '' } = texts;
    const given = MATCHES.map((name): [string, string] => [name, texts[name] ?? '']);
    const match = Object.fromEntries(given.filter(([, text]) => text !== ''));
    const body = {
      Operation,
      Outcomes: namesIn(names),
      ...(Object.keys(match).length === 0 ? {} : { Match: match }),
    };
    const isQueued = await store.act('POST', '/outcomes', body, (answer) => {
      return `Queued for the next ${counted((answer as { Left: number }).Left, Operation)}.`;
    });
    if (isQueued) form.reset();
  };
  const append = (name: string): void => {
    const { current: input } = outcomes;
    if (input !== null) input.value = [...namesIn(input.value), name].join(', ');
  };
  return (
    <form class="panel" onSubmit={(event: Event) => void queue(event)}>
      <div class="fields">
        <label>
          Operation
          <select name="operation">
            <Options of={operations()} />
          </select>
        </label>
        <OutcomeChoice append={append} />
        <label class="all">
          Answers of the next calls, one a call
          <input
            ref={outcomes}
            name="outcomes"
            required
            placeholder="issuer_unavailable, approve"
            {...PLAIN_TEXT}
          />
        </label>
      </div>
      <Matches />
      <div class="row">
        <button type="submit" class="main">
          Queue
        </button>
      </div>
    </form>
  );
}

/** Puts outcomes of the table into the field, so that nobody has to know their names. */
function OutcomeChoice({ append }: { append: (name: string) => void }) {
  const { data } = useStore().cache.read<TriggersResponse>('/triggers', 'fixed');
  const choice = useRef<HTMLSelectElement>(null);
  return (
    <div class="field">
      <label for="outcome">Outcome</label>
      <div class="row">
        <select id="outcome" ref={choice}>
          <Options of={data?.Outcomes.map(({ Outcome }) => Outcome) ?? []} />
        </select>
        <button type="button" onClick={() => append(choice.current?.value ?? '')}>
          Add
        </button>
      </div>
    </div>
  );
}

function Matches() {
  return (
    <details>
      <summary>Only for calls that match</summary>
      <div class="fields">
        {MATCHES.map((name) => (
          <label key={name}>
            {name}
            <input name={name} autocomplete="off" spellcheck={false} />
          </label>
        ))}
      </div>
    </details>
  );
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function Queued({ queues }: { queues: QueuesResponse }) {
  const store = useStore();
  if (queues.Queues.length === 0) return <Empty title="Nothing is queued." />;
  const clear = (): void => {
    void store.act('DELETE', '/outcomes', undefined, () => 'The queue is empty.');
  };
  return (
    <>
      <ul class="choices">
        {queues.Queues.map(({ OutcomeQueueId, Operation, Match, Outcomes }) => (
          <li key={String(OutcomeQueueId)}>
            <div>
              <p class="strong">
                {OutcomeQueueId}. {Operation}
              </p>
              <p>
                {Outcomes.map((outcome) =>
                  typeof outcome === 'string' ? outcome : JSON.stringify(outcome),
                ).join(', ')}
              </p>
              <p class="soft">{matchText(Match)}</p>
            </div>
          </li>
        ))}
      </ul>
      <p class="row">
        <button type="button" onClick={clear}>
          Clear the queue
        </button>
      </p>
    </>
  );
}

function matchText(match: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(match).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  );
  return given.length === 0 ? 'Any call' : `Calls with ${given.join(', ')}`;
}
