import { store } from '../../state/store.js';
import type { TriggersResponse } from '../../state/wire.js';
import { formatQuantity } from '../../text/format.js';
import { OptionList, readForm, TextField } from '../../ui/fields.js';

const MATCHES = ['Reference', 'ProviderId', 'CardNumber', 'Amount'] as const;
const QUEUED_AT_ONCE_MAX = 1000;

interface NextAnswerProps {
  /** The operation; null to choose one. */
  readonly operation: string | null;
  /** The reference of a call whose successors are meant. */
  readonly reference?: string | null;
}

/** The operations that can have an outcome, or the faults: the page has them in an attribute. */
export function listPageWords(attribute: 'operations' | 'faults'): readonly string[] {
  return document.getElementById('dashboard')?.dataset[attribute]?.split(' ') ?? [];
}

/** Decides the answer of the next calls: an outcome or a fault, and a delay. */
export function NextAnswer({ operation, reference = null }: NextAnswerProps) {
  const { data } = store.cache.read<TriggersResponse>('/triggers', 'fixed');
  if (operation !== null && !listPageWords('operations').includes(operation))
    return <p class="soft">No provider is asked by {operation}, so it has no other outcome.</p>;
  return (
    <form class="stack" onSubmit={(event) => void queueAnswer(event, operation)}>
      <div class="fields">
        {operation === null ? (
          <label>
            Operation
            <select name="operation">
              <OptionList words={listPageWords('operations')} />
            </select>
          </label>
        ) : null}
        <label>
          Outcome
          <select name="outcome">
            <option value="">decided as usual</option>
            <OptionList words={data?.Outcomes.map(({ Outcome }) => Outcome) ?? []} />
          </select>
        </label>
        <label>
          Fault
          <select name="fault">
            <option value="">none</option>
            <OptionList words={listPageWords('faults')} />
          </select>
        </label>
        <TextField label="Delay" name="delay" hint="2s" />
        <TextField label="For the next … calls" name="times" first="1" />
      </div>
      <details>
        <summary>Only for calls that match</summary>
        <div class="fields">
          {MATCHES.map((name) => (
            <TextField
              key={name}
              label={name}
              name={name}
              hint={name === 'Reference' ? (reference ?? '') : ''}
            />
          ))}
        </div>
      </details>
      <p class="row">
        <button type="submit" class="main">
          Add
        </button>
        <button type="submit" name="ask" title="The next calls wait on this page until you decide them.">
          Ask me
        </button>
      </p>
    </form>
  );
}

async function queueAnswer(event: Event, fixed: string | null): Promise<void> {
  const { form, texts } = readForm(event);
  const asks = (event as SubmitEvent).submitter?.getAttribute('name') === 'ask';
  const { outcome = '', fault = '', delay = '', times = '1', operation = '' } = texts;
  const Operation = fixed ?? operation;
  const isPlain = outcome !== '' && fault === '' && delay === '';
  const answer = isPlain ? outcome : omitEmpty({ Outcome: outcome, Fault: fault, Delay: delay });
  const match = omitEmpty(Object.fromEntries(MATCHES.map((name) => [name, texts[name] ?? ''])));
  const count = Math.min(QUEUED_AT_ONCE_MAX, Math.max(1, Number(times) || 1));
  const calls = { Operation, ...(Object.keys(match).length === 0 ? {} : { Match: match }) };
  const next = `the next ${count === 1 ? 'call' : formatQuantity(count, 'call')} of ${Operation}`;
  const done = asks
    ? await store.callAndNotify(
        'PUT',
        '/hold',
        { ...calls, Count: count },
        `Holding ${next} until you decide.`,
      )
    : await store.callAndNotify(
        'POST',
        '/outcomes',
        { ...calls, Outcomes: Array.from({ length: count }, () => answer) },
        `Queued for ${next}.`,
      );
  if (done !== null) form.reset();
}

function omitEmpty(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
