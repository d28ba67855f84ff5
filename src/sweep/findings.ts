import type { Delivery, JournalEntry } from '../client/answers.js';
import type { ScenarioDefinition } from '../client/scenario-definition.js';
import { currencyExponent } from '../core/money.js';
import { isObject } from '../core/text/text.js';
import type { TrialResult } from './engine.js';
import { resolveFaults } from './faults.js';
import type { Disagreement } from './judge.js';
import type { SweepEvent, SweepFinding } from './public.js';
import type { ObservedWorld } from './run.js';
import { RULE_PREFIX } from './points.js';
import { trialScenario, type Trial } from './trial.js';
import { isFinding, type Verdict } from './verdicts.js';

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
  'paid, but the test failed':
    'Look at what the test does after the fault: money was taken, and the test did not notice.',
  stuck: 'Give every call a time-out, and every repetition an end.',
};

/** Between the faults of one run. */
const THEN = ' then ';
const CRASH_NAMES = new Set(resolveFaults([], true).map(({ name }) => name));

/** Each cause at one point is one finding, even if several faults show it. The worst and the simplest come first. */
export async function groupFindings(
  results: readonly TrialResult[],
  accepted: readonly string[],
  yamlOf: (scenario: ScenarioDefinition) => Promise<string>,
): Promise<SweepFinding[]> {
  const groups = new Map<string, TrialResult[]>();
  for (const result of results) {
    const name = findingName(result);
    if (name === null) continue;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const named = [...groups].map(([name, group]) => buildFinding(name, group, accepted.includes(name)));
  return Promise.all(
    named.map(async (finding) => ({ ...finding, scenario: await yamlOf(finding.definition) })),
  );
}

/** The name of the finding that a run belongs to; null if nothing is wrong. */
export function findingName({ judgement: { verdict }, trial }: TrialResult): string | null {
  return isFinding(verdict) ? `${verdict} at ${formatPoints(trial)}` : null;
}

function buildFinding(
  name: string,
  group: readonly TrialResult[],
  isAccepted: boolean,
): Omit<SweepFinding, 'scenario'> {
  const [{ trial, judgement, run }] = group as [TrialResult];
  const { verdict, observed, disagreements } = judgement;
  const [wrong = NOTHING_WRONG, ...others] = disagreements;
  return {
    name,
    verdict,
    point: formatPoints(trial),
    faults: [...new Set(group.map((result) => result.trial.map(({ fault }) => fault.name).join(THEN)))],
    ...wrong,
    story: [
      ...trial.map(({ fault }) => fault.about),
      ...(observed.name === '' ? [] : [`In the world "${observed.name}":`]),
      describeDisagreement(verdict, wrong, run.failure),
      ...others.map((other) => `Also ${other.verdict}: ${other.reference ?? 'in total'}.`),
    ].join(' '),
    timeline: buildTimeline(observed, trial, verdict),
    definition: { ...trialScenario(trial, true), description: name },
    isAccepted,
  };
}

/** What to do by hand while the scenario of a finding holds the call at which the program crashed; empty for other findings. */
export function explainCrash({ faults: [first = ''] }: SweepFinding): string {
  const isCrash = first.split(THEN).some((name) => CRASH_NAMES.has(name));
  return isCrash ? 'When your program waits for an answer, end it and start it again.' : '';
}

/** A run that is stuck may have taken nothing. */
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

/** An amount with its currency, such as `20.00 AUD` or `20 JPY`. */
function formatMoney(amount: number, currency: string): string {
  return `${amount.toFixed(currencyExponent(currency))} ${currency}`;
}

function describeDisagreement(
  verdict: Verdict,
  wrong: Omit<Disagreement, 'verdict'>,
  failure: string | null,
): string {
  const { reference, currency, ordered, taken, believed } = wrong;
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
    case 'stuck':
      return 'The run did not end in its time.';
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
  const own = served.flatMap((entry, i) => [
    {
      point: calls[i]?.name ?? '',
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
