import type { Column } from '../ui/columns.js';
import { Table } from '../ui/lists.js';
import { Act, Badge, Choice, Empty, WhenLoaded, Title, useStore } from '../ui/parts.js';
import type { PlayedWholeResponse, ScenariosResponse } from '../state/wire.js';

export function ScenarioView() {
  const { cache } = useStore();
  const active = cache.read<PlayedWholeResponse>('/scenario');
  return (
    <>
      <Title text="Scenario" />
      <WhenLoaded of={active} show={(played) => <Current active={played} />} />
      <h2>Library</h2>
      <WhenLoaded
        of={cache.read<ScenariosResponse>('/scenarios', 'fixed')}
        show={(library) => <List library={library} played={active.data?.Scenario ?? null} />}
      />
    </>
  );
}

const RULE_COLUMNS: readonly Column<PlayedWholeResponse['Rules'][number]>[] = [
  { name: 'Rule', show: ({ Rule }) => Rule },
  {
    name: 'Matched',
    isNumber: true,
    needsName: true,
    show: ({ Matched }) => (Matched === 0 ? <Badge tone="warn" text="never" /> : Matched),
  },
];

function Current({ active }: { active: PlayedWholeResponse }) {
  const { Scenario, Description, Rules, State } = active;
  if (Scenario === null) {
    return (
      <Empty title="No scenario is in use.">
        <p>Test cards, providers and queued outcomes decide every call. Choose a scenario below.</p>
      </Empty>
    );
  }
  const unmatched = Rules.filter(({ Matched }) => Matched === 0).length;
  return (
    <section class="panel stack">
      <div class="title row">
        <h2>
          {Scenario} <Badge tone="good" text="in use" />
        </h2>
        <Act method="DELETE" path="/scenario" done="Scenario stopped.">
          Stop
        </Act>
      </div>
      <p>{Description}</p>
      {Rules.length === 0 ? (
        <p class="soft">This scenario has no rules.</p>
      ) : (
        <Table label="Rules" columns={RULE_COLUMNS} rows={Rules} keyOf={({ Rule }) => Rule} class="low" />
      )}
      {unmatched > 0 ? (
        <p class="soft">
          Rules that never matched: {unmatched}. A test that relies on them proves nothing yet.
        </p>
      ) : null}
      {Object.keys(State).length > 0 ? <p class="soft">State: {JSON.stringify(State)}</p> : null}
    </section>
  );
}

function List({ library, played }: { library: ScenariosResponse; played: string | null }) {
  if (library.length === 0) return <p class="soft">This server has no scenario library.</p>;
  return (
    <ul class="list">
      {library.map(({ Name, Description }) => (
        <Choice key={Name} title={Name} about={Description}>
          <Act
            method="PUT"
            path="/scenario"
            body={{ Name }}
            done={`${Name} is in use.`}
            label={`Use ${Name}`}
            isDisabled={Name === played}
          >
            {Name === played ? 'In use' : 'Use'}
          </Act>
        </Choice>
      ))}
    </ul>
  );
}
