import { store } from '../../state/store.js';
import type { QueuesResponse } from '../../state/wire.js';
import { formatStep, removeQueues } from './queues.js';
import { EmptyPanel, Title, WhenLoaded } from '../../ui/panel.js';
import { type Column, DataTable } from '../../ui/table.js';
import { NextAnswer } from './next-answer.js';

export function NextView() {
  return (
    <>
      <Title text="Next answers" />
      <p class="soft">
        Decide the next calls now, or when they arrive: with <i>Ask me</i> they wait on this page for you.
        This overrides rules, test cards and providers.
      </p>
      <section class="panel" aria-label="Queue an answer">
        <NextAnswer operation={null} />
      </section>
      <h2>Queued</h2>
      <WhenLoaded
        loaded={store.cache.read<QueuesResponse>('/outcomes')}
        show={({ Queues }) =>
          Queues.length === 0 ? (
            <EmptyPanel title="No outcomes queued. Add one above." />
          ) : (
            <>
              <DataTable
                label="Queued outcomes"
                columns={COLUMNS}
                rows={Queues}
                keyOf={({ OutcomeQueueId }) => String(OutcomeQueueId)}
              />
              <p>
                <button type="button" onClick={() => void removeQueues()}>
                  Clear the queue
                </button>
              </p>
            </>
          )
        }
      />
    </>
  );
}

type Queue = QueuesResponse['Queues'][number];

const COLUMNS: readonly Column<Queue>[] = [
  { name: 'Queue', isNumber: true, show: ({ OutcomeQueueId }) => OutcomeQueueId },
  { name: 'Operation', show: ({ Operation }) => Operation },
  { name: 'For', isWrapped: true, show: ({ Match }) => formatMatch(Match) },
  {
    name: 'Answers',
    isWrapped: true,
    show: ({ Outcomes, Left }) => {
      const [first] = Outcomes;
      const isSame = Outcomes.every((outcome) => JSON.stringify(outcome) === JSON.stringify(first));
      if (first !== undefined && isSame) return `${Left} × ${formatStep(first)}`;
      return Outcomes.map(formatStep).join(', ');
    },
  },
];

function formatMatch(match: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(match).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  );
  return given.length === 0 ? 'Any call' : `Calls with ${given.join(', ')}`;
}
