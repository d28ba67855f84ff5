import { watch } from 'node:fs';
import { dirname } from 'node:path';

import type { Host } from '../../../core/host.js';
import type { InnerSandbox } from '../../../app/sandbox.js';
import type { Scenario } from '../../../scenarios/script/model.js';
import { NODE_HOST } from '../../machine/host.js';
import { readText } from '../../files/text-file.js';
import { formatProblems } from '../choose-scenario.js';
import { readScenarioText } from '../../../scenarios/file/file.js';
import { formatLines, requireCommandMessage, print } from '../../terminal/terminal.js';

/** Editors write in several steps. The file is read this long after the last step. */
const SETTLE_MS = 100;

interface ReloadOptions {
  readonly file: string;
  /** The current text of the scenario. */
  readonly text: string;
  readonly host: Pick<Host, 'timer'>;
  readonly play: (scenario: Scenario) => Promise<void>;
  readonly report: (...lines: string[]) => void;
}

interface ScenarioReloader {
  /** Call this whenever the file may have changed. */
  readonly changed: () => void;
  /** Resolves when the last started read is done. */
  readonly idle: () => Promise<void>;
}

/** Reloads a scenario file when its text has changed. While it is broken or missing, the last good version stays. */
export function reloadOnChange({ file, text: first, host, play, report }: ReloadOptions): ScenarioReloader {
  const keepsOld = `${file}: not reloaded; the last good version stays in use`;
  let known: string | null = first;
  let cancel = (): void => {};
  let reading = Promise.resolve();

  const look = async (): Promise<void> => {
    try {
      const text = await readText(file);
      // Another file of the folder changed, or this one was saved without a change. The rules keep their counts.
      if (text === known) return;
      known = text;
      const result = await readScenarioText(text, file);
      if ('problems' in result) return report(...formatProblems(result.problems), keepsOld);
      await play(result.scenario);
      report(`${file}: reloaded, scenario ${result.scenario.name}`);
    } catch (error) {
      const message = requireCommandMessage(error);
      if (known !== null) report(`playmoney: ${message}`, keepsOld);
      known = null;
    }
  };

  return {
    changed: () => {
      cancel();
      // Reads follow each other, so that an older one cannot finish last.
      cancel = host.timer(() => void (reading = reading.then(look)), SETTLE_MS);
    },
    idle: () => reading,
  };
}

/** Reloads a scenario file in a sandbox whenever it changes, and reports it on stderr. */
export function watchScenario({ worlds }: InnerSandbox, file: string, text: string): void {
  const report = (...lines: string[]): void => print(process.stderr, formatLines(lines));
  const play = async (scenario: Scenario): Promise<void> => {
    await worlds.load(scenario);
    worlds.play(scenario);
  };
  const { changed } = reloadOnChange({ file, text, host: NODE_HOST, play, report });
  // Watches the folder, because editors and mounted configurations replace the file, or a link to it.
  const watcher = watch(dirname(file), { persistent: false }, changed);
  watcher.on('error', ({ message }) => report(`playmoney: ${file} is no longer watched: ${message}`));
  // The file may have changed since it was read.
  changed();
}
