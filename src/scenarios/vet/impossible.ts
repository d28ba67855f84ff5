import { RECEIVER } from '../../core/receiver.js';
import { compileGlob } from '../../core/text/glob.js';
import { didYouMean } from '../../core/text/nearest.js';
import { formatDuration } from '../../core/time/time.js';
import * as values from '../../records/field-values.js';
import { bareProviderId, type ProviderCost } from '../../records/provider.js';
import { type EventType, TOPIC_OF_EVENT } from '../../records/webhook-subscription.js';
import { OPERATIONS } from '../script/operations.js';
import { CUSTOMER, matchesSomeReceiver, PROVIDER, whyNoCard, whyNoKey } from '../script/possible.js';
import type { Rule, RuledScenario, When } from '../script/rule.js';
import { missingInCalls, missingInWebhooks, listNeeded } from './testable.js';
import type { StateValue } from '../file/effects.js';
import { joinWithOr, quoteInput } from '../file/field.js';
import { pathLabel, type IssuePath, type ScenarioIssue } from '../file/issues.js';
import { findUnreachable } from './unreachable.js';

type WhyRefused<T> = (value: T, index: number) => string | null;

const EVENTS = Object.keys(TOPIC_OF_EVENT) as EventType[];

/** Finds conditions that can never match, so that a test which relies on them proves nothing. `file` is the content as written. */
export function findImpossible(scenario: RuledScenario, file: unknown): readonly ScenarioIssue[] {
  const { keys, rules, webhooks } = scenario;
  const states = settableStates(scenario);
  const policies = webhooks?.policies ?? [];
  return [
    ...vetEach(file, ['keys'], keys, whyNoKey),
    ...vetProviders(scenario, file),
    ...rules.flatMap((rule, i) => vetRule(rule, ['rules', i, 'when'], states, file)),
    ...policies.flatMap((rule, i) => vetPolicy(rule, ['webhooks', 'policies', i, 'when'], states, file)),
    ...findUnreachable(scenario),
  ];
}

function issueAt(path: IssuePath, message: string, isKey = false): ScenarioIssue {
  return { path, message: `${pathLabel(path)} ${message}`, isKey };
}

function readWritten(file: unknown, path: IssuePath): unknown {
  return path.reduce<unknown>(
    (value, name) => (value as Record<string | number, unknown> | undefined)?.[name],
    file,
  );
}

/** The issues of a field that has one value or a list of them. `within` is the place in each value. */
function vetEach<T>(
  file: unknown,
  path: IssuePath,
  all: readonly T[] = [],
  refusal: WhyRefused<T>,
  within: IssuePath = [],
): ScenarioIssue[] {
  const isList = Array.isArray(readWritten(file, path));
  return all.flatMap((value, index) => {
    const why = refusal(value, index);
    return why === null ? [] : [issueAt([...path, ...(isList ? [index] : []), ...within], why)];
  });
}

function readWrittenList(file: unknown, path: IssuePath): readonly string[] {
  const written = readWritten(file, path);
  return written === undefined ? [] : ([written].flat() as string[]);
}

function vetRule(rule: Rule, path: IssuePath, states: SettableStates, file: unknown): ScenarioIssue[] {
  const { when } = rule;
  const needed = listNeeded(when);
  const whyNoCall = (pattern: string): string | null => {
    const missing = missingInCalls(OPERATIONS.filter(compileGlob(pattern)), needed);
    return missing.length === 0
      ? null
      : `${quoteInput(pattern)} can never match, because its calls have no ${joinWithOr(missing)}`;
  };
  return [
    ...vetEach(file, [...path, 'operation'], readWrittenList(file, [...path, 'operation']), whyNoCall),
    ...vetEach(file, [...path, 'provider'], when.provider, (id) =>
      values.whyNeverMatches(PROVIDER, bareProviderId(id)),
    ),
    ...vetEach(file, [...path, 'card'], when.card, whyNoCard),
    ...vetEach(file, [...path, 'currency'], when.currency, (code) =>
      values.whyNeverMatches(values.CURRENCY, code),
    ),
    ...vetEach(file, [...path, 'customer'], when.customer, (id) => values.whyNeverMatches(CUSTOMER, id)),
    ...vetAmount(when, [...path, 'amount'], file),
    ...vetHeaders(when, [...path, 'header'], file),
    ...vetConditions(when, path, states, file),
  ];
}

function vetPolicy({ when }: Rule, path: IssuePath, states: SettableStates, file: unknown): ScenarioIssue[] {
  const needed = listNeeded(when);
  const eventsOf = (patterns: readonly string[]): EventType[] =>
    EVENTS.filter((event) => patterns.some((pattern) => compileGlob(pattern)(event)));
  const whyNoEvent = (pattern: string): string | null => {
    const missing = missingInWebhooks(eventsOf([pattern]), needed);
    return missing.length === 0
      ? null
      : `${quoteInput(pattern)} can never match, because its records have no ${joinWithOr(missing)}`;
  };
  const statuses = eventsOf(when.event ?? ['*']).flatMap((event) => values.eventStatuses(event) ?? []);
  const whyNoStatus = (status: string): string | null => {
    if (statuses.some((known) => values.whyNeverMatches(known, status) === null)) return null;
    const near = statuses.find((known) => known.suggest(status) !== undefined) ?? statuses[0];
    return near === undefined ? null : values.whyNeverMatches(near, status);
  };
  const whyNoUrl = (url: string): string | null =>
    matchesSomeReceiver(url)
      ? null
      : `must be the Url of a receiver, or a pattern of it, not ${quoteInput(url)}: ${RECEIVER}. Did you mean *${url}*?`;
  return [
    ...vetEach(file, [...path, 'event'], when.event, whyNoEvent),
    ...vetEach(file, [...path, 'status'], when.status, whyNoStatus),
    ...vetEach(file, [...path, 'url'], when.url, whyNoUrl),
    ...vetConditions(when, path, states, file),
  ];
}

