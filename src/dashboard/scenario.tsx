import { counted } from './format.js';
import { Badge, Empty, Title, useStore, Waiting } from './parts.js';
import type { PlayedWholeResponse, ScenariosResponse } from './wire.js';

/** What the world plays, how its rules did, and what it could play. */
export function ScenarioView() {
  const { cache } = useStore();
  const active = cache.read<PlayedWholeResponse>('/scenario');
  const library = cache.read<ScenariosResponse>('/scenarios', 'fixed');
  return (
    <>
      <Title text="Scenario" />
      {active.data === null ? <Waiting error={active.error} /> : <Playing active={active.data} />}
      <h2>Library</h2>
      {library.data === null ? (
        <Waiting error={library.error} />
      ) : (
        <List library={library.data} played={active.data?.Scenario ?? null} />
      )}
    </>
  );
}

function Playing({ active }: { active: PlayedWholeResponse }) {
  const store = useStore();
  const { Scenario, Description, Rules, State } = active;
  if (Scenario === null) {
    return (
      <Empty title="No scenario is played.">
        <p>Calls are answered by test cards, providers and queued outcomes alone. Choose one below.</p>
      </Empty>
    );
  }
  const unmatched = Rules.filter(({ Matched }) => Matched === 0).length;
  const stop = (): void => {
    void store.act('DELETE', '/scenario', undefined, () => 'No scenario is played any more.');
  };
  return (
    <section class="panel">
      <div class="title">
        <h2>
          {Scenario} <Badge tone="good" text="playing" />
        </h2>
        <button type="button" onClick={stop}>
          Stop
        </button>
      </div>
      <p>{Description}</p>
      {Rules.length === 0 ? <p class="soft">It has no rules.</p> : <RuleTable rules={Rules} />}
      {unmatched > 0 ? (
        <p class="soft">
          {counted(unmatched, 'rule')} never acted: a test that relies on it tests nothing yet.
        </p>
      ) : null}
      {Object.keys(State).length > 0 ? <p class="soft">State: {JSON.stringify(State)}</p> : null}
    </section>
  );
}

function RuleTable({ rules }: { rules: PlayedWholeResponse['Rules'] }) {
  return (
    <div class="scroll low" tabindex={0} role="region" aria-label="Rules">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col" class="number">
              Acted
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ Rule, Matched }) => (
            <tr key={Rule}>
              <td>{Rule}</td>
              <td class="number">{Matched === 0 ? <Badge tone="warn" text="never" /> : Matched}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function List({ library, played }: { library: ScenariosResponse; played: string | null }) {
  const store = useStore();
  const play = (Name: string): void => {
    void store.act('PUT', '/scenario', { Name }, () => `${Name} is played from now on.`);
  };
  if (library.length === 0) return <p class="soft">This server knows no scenarios by name.</p>;
  return (
    <ul class="choices">
      {library.map(({ Name, Description }) => (
        <li key={Name}>
          <div>
            <p class="strong">{Name}</p>
            <p class="soft">{Description}</p>
          </div>
          <button
            type="button"
            aria-label={`Play ${Name}`}
            disabled={Name === played}
            onClick={() => play(Name)}
          >
            {Name === played ? 'Playing' : 'Play'}
          </button>
        </li>
      ))}
    </ul>
  );
}
