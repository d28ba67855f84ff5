import type { Delivery, JournalEntry } from '../client/answers.js';
import type { ScenarioDefinition } from '../client/scenario-definition.js';
import { isObject } from '../core/text/text.js';
import type { TrialResult } from './engine.js';
import { formatMoney } from './expected.js';
import { resolveFaults } from './faults.js';
import type { SweepEvent, SweepFinding } from './public.js';
import type { ObservedWorld } from './run.js';
import { RULE_PREFIX, TOGETHER } from './points.js';
import { type Injection, trialScenario, type Trial } from './trial.js';
import { type Disagreement, isFinding, type Verdict } from './verdicts.js';

/** Advice for each verdict. The guide has a section for each. */
export const ADVICE: Readonly<Partial<Record<Verdict, string>>> = {
  'charged twice':
    'Search for the Reference before you charge again: the service has no idempotency key, so a second call is a second charge.',
  'paid, not delivered':
    'No answer, or one that the service did not write, does not mean that nothing was charged. Search for the Reference, and let a job check open orders later.',
  'delivered, not paid':
    'Deliver only what the service says is paid: a charge with Status SUCCESS, in its own answer or in a webhook whose signature is right.',
  'refunded too much': 'Read the charge and its RefundedAmount before you refund again.',
  'refunded too little': 'A refund is done when the answer says so. Read the charge if none arrived.',
  'left open':
    'Void what you do not capture, also after an error. Until then the money of your customer is blocked.',
  'created twice':
    'Look for the record before you create it again, by its Reference or its e-mail address, or remove the one too many.',
  'paid, but the test failed':
    'Perhaps the program lost track of the payment, perhaps the test only expected another message. --orders tells the two apart.',
  stuck: 'Give every call a time-out, and every repetition an end.',
};

/** Between the faults of one run. */
const THEN = ' then ';
const CRASH_NAMES = new Set(resolveFaults([], true).map(({ name }) => name));

const RACE_ADVICE =
  'Claim the order before the call, in one step that only one of them can win, such as a unique row or UPDATE … WHERE status = ?. Undo the claim only if nothing was charged.';

/** What to do about a finding. */
export function adviseOn({ verdict, point }: Pick<SweepFinding, 'verdict' | 'point'>): string {
  return point.startsWith(TOGETHER) ? RACE_ADVICE : (ADVICE[verdict] ?? '');
}

/** How many orders of a race a finding names. */
const ORDERS_SHOWN = 3;
/** Scenario files allow twice as much. */
const DESCRIPTION_MAX = 2000;

/** Each cause is one finding, even if several faults show it. The one with the fewest faults names it. */
export async function groupFindings(
  results: readonly TrialResult[],
  accepted: readonly string[],
  yamlOf: (scenario: ScenarioDefinition) => Promise<string>,
): Promise<SweepFinding[]> {
  const groups = new Map<string, TrialResult[]>();
  for (const [result, name] of nameFindings(results)) groups.set(name, [...(groups.get(name) ?? []), result]);
  const named = [...groups].map(([name, group]) => buildFinding(name, group, accepted.includes(name)));
  return Promise.all(
    named.map(async (finding) => ({ ...finding, scenario: await yamlOf(finding.definition) })),
  );
}

/**
 * The runs with findings, and the name of the finding that each belongs to: those with the fewest faults first, then by their calls,
 * whose order may depend on chance.
 */
export function nameFindings(results: readonly TrialResult[]): ReadonlyMap<TrialResult, string> {
  const found = results.filter(({ judgement }) => isFinding(judgement.verdict));
  const names = new Map<TrialResult, string>();
  const placed = found.map((result) => ({ result, points: formatPoints(result.trial) }));
  placed.sort(
    (a, b) =>
      a.result.trial.length - b.result.trial.length ||
      (a.points < b.points ? -1 : Number(a.points > b.points)),
  );
  for (const { result, points } of placed) {
    const cause = [...names.keys()].find((simpler) => isCauseOf(simpler, result));
    names.set(result, (cause && names.get(cause)) ?? `${result.judgement.verdict} at ${points}`);
  }
  return names;
}

