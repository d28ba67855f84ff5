import { store } from '../../state/store.js';
import type { PlayedWholeResponse, ScenariosResponse } from '../../state/wire.js';
import { Mark } from '../../ui/marks.js';
import { EmptyPanel, Title, WhenLoaded } from '../../ui/panel.js';
import { type Column, DataTable } from '../../ui/table.js';
import { OwnScenario } from './own-scenario.js';
import { CallButton } from '../rows.js';

export function ScenarioView() {
  const active = store.cache.read<PlayedWholeResponse>('/scenario');
  return (
    <>
      <Title text="Scenario" />
      <WhenLoaded loaded={active} show={(played) => <ScenarioInUse active={played} />} />
      <OwnScenario />
      <h2>Library</h2>
      <WhenLoaded
        loaded={store.cache.read<ScenariosResponse>('/scenarios', 'fixed')}
        show={(library) => <LibraryTable library={library} played={active.data?.Scenario ?? null} />}
      />
    </>
  );
}

const RULE_COLUMNS: readonly Column<PlayedWholeResponse['Rules'][number]>[] = [
  { name: 'Rule', show: ({ Rule }) => Rule },
  {
    name: 'Matched',
    isNumber: true,
    show: ({ Matched }) => (Matched === 0 ? <Mark tone="warn" text="never" /> : Matched),
  },
];

function ScenarioInUse({ active }: { active: PlayedWholeResponse }) {
  const { Scenario, Description, Rules, State } = active;
  if (Scenario === null) {
    return (
      <EmptyPanel title="No scenario is in use.">
        <p>Test cards, providers and queued outcomes decide every call. Choose a scenario below.</p>
      </EmptyPanel>
    );
  }
  const unmatched = Rules.filter(({ Matched }) => Matched === 0).length;
  return (
    <section class="panel stack">
      <div class="row between">
        <h2>
          {Scenario} <Mark tone="good" text="in use" />
        </h2>
        <CallButton method="DELETE" path="/scenario" done="Scenario stopped.">
          Stop
        </CallButton>
      </div>
      <p>{Description}</p>
      {Rules.length === 0 ? (
        <p class="soft">This scenario has no rules.</p>
      ) : (
        <DataTable label="Rules" columns={RULE_COLUMNS} rows={Rules} keyOf={({ Rule }) => Rule} />
      )}
      {unmatched > 0 ? (
        <p class="soft">{unmatched === 1 ? '1 rule has' : `${unmatched} rules have`} not matched yet.</p>
      ) : null}
      {Object.keys(State).length > 0 ? <p class="soft">State: {JSON.stringify(State)}</p> : null}
    </section>
  );
}

type LibraryRow = ScenariosResponse[number];

function LibraryTable({ library, played }: { library: ScenariosResponse; played: string | null }) {
  if (library.length === 0) return <p class="soft">This server has no scenario library.</p>;
  const columns: readonly Column<LibraryRow>[] = [
    { name: 'Name', show: ({ Name }) => <b>{Name}</b> },
    { name: 'Description', isWrapped: true, show: ({ Description }) => Description ?? '' },
    { name: 'Use', show: ({ Name }) => <UseButtons name={Name} isUsed={Name === played} /> },
  ];
  return <DataTable label="Library" columns={columns} rows={library} keyOf={({ File }) => File} />;
}

/** Use keeps the records; a reset loads the seed data of the scenario. */
function UseButtons({ name, isUsed }: { name: string; isUsed: boolean }) {
  return (
    <span class="row">
      <CallButton
        method="PUT"
        path="/scenario"
        body={{ Name: name }}
        done={`${name} is in use.`}
        label={`Use from now on: ${name}`}
        isDisabled={isUsed}
      >
        {isUsed ? 'In use' : 'Use from now on'}
      </CallButton>
      <CallButton
        method="POST"
        path="/reset"
        body={{ Scenario: name }}
        done={`World reset with ${name}.`}
        label={`Start over with it… ${name}`}
        kind="plain"
        canUndo
        ask={{
          question: `Reset the world with ${name}?`,
          consequence:
            'This deletes all records, the journal and the snapshots, then loads the seed data of the scenario.',
          confirm: 'Reset',
        }}
      >
        Start over with it
      </CallButton>
    </span>
  );
}