/** The conditions that rules and policies share. */
function vetConditions(
  { nth, every = 1, state, from = 0, until = Infinity }: When,
  path: IssuePath,
  states: SettableStates,
  file: unknown,
): ScenarioIssue[] {
  const whyNoTurn = (n: number): string | null =>
    n % every === 0 ? null : `can never match: ${n} is not a multiple of every, which is ${every}`;
  const message = `can never match: it must be later than from, which is ${formatDuration(from)}`;
  return [
    ...(until > from ? [] : [issueAt([...path, 'until'], message)]),
    ...vetEach(file, [...path, 'nth'], nth, whyNoTurn),
    ...Object.entries(state ?? {}).flatMap(([name, value]) => {
      const why = whyNoState(states, name, value);
      return why === null ? [] : [issueAt([...path, 'state', name], why)];
    }),
  ];
}

function vetAmount({ amount, currency }: When, path: IssuePath, file: unknown): ScenarioIssue[] {
  const finest = values.finestCurrency(currency);
  if (amount === undefined || finest === '') return [];
  if (Array.isArray(amount))
    return vetEach(file, path, amount, (text) => values.whyImpossibleAmount(text, finest));
  if (values.hasAmountWithin(amount, finest)) return [];
  const bounds = Object.entries(amount).map(([name, bound]) => `${name} ${bound}`);
  return [
    issueAt(path, `can never match: no amount${currency ? ` in ${finest}` : ''} has ${bounds.join(' and ')}`),
  ];
}

/** Servers and clients remove blanks around the value of a header, which is in Latin-1. */
const HEADER_VALUE = /^(?![\t ])[\t\x20-\x7e\x80-\xff]*(?<![\t ])$/;

function vetHeaders({ header = {} }: When, path: IssuePath, file: unknown): ScenarioIssue[] {
  const names = Object.keys(header);
  return names.flatMap((name, index) => {
    const twin = names.slice(0, index).find((earlier) => earlier.toLowerCase() === name.toLowerCase());
    if (twin !== undefined)
      return [
        issueAt([...path, name], `is the same header as ${twin}: names of headers have no letter case`, true),
      ];
    const whyNoValue = (value: string): string | null =>
      HEADER_VALUE.test(value)
        ? null
        : `must be a text that a header can have: in Latin-1, in one line, and without blanks around it`;
    return vetEach(file, [...path, name], header[name], whyNoValue);
  });
}

type SettableStates = ReadonlyMap<string, ReadonlySet<StateValue>>;

/** The values that the timeline and the rules that can match set. */
function settableStates({ rules, timeline }: RuledScenario): SettableStates {
  const states = new Map<string, Set<StateValue>>();
  const set = (all: Readonly<Record<string, StateValue>> = {}): void => {
    for (const [name, value] of Object.entries(all))
      states.set(name, (states.get(name) ?? new Set()).add(value));
  };
  for (const entry of timeline) set(entry.do.setState);
  const canMatch = ({ when }: Rule): boolean =>
    Object.entries(when.state ?? {}).every(([name, value]) => whyNoState(states, name, value) === null);
  let waiting = rules.filter(({ effect }) => effect.state !== undefined);
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    const setting = waiting.filter(canMatch);
    for (const { effect } of setting) set(effect.state);
    waiting = waiting.filter((rule) => !setting.includes(rule));
  }
  return states;
}

function whyNoState(states: SettableStates, name: string, value: StateValue): string | null {
  const known = states.get(name);
  if (value === null || known?.has(value)) return null;
  const set = Array.from(known ?? [], (settable) => JSON.stringify(settable));
  if (set.length > 0)
    return `is never ${JSON.stringify(value)}: rules and timeline set it to ${joinWithOr(set)}`;
  return `is never ${JSON.stringify(value)}, because no rule that can match and no entry of the timeline sets it${didYouMean(name, states.keys())}`;
}

function vetProviders({ providers }: RuledScenario, file: unknown): ScenarioIssue[] {
  const byId = new Map(providers.map((provider) => [provider.providerId, provider]));
  return providers.flatMap((provider, i) => {
    const path = ['providers', i];
    const seen = [provider];
    const next = () => byId.get(bareProviderId(seen.at(-1)?.fallbackProviderId ?? ''));
    for (let fallback = next(); fallback !== undefined && !seen.includes(fallback); fallback = next())
      seen.push(fallback);
    const names = [...seen, provider].map(({ name }) => name).join(', ');
    const loop =
      next() === provider ? [issueAt([...path, 'fallback'], `leads back to its own provider: ${names}`)] : [];
    const whyNoScheme = (cost: ProviderCost, index: number): string | null =>
      whyNoCost(cost, provider.costs.slice(0, index));
    return [...loop, ...vetEach(file, [...path, 'costs'], provider.costs, whyNoScheme, ['scheme'])];
  });
}

/** The first row for a card decides its cost. */
function whyNoCost({ scheme }: ProviderCost, earlier: readonly ProviderCost[]): string | null {
  const why = scheme === null ? null : values.whyNeverMatches(values.CARD_SCHEME, scheme);
  if (why !== null) return why;
  const hides = (cost: ProviderCost): boolean =>
    cost.scheme === null || cost.scheme.toUpperCase() === scheme?.toUpperCase();
  const hidden = earlier.findIndex(hides);
  return hidden < 0
    ? null
    : `can never match, because costs[${hidden}] comes first and is for the same cards`;
}
