import { isIP } from 'node:net';

import { MEBIBYTE } from '../../core/limits/memory.js';
import { type ClockMode, RATE_MAX, RATE_MIN } from '../../core/time/clock.js';
import { parseDuration, parseInstant } from '../../core/time/time.js';
import { type OptionKind, textKind } from '../../core/option.js';

export { ORIGIN } from '../../core/option.js';

/** A body is read into one string, and V8's limit is just under 512 MiB. */
const BODY_BYTES_MAX = 500 * MEBIBYTE;
const GIB = 1024 * MEBIBYTE;
/** An idle server uses about a third of this. */
const MEMORY_MIN = 64 * MEBIBYTE;
const MEMORY_MAX = 1024 * GIB;
const TIMEOUT_MAX_MS = 3_600_000;

export function wholeNumber(least: number, most: number): OptionKind<number> {
  return {
    argument: 'N',
    mustBe: `a whole number from ${least} to ${most}`,
    read: (given) => {
      const number = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

export const TIMEOUT: OptionKind<number> = {
  argument: 'DURATION',
  mustBe: 'a duration above zero and up to 1h, such as 500ms or 10s',
  read: (given) => {
    const ms = parseDuration(given) ?? 0;
    return ms > 0 && ms <= TIMEOUT_MAX_MS ? ms : undefined;
  },
};

function readSize(given: string, least: number, most: number): number | undefined {
  const [, digits = '', unit = 'b'] = /^(\d{1,12})(b|kb|mb|gb)?$/.exec(given.toLowerCase()) ?? [];
  const bytes = Number(digits) * 1024 ** ['b', 'kb', 'mb', 'gb'].indexOf(unit);
  return bytes >= least && bytes <= most ? bytes : undefined;
}

export const SIZE: OptionKind<number> = {
  argument: 'SIZE',
  mustBe: `a number of bytes or a size such as 512kb or 2mb, up to ${BODY_BYTES_MAX / MEBIBYTE}mb`,
  read: (given) => readSize(given, 1, BODY_BYTES_MAX),
};

export const MEMORY: OptionKind<number> = {
  argument: 'SIZE',
  mustBe: `a size such as 512mb or 2gb, from ${MEMORY_MIN / MEBIBYTE}mb to ${MEMORY_MAX / GIB}gb`,
  read: (given) => readSize(given, MEMORY_MIN, MEMORY_MAX),
};

export const CLOCK: OptionKind<{ readonly mode: ClockMode; readonly rate: number }> = {
  argument: 'MODE',
  mustBe: `real, manual or a speed such as x60 (x${RATE_MIN} to x${RATE_MAX})`,
  words: ['real', 'manual', 'x60'],
  read: (given) => {
    if (given === 'real') return { mode: 'real', rate: 1 };
    if (given === 'manual') return { mode: 'manual', rate: 0 };
    const rate = /^x\d+(\.\d+)?$/.test(given) ? Number(given.slice(1)) : NaN;
    return rate >= RATE_MIN && rate <= RATE_MAX ? { mode: 'scaled', rate } : undefined;
  },
};

export const HOST = textKind(
  'ADDRESS',
  'an address or host name without a port, such as 127.0.0.1, 0.0.0.0 or ::1',
  (given) => isIP(given) > 0 || /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i.test(given),
);

export const HOST_NAME: OptionKind<string> = {
  argument: 'NAME',
  mustBe: 'a host name or address without scheme and port, such as sandbox.example.com',
  read: (given) => HOST.read(given)?.toLowerCase(),
};

/** The address of a server, without a trailing slash. */
export function address(mustBe: string): OptionKind<string> {
  return {
    argument: 'URL',
    mustBe,
    read: (given) => {
      if (!/^https?:\/\/[^?#\s]+$/i.test(given) || !URL.canParse(given)) return undefined;
      const { username, password } = new URL(given);
      // fetch() refuses an address with credentials.
      return username === '' && password === '' ? given.replace(/\/+$/, '') : undefined;
    },
  };
}

const isVisibleAscii = (given: string): boolean => /^[\x21-\x7e]+$/.test(given);

export const ADMIN_TOKEN: OptionKind<string> = {
  ...textKind('TOKEN', 'printable ASCII characters without spaces', isVisibleAscii),
  isSecret: true,
  isGuard: true,
};

export function secretKey(mustBe: string): OptionKind<string> {
  const isKey = (given: string): boolean => isVisibleAscii(given) && !given.startsWith('sk_live_');
  return { ...textKind('KEY', mustBe, isKey), isSecret: true };
}

export const INSTANT: OptionKind<number> = {
  argument: 'INSTANT',
  mustBe: 'a date and time such as 2026-01-01T00:00:00Z',
  read: parseInstant,
};

export const JOURNAL_FILE = textKind('FILE', 'a file name that ends in .har or .json', (given) =>
  /\.(?:har|json)$/i.test(given),
);

export const SCENARIO_NAME = textKind(
  'NAME',
  'a scenario name from `playmoney scenarios`',
  (given) => given !== '' && !isScenarioFile(given),
);

/** Whether --scenario names a file; otherwise it names a scenario of the library. */
export function isScenarioFile(given: string): boolean {
  return /[/\\]|\.(?:ya?ml|json)$/i.test(given);
}
