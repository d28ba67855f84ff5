import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import { ApiError, CODE } from '../../src/core/errors.js';
import {
  type OptionKind,
  wordKind,
  option,
  ORIGIN,
  readJsonOption,
  textKind,
  TTL_KIND,
  type OptionValues,
} from '../../src/core/option.js';
import { ValidationError } from '../../src/core/validation-error.js';
import { equalInConstantTime } from '../../src/http/auth.js';
import { isLoopbackName } from '../../src/http/gate.js';
import type { Bindings } from './platform.js';

/** `sk_test_` and 20 characters: strangers can reach the server, and a key is all that protects a world. */
const KEY_LENGTH_MIN = 28;

const KEY = textKind(
  'KEY',
  `a list of keys with at least ${KEY_LENGTH_MIN} characters, or of beginnings of keys followed by *, such as sk_test_team_*, with commas in between; all start with sk_test_`,
  (given) => /^sk_test_[\x21-\x7e]*$/.test(given) && (given.endsWith('*') || given.length >= KEY_LENGTH_MIN),
);
const TOKEN = textKind('TOKEN', 'printable ASCII characters without spaces', (given) =>
  /^[\x21-\x7e]+$/.test(given),
);

const ROWS = {
  KEYS: { ...option(listOf(KEY), 'who may call'), isSecret: true } as const,
  ADMIN_TOKEN: { ...option(TOKEN, 'what /_sandbox requires in x-sandbox-admin'), isSecret: true } as const,
  ALLOWED_ORIGINS: option(listOf(ORIGIN), 'whose pages may call'),
  WEBHOOKS: option(wordKind('WHERE', ['public', 'off'], 'public or off'), 'whether webhooks are sent', 'off'),
  EXPIRE: option(TTL_KIND, 'after how long a world that nobody calls is deleted', '7d'),
};

type Values = OptionValues<typeof ROWS>;

/** The variables of the Worker, by name. */
export interface Variables extends Values {
  /** Why one cannot be read; null if all can. Its fallback stands for it, which only the refusals may use. */
  readonly problem: string | null;
}

export function readVariables(bindings: Bindings): Variables {
  let problem: string | null = null;
  const values = Object.entries(ROWS).map(([name, row]) => {
    const given = bindings[name as keyof Values];
    const value = given === undefined ? row.fallback : readJsonOption<unknown>(row, given);
    if (!(value instanceof ValidationError)) return [name, value] as const;
    problem ??= `The variable ${name} of this Worker ${value.message}.`;
    return [name, row.fallback] as const;
  });
  return { ...(Object.fromEntries(values) as Values), problem };
}

/** A typing error must not open the Worker to strangers. */
export function requireReadable({ problem }: Variables): void {
  if (problem !== null) refuseCall(problem, 503);
}

/** Without KEYS, only the machine of `wrangler dev` may call: everybody can make a key. */
export function requireCaller({ KEYS }: Variables, { url }: Request): void {
  if (KEYS !== null || isLoopbackName(new URL(url).hostname.replace(/^\[|\]$/g, ''))) return;
  refuseCall(
    `This Worker answers only on localhost until its variable KEYS says whose keys it accepts. Set it to ${KEY.mustBe}. Then deploy the Worker again.`,
    403,
  );
}

/** Which keys are accepted. */
export function keySettings(
  variables: Variables,
): Required<Pick<InnerSandboxOptions, 'keys' | 'keyLengthMin' | 'vetKey'>> {
  return { keys: [], keyLengthMin: KEY_LENGTH_MIN, vetKey: (key) => vetKey(variables, key) };
}

function vetKey({ KEYS }: Variables, key: string): void {
  const fits = (entry: string): boolean =>
    entry.endsWith('*') ? key.startsWith(entry.slice(0, -1)) : equalInConstantTime(entry, key);
  if ((KEYS ?? ['sk_test_*']).some(fits)) return;
  const whose = KEYS === null ? '' : ' and is among those of the variable KEYS of this Worker';
  const detail = `The key in x-secretkey is not accepted. Send one that starts with sk_test_${whose}.`;
  throw new ApiError({ code: CODE.InvalidAuthentication, detail });
}

function listOf<T>(kind: OptionKind<T>): OptionKind<readonly T[]> {
  const read = (given: string): readonly T[] | undefined => {
    const values = given.split(',').map((one) => kind.read(one.trim()));
    return values.includes(undefined) ? undefined : (values as T[]);
  };
  return { ...kind, words: [], read };
}

function refuseCall(detail: string, httpStatus: number): never {
  throw new ApiError({ code: CODE.FeatureUnavailable, detail, httpStatus });
}
