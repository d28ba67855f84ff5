import { signal } from '@preact/signals';

import { ControlError, explainFailure, sendControlCall } from '../../state/api.js';
import { viewHref } from '../../state/route.js';
import { store } from '../../state/store.js';
import { readField } from '../../state/wire.js';

interface CheckedScenario {
  readonly name: string;
  readonly text: string;
  readonly isUsed: boolean;
  /** The problems and hints from the check of the file. */
  readonly problems: readonly string[];
  readonly hints: readonly string[];
}

const checked = signal<CheckedScenario | null>(null);

/** Shows a text that is to be a scenario, so that it can be changed before it is used. */
export function openScenario(name: string, text: string): void {
  checked.value = { name, text, isUsed: false, problems: [], hints: [] };
  location.hash = viewHref('scenario');
}

/** Uses a scenario file of one's own, or shows what is wrong with it. */
export async function applyScenarioFile(name: string, text: string): Promise<void> {
  try {
    const response = await sendControlCall(store.access, 'PUT', '/scenario', text);
    const hints = response.headers.get('x-sandbox-warning');
    const played = readField(await response.json(), 'Scenario');
    checked.value = {
      name,
      text,
      isUsed: true,
      problems: [],
      hints: hints === null ? [] : hints.split('; '),
    };
    store.notify(`${String(played)} is in use.`);
  } catch (error) {
    const message = error instanceof ControlError ? error.message : explainFailure(error);
    checked.value = {
      name,
      text,
      isUsed: false,
      problems: message.replace(/^[^:]*: /, '').split('; '),
      hints: [],
    };
    store.notify(`${name} is not a valid scenario and is not used.`, true);
  }
  store.cache.outdateAll();
}

export function OwnScenario() {
  const found = checked.value;
  const read = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) await applyScenarioFile(file.name, await file.text());
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('text');
    if (typeof text === 'string') void applyScenarioFile(found?.name ?? 'The text', text);
  };
  return (
    <details class="panel" open={found !== null}>
      <summary>Use a file of your own</summary>
      <form class="stack" onSubmit={submit}>
        <p class="row">
          <input
            type="file"
            aria-label="Scenario file"
            accept=".yaml,.yml,.json"
            onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
          />
          <span class="soft">or drop it anywhere on the page</span>
        </p>
        <textarea
          name="text"
          aria-label="Text of the scenario"
          rows={8}
          spellcheck={false}
          defaultValue={found?.text ?? ''}
          key={found?.text ?? ''}
        />
        {found === null ? null : <ScenarioMessages checked={found} />}
        <p>
          <button type="submit" class="main">
            Check and use
          </button>
        </p>
      </form>
    </details>
  );
}

function ScenarioMessages({ checked: { name, isUsed, problems, hints } }: { checked: CheckedScenario }) {
  if (isUsed && hints.length === 0) return <p class="good">{name} is valid and in use.</p>;
  return (
    <ul class="messages" role="alert">
      {problems.map((text) => (
        <li key={text} class="bad">
          {text}
        </li>
      ))}
      {hints.map((text) => (
        <li key={text} class="warn">
          {text}
        </li>
      ))}
    </ul>
  );
}
