import { parseScenario } from '../../scenarios/schema.js';
import { definitionOf, WHOLE } from '../../scenarios/definition.js';
import { faultsOf, type ScenarioFault } from '../../scenarios/faults.js';
import type { NamedState, QueueMatch, Scenario } from '../../scenarios/model.js';
import { type QueueData, QUEUED_STEPS_MAX, stepOfData, stepToData } from '../../scenarios/queue.js';
import type { RuleCounts } from '../../scenarios/rules.js';
import type { ScriptData } from '../../scenarios/script.js';
import { State } from '../../scenarios/then.js';
import { QueueOutcomes } from '../scenario/outcomes-schema.js';
import { presentStep } from '../scenario/outcomes-presenter.js';
import { anyText, instant, maybeText } from './state-members.js';
import { list, Misfit, misfit, orNull, record, type Shape, text, whole, within } from './state-shape.js';

/** What a world was told to answer, as a document holds it: the scenario as in its file, queues as they are sent. */
interface StoredScript {
  readonly scenario: Scenario | null;
  /** In the order of the scenario's rules. */
  readonly rules: readonly RuleCounts[];
  /** In the order of its policies for webhooks. */
  readonly policies: readonly RuleCounts[];
  readonly state: NamedState;
  readonly down: readonly string[];
  readonly nextQueueId: number;
  readonly queues: readonly QueueData[];
}

const counted = whole(0, Number.MAX_SAFE_INTEGER);

/** What a contract of scenarios found wrong, at its place in the document. */
function refuseFault({ path, message }: ScenarioFault): never {
  const bad = new Misfit(`is not taken: ${message}`);
  bad.path.push(...path);
  throw bad;
}

const scenario: Shape<Scenario> = {
  read: (value) => {
    const parsed = parseScenario(value);
    if ('scenario' in parsed) return parsed.scenario;
    const [first = { path: [], message: 'it is no scenario', isKey: false }] = parsed.faults;
    return refuseFault(first);
  },
  // Here whole card numbers and Ccvs may stand, as those of the vault do.
  write: (played) => definitionOf(played, WHOLE),
};

const ruleCounts: Shape<RuleCounts> = record<RuleCounts>({
  seen: counted,
  matched: counted,
  window: orNull(record<NonNullable<RuleCounts['window']>>({ start: instant, calls: counted })),
});

/** Named states; left out when none is set. */
const state: Shape<NamedState> = {
  read: (value) => {
    if (value === undefined) return {};
    const read = State.safeParse(value, { reportInput: true });
    if (read.success) return read.data;
    const [first = { path: [], message: 'these are no states', isKey: false }] = faultsOf(read.error.issues);
    return refuseFault(first);
  },
  write: (states) => (Object.keys(states).length === 0 ? undefined : states),
};

const bareProviderId = text(
  32,
  (value) => /^[\da-f]{32}$/.test(value),
  'a ProviderId without hyphens, in lower case',
);

interface StoredQueue {
  readonly outcomeQueueId: number;
  readonly operation: string;
  readonly match: { readonly [K in keyof QueueMatch]-?: string | null };
  readonly outcomes: readonly unknown[];
}

const storedQueue = record<StoredQueue>({
  outcomeQueueId: whole(1, Number.MAX_SAFE_INTEGER),
  operation: anyText,
  match: record<StoredQueue['match']>({
    reference: maybeText,
    providerId: maybeText,
    cardNumber: maybeText,
    amount: maybeText,
  }),
  outcomes: list<unknown>({ read: (value) => value, write: (value) => value }),
});

/** A queue in the members with which it is sent, by whose contract it is checked as well. */
const queue: Shape<QueueData> = {
  read: (value) => {
    const { outcomeQueueId: id, operation, match, outcomes } = storedQueue.read(value);
    const { reference, providerId, cardNumber, amount } = match;
    const read = QueueOutcomes.safeParse({
      Operation: operation,
      Outcomes: outcomes,
      Match: {
        Reference: reference ?? undefined,
        ProviderId: providerId ?? undefined,
        CardNumber: cardNumber ?? undefined,
        Amount: amount ?? undefined,
      },
    });
    if (read.success) {
      const { steps, ...entry } = read.data;
      return { id, ...entry, steps: steps.map(stepToData) };
    }
    const [first] = read.error.issues;
    const [member = 'Outcomes'] = first?.path ?? [];
    return within(String(member), () => misfit(first?.message ?? 'is not taken'), value);
  },
  write: ({ id, operation, match, steps }) =>
    storedQueue.write({
      outcomeQueueId: id,
      operation,
      match: {
        reference: match.reference ?? null,
        providerId: match.providerId ?? null,
        cardNumber: match.cardNumber ?? null,
        amount: match.amount ?? null,
      },
      outcomes: steps.map((step) => presentStep(stepOfData(step))),
    }),
};

const stored: Shape<StoredScript> = record<StoredScript>({
  scenario: orNull(scenario),
  rules: list(ruleCounts),
  policies: list(ruleCounts),
  state,
  down: list(bareProviderId),
  nextQueueId: whole(1, Number.MAX_SAFE_INTEGER),
  queues: list(queue),
});

/** The member Script of a document; one without it leaves a world without any script. */
export const stateScript: Shape<ScriptData> = {
  read: (value) => {
    const { scenario: played, rules, policies, ...rest } = stored.read(value);
    const { state: states, down, nextQueueId, queues } = rest;
    requireFitting('Rules', rules, played?.rules.length ?? 0);
    requireFitting('Policies', policies, played?.webhooks?.policies.length ?? 0);
    requireNumbered(queues, nextQueueId);
    return {
      version: 1,
      scenario: played,
      rules,
      policies,
      state: states,
      down,
      queues: { nextId: nextQueueId, queues },
    };
  },
  write: ({ scenario: played, rules, policies, state: states, down, queues }) =>
    stored.write({
      scenario: played,
      rules,
      policies,
      state: states,
      down,
      nextQueueId: queues.nextId,
      queues: queues.queues,
    }),
};

/** Each rule and policy of the scenario has its counts. */
function requireFitting(member: 'Rules' | 'Policies', counts: readonly RuleCounts[], wanted: number): void {
  if (counts.length === wanted) return;
  const what = member.toLowerCase();
  within(member, () => misfit(`are ${counts.length}, but the scenario has ${wanted} ${what}`), counts);
}

/** Queues are used up in the order of their numbers, and none is given twice. */
function requireNumbered(queues: readonly QueueData[], nextId: number): void {
  let last = 0;
  let steps = 0;
  for (const [n, { id, steps: left }] of queues.entries()) {
    const check = (): void => {
      if (id <= last || id >= nextId) misfit('has a number that is not its turn');
      if (steps + left.length > QUEUED_STEPS_MAX) misfit(`has outcomes beyond ${QUEUED_STEPS_MAX} in all`);
    };
    within('Queues', () => within(n, check, left), left);
    last = id;
    steps += left.length;
  }
}
