import { DELAY_MS_MAX, type DelaySpec } from '../../core/delay.js';
import { currencyExponent } from '../../core/money.js';
import type { ConfiguredProvider, Cost, OutcomeShare, ProviderBehaviour } from '../../providers/record.js';
import { isProviderId } from '../../outcomes/built-in.js';
import { OUTCOMES } from '../../outcomes/outcomes.js';
import { METADATA_KEYS_MAX } from '../../http/fields.js';
import {
  flag,
  isPlainObject,
  list,
  number,
  orNull,
  record,
  type Shape,
  text,
  texts,
  whole,
  within,
  word,
} from './state-shape.js';

/** How a configured provider stands in a document. */

const LONG = 65_536;
const COUNT_MAX = 1_000_000_000;
const SIGMA_MAX = 5;

const delayMs = number(0, DELAY_MS_MAX);
const kind = word('fixed', 'uniform', 'lognormal');
const DELAYS = {
  fixed: record<Omit<DelaySpec & { kind: 'fixed' }, 'kind'>>({ ms: delayMs }),
  uniform: record<Omit<DelaySpec & { kind: 'uniform' }, 'kind'>>({ minMs: delayMs, maxMs: delayMs }),
  lognormal: record<Omit<DelaySpec & { kind: 'lognormal' }, 'kind'>>({
    medianMs: delayMs,
    sigma: number(0, SIGMA_MAX),
  }),
};

/** Which members there are depends on the kind. */
const delay: Shape<DelaySpec> = {
  read: (value) => {
    const { Kind, ...rest } = isPlainObject(value) ? value : {};
    const named = within('Kind', kind.read, Kind);
    return { kind: named, ...DELAYS[named].read(rest) } as DelaySpec;
  },
  write: ({ kind: named, ...rest }) => ({
    Kind: named,
    ...((DELAYS[named] as Shape<object>).write(rest) as object),
  }),
};

const outcome = text(LONG, (value) => OUTCOMES.has(value), 'the name of an outcome');

const behaviour = record<ProviderBehaviour>({
  latency: orNull(delay),
  outcomes: list(record<OutcomeShare>({ outcome, weight: number(0, COUNT_MAX) })),
  fails: orNull(record<NonNullable<ProviderBehaviour['fails']>>({ every: whole(1, COUNT_MAX), outcome })),
  features: record<ProviderBehaviour['features']>({
    authorise: flag,
    partialCapture: flag,
    partialRefund: flag,
  }),
});

const cost = record<Cost>({
  international: orNull(flag),
  scheme: orNull(text(LONG)),
  transaction: orNull(number(0, COUNT_MAX)),
  percentage: orNull(number(0, COUNT_MAX)),
});

const anyId = text(36, isProviderId, 'a ProviderId');
const parameters = texts(METADATA_KEYS_MAX, LONG);

/** The shape of a configured provider; `instant` is that of all records. */
export const providerShape = (instant: Shape<number>): Shape<Omit<ConfiguredProvider, 'id' | 'index'>> =>
  record<Omit<ConfiguredProvider, 'id' | 'index'>>({
    providerId: text(32, (value) => /^[\da-f]{32}$/.test(value), '32 hexadecimal digits in small letters'),
    type: text(LONG),
    name: text(LONG),
    environment: word('SANDBOX', 'PRODUCTION'),
    currency: text(3, (value) => currencyExponent(value) !== undefined, 'an ISO 4217 code such as AUD'),
    authenticationParameters: parameters,
    additionalParameters: parameters,
    country: orNull(text(LONG)),
    threeDsProviderId: orNull(anyId),
    fallbackProviderId: orNull(anyId),
    costs: list(cost),
    behaviour,
    dateAdded: instant,
    dateRemoved: orNull(instant),
    scripted: flag,
  });
