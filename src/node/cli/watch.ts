import { watch } from 'node:fs';
import { dirname } from 'node:path';

import type { Host } from '../../core/host.js';
import type { Sandbox } from '../../sandbox.js';
import type { Scenario } from '../../scenarios/model.js';
import { NODE_HOST } from '../http/host.js';
import { readText } from '../state/whole-file.js';
import { problemLines } from './check.js';
import { readScenarioText } from './scenario-file.js';
import { messageOf, print } from './terminal.js';

/** Editors write in several steps; this long after the last of them the file is read. */
const SETTLE_MS = 100;

export interface WatchOptions {
  readonly file: string;
  /** The text that is playing. */
  readonly text: string;
  readonly host: Pick<Host, 'timer'>;
  readonly play: (scenario: Scenario) => Promise<void>;
  /** Takes whole lines. */
  readonly say: (lines: string) => void;
  /** Reads the file; rejects with a FileError. */
  readonly read?: (file: string) => Promise<string>;
}

export interface Replay {
  /** To be called whenever the file may have changed. */
  readonly changed: () => void;
  /** Resolves when the last reading that has begun is over. */
  readonly idle: () => Promise<void>;
}

/** Plays a scenario file anew when its text has changed; while it is broken or missing, the last good one plays on. */
export function replayOnChange(options: WatchOptions): Replay {
  const { file, host, play, say, read = readText } = options;
  const playsOn = `${file}: not taken, what it was before plays on\n`;
  let known: string | null = options.text;
  let cancel = (): void => {};
  let reading = Promise.resolve();

  const look = async (): Promise<void> => {
    try {
      const text = await read(file);
      // Saving without a change, or another file of the folder: the counts of the rules go on.
      if (text === known) return;
      known = text;
      const result = await readScenarioText(text, file);
      if ('problems' in result) return say(problemLines(result.problems) + playsOn);
      await play(result.scenario);
      say(`${file}: changed, now playing ${result.scenario.name}\n`);
    } catch (error) {
      const message = messageOf(error);
      if (known !== null) say(`playmoney: ${message}\n${playsOn}`);
      known = null;
    }
  };

  return {
    changed: () => {
      cancel();
      // One after the other: two readings must not overtake each other.
      cancel = host.timer(() => void (reading = reading.then(look)), SETTLE_MS);
    },
    idle: () => reading,
  };
}

/** Plays a scenario file anew in a sandbox whenever it changes, and says so on stderr. */
export function watchScenario({ worlds }: Sandbox, file: string, text: string): void {
  const say = (lines: string): void => print(process.stderr, lines);
  const play = async (scenario: Scenario): Promise<void> => {
    await worlds.load(scenario);
    worlds.play(scenario);
  };
  const { changed } = replayOnChange({ file, text, host: NODE_HOST, play, say });
  // The folder is watched, since editors and mounted configurations replace the file, or a link to it.
  const watcher = watch(dirname(file), { persistent: false }, changed);
  watcher.on('error', ({ message }) => say(`playmoney: ${file} is no longer watched: ${message}\n`));
  // It may have changed since it was read.
  changed();
}