/**
 * Whether the money of two runs goes wrong for one reason: their last fault hits the same operation, for whichever order and in
 * whichever attempt, and leads to the same verdict, or else is the only one of the simpler run.
 */
function isCauseOf(simpler: TrialResult, { trial, judgement }: TrialResult): boolean {
  const [one, other] = [simpler.trial.at(-1), trial.at(-1)] as [Injection, Injection];
  if (one.point.operation !== other.point.operation) return false;
  const isOnly = simpler.trial.length < trial.length && one.fault.name === other.fault.name;
  return isOnly || simpler.judgement.verdict === judgement.verdict;
}

function buildFinding(
  name: string,
  group: readonly TrialResult[],
  isAccepted: boolean,
): Omit<SweepFinding, 'scenario'> {
  const [{ trial, judgement, run }] = group as [TrialResult];
  const { verdict, observed, disagreements } = judgement;
  const [wrong = NOTHING_WRONG, ...others] = disagreements;
  const simple = group.filter((result) => result.trial.length === trial.length);
  const alone = simple.map((result) => result.trial.at(-1)?.fault.name);
  const telling = group.filter(
    (one) => simple.includes(one) || !alone.includes(one.trial.at(-1)?.fault.name),
  );
  const [, ...places] = new Set(simple.map((result) => formatPoints(result.trial)));
  const timeline = buildTimeline(observed, trial, verdict);
  const isRace = trial.some(({ fault }) => fault.order !== undefined);
  const calls = timeline.map(({ point }) => point).join('; ');
  const description = isRace ? `${name}: ${calls}`.slice(0, DESCRIPTION_MAX) : name;
  return {
    name,
    verdict,
    point: formatPoints(trial),
    faults: nameGroup(telling),
    ...wrong,
    story: [
      ...trial.map(({ fault }) => fault.about),
      ...(observed.name === '' ? [] : [`In the world "${observed.name}":`]),
      describeDisagreement(verdict, wrong, run.failure),
      ...others.map((other) => `Also ${other.verdict}: ${other.reference ?? 'in total'}.`),
      ...(places.length === 0 ? [] : [`The same at ${places.join(' and at ')}.`]),
    ].join(' '),
    timeline,
    definition: { ...trialScenario(trial, 'by hand'), description },
    isAccepted,
  };
}

/** What to do by hand while the scenario of a finding holds the call at which the program crashed; empty for other findings. */
export function explainCrash({ faults: [first = ''] }: SweepFinding): string {
  const isCrash = first.split(THEN).some((name) => CRASH_NAMES.has(name));
  return isCrash ? 'When your program waits for an answer, end it and start it again.' : '';
}

/** The faults that show a finding. Of the orders of a race, only the simplest. */
function nameGroup(group: readonly TrialResult[]): string[] {
  const names = [...new Set(group.map(({ trial }) => trial.map(({ fault }) => fault.name).join(THEN)))];
  const more = names.length - ORDERS_SHOWN;
  if (more <= 0 || group[0]?.trial[0]?.fault.order === undefined) return names;
  return [...names.slice(0, ORDERS_SHOWN), `${more} more orders`];
}

/** A run that is stuck, or whose test failed, may have taken nothing. */
const NOTHING_WRONG: Omit<Disagreement, 'verdict'> = {
  reference: null,
  currency: '',
  ordered: null,
  taken: 0,
  believed: 'no order',
};

function formatPoints(trial: Trial): string {
  return trial.map(({ point }) => point.name).join(', then ');
}

