import { readSavedScenario } from '../../scenarios/file/schema.js';
import { toDefinition, WHOLE } from '../../scenarios/file/definition.js';
import { scenarioIssues, type ScenarioIssue } from '../../scenarios/file/issues.js';
import type { NamedState, Scenario } from '../../scenarios/script/model.js';
import type { Queue } from '../../scenarios/script/queue.js';
import { EACH_MAX, type RuleCounts } from '../../scenarios/script/rules.js';
import type { ScriptData } from '../../scenarios/script/script.js';
import { State } from '../../scenarios/file/effects.js';
import { QueueOutcomes } from '../scenario/schema.js';
import { presentStep } from '../scenario/presenter.js';
import * as field from '../../core/store/field.js';
import { isObject } from '../../core/text/text.js';

/** Reports a scenario's first issue at its place in the document. */
function refuseIssue({ path, message }: ScenarioIssue): never {
  return field.invalidAt(path, `is invalid: ${message}`);
}

/** A rule or a queued outcome without a phase that has no effect, which earlier versions accepted. */
function dropIdlePhase(then: unknown): unknown {
  if (!isObject(then)) return then;
  const given = Object.fromEntries(
    Object.entries(then).map(([name, content]) => [name.toLowerCase(), content]),
  );
  const isIdle =
    given['phase'] === 'after' &&
    (given['fault'] ?? given['respond'] ?? given['delay']) === undefined &&
    given['outcome'] !== 'gateway_timeout';
  return isIdle ? Object.fromEntries(Object.entries(then).filter(([name]) => !/^phase$/i.test(name))) : then;
}

function dropIdlePhases(document: unknown): unknown {
  if (!isObject(document) || !Array.isArray(document['rules'])) return document;
  const rules = (document['rules'] as unknown[]).map((rule) =>
    // oxlint-disable-next-line unicorn/no-thenable -- the field of a scenario file
    isObject(rule) ? { ...rule, then: dropIdlePhase(rule['then']) } : rule,
  );
  return { ...document, rules };
}

const scenarioCodec: field.Codec<Scenario> = {
  read: (value) => {
    const parsed = readSavedScenario(dropIdlePhases(value));
    if ('scenario' in parsed) return parsed.scenario;
    const [first = { path: [], message: 'it is not a scenario', isKey: false }] = parsed.issues;
    return refuseIssue(first);
  },
  // With full card numbers and Ccvs, like the vault in the same document.
  write: (played) => toDefinition(played, WHOLE),
};

/** When the scenario came into use; left out without one. Scenarios of earlier versions have no times that depend on it. */
const startCodec: field.Codec<number> = {
  read: (value) => field.instant.read(value ?? 0),
  write: (value) => value || undefined,
};

const ruleCountsCodec = field.list<RuleCounts>(
  field.record({
    seen: field.count,
    matched: field.count,
    window: field.orNull(field.record({ start: field.instant, calls: field.count })),
    each: field.checked(field.list(field.record({ of: field.anyText, seen: field.count })), (counts) =>
      counts.length > EACH_MAX ? `has ${counts.length} items; the maximum is ${EACH_MAX}` : undefined,
    ),
  }),
);

/** Named states; left out when none is set. */
const namedStateCodec: field.Codec<NamedState> = {
  read: (value) => {
    if (value === undefined) return {};
    const read = State.safeParse(value, { reportInput: true });
    if (read.success) return read.data;
    const [first = { path: [], message: 'they are not named states', isKey: false }] = scenarioIssues(
      read.error.issues,
    );
    return refuseIssue(first);
  },
  write: (states) => (Object.keys(states).length === 0 ? undefined : states),
};

const bareProviderIdCodec = field.text(
  32,
  (value) => /^[\da-f]{32}$/.test(value),
  'a ProviderId without hyphens, in lower case',
);

const queueIdCodec = field.whole(1, field.COUNT_MAX);

const queueRequestCodec = field.record({
  outcomeQueueId: queueIdCodec,
  operation: field.anyText,
  match: field.record({
    reference: field.maybeText,
    providerId: field.maybeText,
    cardNumber: field.maybeText,
    amount: field.maybeText,
  }),
  outcomes: field.list<unknown>({ read: (value) => value, write: (value) => value }),
});

const MATCHES_ALL = { reference: null, providerId: null, cardNumber: null, amount: null };

/** A queue in the same fields as in the request that creates it, with the same checks. */
const queueCodec: field.Codec<Queue> = {
  read: (value) => {
    const { outcomeQueueId: id, operation, outcomes } = queueRequestCodec.read(value);
    const { Match } = value as { readonly Match: unknown };
    const Outcomes = outcomes.map(dropIdlePhase);
    const read = QueueOutcomes.safeParse({ Operation: operation, Outcomes, Match });
    if (read.success) return { id, ...read.data };
    const [first] = read.error.issues;
    const [name = 'Outcomes'] = first?.path ?? [];
    return field.invalidAt([String(name)], first?.message ?? 'is invalid');
  },
  write: ({ id, operation, match, steps }) =>
    queueRequestCodec.write({
      outcomeQueueId: id,
      operation,
      match: { ...MATCHES_ALL, ...match },
      outcomes: steps.map(presentStep),
    }),
};

/** The script of a world in a document: the scenario as in its file, queues as in their requests. */
const storedScriptCodec = field.record({
  scenario: field.orNull(scenarioCodec),
  start: startCodec,
  /** In the order of the scenario's rules, and of its policies for webhooks. */
  rules: ruleCountsCodec,
  policies: ruleCountsCodec,
  state: namedStateCodec,
  down: field.list(bareProviderIdCodec),
  nextQueueId: queueIdCodec,
  queues: field.list(queueCodec),
});

/** The field Script of a document. Without it, the world has no script. */
export const scriptCodec: field.Codec<ScriptData> = {
  read: (value) => {
    const { nextQueueId, queues, ...rest } = storedScriptCodec.read(value);
    requireCounts('Rules', rest.rules, rest.scenario?.rules.length ?? 0);
    requireCounts('Policies', rest.policies, rest.scenario?.webhooks?.policies.length ?? 0);
    return { ...rest, queues: { nextId: nextQueueId, queues } };
  },
  write: ({ queues, ...rest }) =>
    storedScriptCodec.write({ ...rest, nextQueueId: queues.nextId, queues: queues.queues }),
};

/** Checks that each rule and policy of the scenario has its counts. */
function requireCounts(name: 'Rules' | 'Policies', counts: readonly RuleCounts[], wanted: number): void {
  const reason = `has ${counts.length} entries, but the scenario has ${wanted} ${name.toLowerCase()}`;
  if (counts.length !== wanted) field.invalidAt([name], reason);
}
