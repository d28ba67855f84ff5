import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

/** What the soak was told. */
export interface Settings {
  readonly minutes: number;
  /** Calls a second. */
  readonly rate: number;
  /** Decides what is called in which order, and when clients are killed. */
  readonly seed: string;
}

const DEFAULTS = { minutes: '20', rate: '200' };

/** Reads the command line; throws with what is wrong with it. */
export function readSettings(argv: string[]): Settings {
  const { values } = parseArgs({
    args: argv,
    options: {
      minutes: { type: 'string', default: DEFAULTS.minutes },
      rate: { type: 'string', default: DEFAULTS.rate },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    },
  });
  const { seed } = values;
  return { minutes: positive('minutes', values.minutes), rate: positive('rate', values.rate), seed };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error(`--${name} takes a number above 0, not "${text}"`);
}
