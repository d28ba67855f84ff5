import { useRef } from 'hono/jsx/dom';

import { counted } from '../text/format.js';
import { ConfirmedAct } from '../ui/confirm.js';
import { Choice, Empty, Options, PLAIN_TEXT, WhenLoaded, readForm, Title, useStore } from '../ui/parts.js';
import type { QueuesResponse, TriggersResponse } from '../state/wire.js';

const MATCHES = ['Reference', 'ProviderId', 'CardNumber', 'Amount'];

export function OutcomesView() {
  const { cache } = useStore();
  return (
    <>
      <Title text="Outcomes" />
      <p class="soft">
        Queued outcomes decide the next calls, in order. They override rules, test cards and providers.
      </p>
      <QueueForm />
      <h2>Queued</h2>
      <WhenLoaded
        of={cache.read<QueuesResponse>('/outcomes')}
        show={(queues) => <Queued queues={queues} />}
      />
    </>
  );
}

/** The operations that can have an outcome, from an attribute of the page. */
function operations(): readonly string[] {
  return document.getElementById('dashboard')?.dataset['operations']?.split(' ') ?? [];
}

function QueueForm() {
  const store = useStore();
  const outcomes = useRef<HTMLInputElement>(null);
  const queue = async (event: Event): Promise<void> => {
    const { form, texts } = readForm(event);
    const { operation: Operation = '', outcomes: names = '' } = texts;
    const given = MATCHES.map((name): [string, string] => [name, texts[name] ?? '']);
    const match = Object.fromEntries(given.filter(([, text]) => text !== ''));
    const body = {
      Operation,
      Outcomes: namesIn(names),
      ...(Object.keys(match).length === 0 ? {} : { Match: match }),
    };
    const isQueued = await store.act('POST', '/outcomes', body, (answer) => {
      return `Queued for the next ${counted((answer as { Left: number }).Left, 'call')} of ${Operation}.`;
    });
    if (isQueued) form.reset();
  };
  const append = (name: string): void => {
    const { current: input } = outcomes;
    if (input !== null) input.value = [...namesIn(input.value), name].join(', ');
  };
  return (
    <form class="panel stack" onSubmit={(event: Event) => void queue(event)}>
      <div class="fields columns">
        <label>
          Operation
          <select name="operation">
            <Options of={operations()} />
          </select>
        </label>
        <OutcomeChoice append={append} />
        <label class="all">
          Outcomes of the next calls, separated by commas
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
      <button type="submit" class="main">
        Queue
      </button>
    </form>
  );
}

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
      <div class="fields columns">
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
  if (queues.Queues.length === 0) return <Empty title="No outcomes queued. Add one above." />;
  return (
    <>
      <ul class="list">
        {queues.Queues.map(({ OutcomeQueueId, Operation, Match, Outcomes }) => (
          <Choice
            key={String(OutcomeQueueId)}
            title={`${OutcomeQueueId}. ${Operation}`}
            about={matchText(Match)}
          >
            <span>{Outcomes.map(outcomeText).join(', ')}</span>
          </Choice>
        ))}
      </ul>
      <p>
        <ConfirmedAct
          method="DELETE"
          path="/outcomes"
          done="Queue cleared."
          question="Clear the queue?"
          consequence="This removes all queued outcomes."
          confirm="Clear"
        >
          Clear the queue
        </ConfirmedAct>
      </p>
    </>
  );
}

function outcomeText(outcome: QueuesResponse['Queues'][number]['Outcomes'][number]): string {
  return typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
}

function matchText(match: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(match).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  );
  return given.length === 0 ? 'Any call' : `Calls with ${given.join(', ')}`;
}