function describeDisagreement(
  verdict: Verdict,
  wrong: Omit<Disagreement, 'verdict'>,
  failure: string | null,
): string {
  const { reference, currency, ordered, taken, believed, created } = wrong;
  const order = reference ?? 'all orders together';
  const expected = ordered === null ? 'nothing' : formatMoney(ordered, currency);
  const took = `The service took ${formatMoney(taken, currency)} for ${order}`;
  // Messages of assertions go on for many lines.
  const thrown = failure === null ? '' : ` The program threw: ${failure.split('\n', 1).join()}`;
  switch (verdict) {
    case 'charged twice':
      return `${took}; ordered: ${expected}.`;
    case 'paid, not delivered':
      return `${took}, and the program believes: ${believed}.${thrown}`;
    case 'delivered, not paid':
      return `${took}, and the program believes that ${expected} is paid.`;
    case 'refunded too much':
      return `Only ${formatMoney(taken, currency)} is left for ${order}.`;
    case 'refunded too little':
      return `${formatMoney(taken, currency)} is left for ${order}, more than the program believes.`;
    case 'left open':
      return `An authorisation for ${order} was neither captured nor voided.${thrown}`;
    case 'created twice':
      return `There are ${created?.count} ${created?.what}, and ${created?.cleanCount} without a fault. The last one is of ${created?.call}.`;
    case 'stuck':
      return 'The run did not end.';
    default:
      return `${took}.${thrown}`;
  }
}

/** The calls of a run with their webhooks, and what happened to them. */
function buildTimeline(observed: ObservedWorld, trial: Trial, verdict: Verdict): SweepEvent[] {
  const { entries, calls, deliveries, webhooks, balance } = observed;
  const served = entries.filter(({ operation }) => operation !== null);
  const [, ...again] = verdict === 'charged twice' ? listTakingEntries(balance) : [];
  const noteOf = (rule: string | null): string | null =>
    rule?.startsWith(RULE_PREFIX)
      ? (trial[Number(rule.slice(RULE_PREFIX.length + 1, RULE_PREFIX.length + 2)) - 1]?.fault.name ?? null)
      : null;
  const webhookEvents = deliveries.map((delivery, i) => ({
    cause: delivery.entryId,
    event: { point: webhooks[i]?.name ?? '', text: formatWebhook(delivery), note: noteOf(delivery.policy) },
  }));
  const nameCaller = ({ requestId }: JournalEntry): string => {
    const party = observed.parties?.get(requestId);
    return party === undefined ? '' : `, ${party}`;
  };
  const own = served.flatMap((entry, i) => [
    {
      point: `${calls[i]?.name ?? ''}${nameCaller(entry)}`,
      text: formatCall(entry),
      note: noteOf(entry.rule) ?? (again.includes(entry.entryId) ? 'charged again' : null),
    },
    ...webhookEvents.filter(({ cause }) => cause === entry.entryId).map(({ event }) => event),
  ]);
  const uncaused = webhookEvents.filter(({ cause }) => !served.some(({ entryId }) => entryId === cause));
  return [...own, ...uncaused.map(({ event }) => event)];
}

/** The calls that took money, in order. */
function listTakingEntries({ findings }: ObservedWorld['balance']): number[] {
  const taking = findings
    .filter(({ kind }) => kind !== 'open')
    .flatMap(({ charges }) => charges.flatMap(({ entryId }) => entryId ?? []));
  return taking.toSorted((a, b) => a - b);
}

function formatCall({ method, path, status, responseBody }: JournalEntry): string {
  const answer = status === 0 ? 'no answer' : [status, ...formatRecord(responseBody)].join(' ');
  return `${method} ${path} → ${answer}`;
}

function formatWebhook({ body, status, responseStatus, note }: Delivery): string {
  const result = responseStatus === null ? (note ?? status) : `answered ${responseStatus}`;
  return [...formatRecord(body['data']), `→ ${result}`].join(' ');
}

/** The status and the amount of a record, in either spelling. */
function formatRecord(value: unknown): readonly string[] {
  const record = isObject(value) ? value : {};
  const status = record['Status'] ?? record['status'];
  const amount = record['Amount'] ?? record['amount'];
  return [status, amount].filter((part) => part !== undefined && part !== null).map(String);
}
