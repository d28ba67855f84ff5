import {
  type BriefCall,
  type FullCall,
  type PlayedWholeResponse,
  readTextAt,
  type TriggersResponse,
  type QueueResponse,
} from '../state/wire.js';
import { describeFault, explainFault } from './faults.js';
import { fieldPart, type SentenceParts, say, joinSentences, strong } from './sentence.js';

/** The triggers and the scenario of a world, which explain its decisions. Null while they load. */
export interface DecisionContext {
  readonly triggers: TriggersResponse | null;
  readonly scenario: PlayedWholeResponse | null;
}

/** The trigger or rule that decided a call, as the journal or the charge stores it. */
export interface DecidedBy {
  readonly Precedence: string | null;
  readonly Trigger: string | null;
  readonly Rule: string | null;
}

/** Why a call got its answer. */
export function whyCall(call: FullCall, known: DecisionContext): SentenceParts {
  const { Fault, Precedence, Status, ResponseBody } = call;
  if (Fault !== null) return explainFault(call, nounOf(call.Operation ?? 'call'));
  if (Precedence !== null) return whyDecided(call, findOutcomeName(call, known), known);
  if (Status === 0) return say`The connection ended before the answer was sent.`;
  if (Status < 400) return say`The service answered it by its own rules.`;
  const message = readTextAt(ResponseBody, 'Message') || readTextAt(ResponseBody, 'message');
  return joinSentences(
    say`The service ${strong('refused')} the call.`,
    message === '' ? [] : say`${message}`,
  );
}

export const APPROVED: SentenceParts = say`${strong('Approved')}: nothing said otherwise.`;

/** Why a provider answered as it did. The outcome may be unknown. */
export function whyDecided(
  { Precedence, Trigger, Rule }: DecidedBy,
  outcome: string,
  known: DecisionContext,
): SentenceParts {
  const detail = Trigger?.slice(Trigger.indexOf(':') + 1) ?? '';
  const result = outcome === '' ? say`decided` : say`answered ${strong(outcome)}`;
  const from = known.scenario?.Scenario;
  const isOfScenario = known.scenario?.Rules.some((rule) => rule.Rule === Rule) === true;
  const of = from && isOfScenario ? ` of the scenario ${from}` : '';
  const texts: Readonly<Record<string, SentenceParts>> = {
    approve: APPROVED,
    '3ds': say`The 3-D Secure authentication ${strong('failed')}.`,
    header: Trigger?.startsWith('hold:')
      ? say`The call was held, and somebody chose ${strong(detail)}.`
      : say`The request asked for ${strong(detail)} by the header x-sandbox-outcome.`,
    queue: say`An outcome of queue ${detail} ${result}.`,
    rule: say`The rule ${fieldPart('Rule', Rule ?? detail)}${of} ${result}.`,
    timeline: say`The timeline of the scenario took the provider ${strong(detail.replace(/ down$/, ''))} down.`,
    magic: describeMagic(Trigger?.split(':')[0] ?? 'card', detail, outcome, known),
    provider: say`The provider ${strong(detail)} ${result}.`,
    routing: joinSentences(APPROVED, say`Its provider was chosen by routing: ${detail}.`),
    fallback: say`Its provider could not take the charge, so it went on at the fallback ${strong(detail)}.`,
  };
  if (Trigger?.startsWith('amount:'))
    return say`The provider amounts ${result}, because of the amount ${detail}.`;
  return texts[Precedence ?? ''] ?? say`${Trigger ?? Precedence ?? 'Nothing'} decided it.`;
}

/** Describes the effect of a test card, account or token. If it approves, in the words of GET /_sandbox/triggers. */
function describeMagic(
  kind: string,
  value: string,
  outcome: string,
  { triggers }: DecisionContext,
): SentenceParts {
  const subject = say`The test ${kind} ${fieldPart('Magic', value)}`;
  const cards = triggers?.Cards.map(({ CardNumber, Effect }) => [CardNumber, Effect] as const) ?? [];
  const accounts =
    triggers?.Accounts.map(({ AccountNumber, Effect }) => [AccountNumber, Effect] as const) ?? [];
  const effect = [...cards, ...accounts].find(([of]) => of === value)?.[1];
  if (effect !== undefined && (outcome === 'approve' || outcome === ''))
    return say`${subject} decided: ${effect}.`;
  return outcome === '' ? say`${subject} decided.` : say`${subject} answered ${strong(outcome)}.`;
}

/** The name of the outcome that answered a call; empty if it is not known. */
export function findOutcomeName({ Trigger, Status, ResponseBody }: FullCall, known: DecisionContext): string {
  const outcome = /^(?:header|hold):(.*)$/.exec(Trigger ?? '')?.[1];
  if (outcome !== undefined) return outcome;
  if (Status > 0 && Status < 400) return 'approve';
  const code = Number(readTextAt(ResponseBody, 'Code') || readTextAt(ResponseBody, 'code') || -1);
  return known.triggers?.Outcomes.find(({ Code }) => Code === code)?.Outcome ?? '';
}

/** The name of the provider that a call was about; "the provider" if it is not known. */
export function findProviderName(
  { RequestBody, ResponseBody }: FullCall,
  { triggers }: DecisionContext,
): string {
  const id = readTextAt(RequestBody, 'ProviderId') || readTextAt(ResponseBody, 'ProviderId');
  const row = triggers?.Providers.find(({ ProviderId }) => ProviderId === id);
  return row?.Name ?? (readTextAt(ResponseBody, 'Provider', 'Name') || 'the provider');
}

/** One of the things that can decide. */
export interface LadderStep {
  readonly name: string;
  /** As the server describes it. */
  readonly title: string;
  readonly verdict: string;
  readonly place: 'before' | 'decided' | 'after';
  /** Whether it made the call fail. */
  readonly isBad: boolean;
  readonly note: string;
}

/** The steps of the documented precedence, in its order. */
const STEPS = ['header', 'queue', 'timeline', 'rule', 'magic', 'provider', 'approve'] as const;
type DecidingStep = (typeof STEPS)[number];

/** The precedence of GET /_sandbox/triggers, with the step that decided, and the fault; empty if no provider was asked. */
export function buildLadder(call: FullCall, provider: string, known: DecisionContext): LadderStep[] {
  const steps = listSteps(call, provider, known);
  if (call.Fault === null) return steps;
  const fault: LadderStep = {
    name: 'Fault',
    title: 'What the caller got in place of the answer',
    verdict: `answer ${describeFault(call)[1]}`,
    place: 'decided',
    isBad: true,
    note: '',
  };
  return [...steps, fault];
}

function listSteps(call: FullCall, provider: string, { triggers, scenario }: DecisionContext): LadderStep[] {
  const { Precedence, Trigger, Rule, Fault, Status, Path } = call;
  const operation = call.Operation ?? '';
  const won = STEPS.findIndex((step) => step === Precedence);
  if (won < 0) return [];
  const names: Readonly<Record<DecidingStep, readonly [name: string, before: string]>> = {
    header: ['Header x-sandbox-outcome', 'not sent'],
    queue: ['Queued outcome', `none for ${nounOf(operation)}s`],
    timeline: ['Outage in the scenario', `provider "${provider}" is up`],
    rule: ['Rule of the scenario', (scenario?.Scenario ?? null) === null ? 'no scenario' : 'none matched'],
    magic: ['Test card or token', /bank|payto/i.test(Path) ? 'an ordinary account' : 'an ordinary card'],
    provider: [`Behaviour of ${provider}`, 'approves'],
    approve: ['Approve', ''],
  };
  return (triggers?.Precedence ?? STEPS).map((title, n) => {
    const [name, before] = names[STEPS[n] ?? 'approve'];
    const place = n < won ? 'before' : n === won ? 'decided' : 'after';
    const verdict = place === 'before' ? before : place === 'after' ? 'not asked' : 'decided';
    const isBad = place === 'decided' && Fault === null && Status >= 400;
    const note = n === won ? explainTrigger(Trigger, Rule, scenario) : '';
    return { name, title, verdict, place, isBad, note };
  });
}

/** Describes a rule: `primary down: operation charge.capture. It has matched twice.` Without a rule, names the trigger. */
function explainTrigger(
  trigger: string | null,
  rule: string | null,
  scenario: DecisionContext['scenario'],
): string {
  const [kind = '', ...detail] = (trigger ?? '').split(':');
  if (rule === null) return detail.length === 0 ? '' : `${kind} ${detail.join(':')}`;
  const matched = scenario?.Rules.find(({ Rule }) => Rule === rule)?.Matched;
  const rules = scenario?.Definition?.['rules'];
  const written = Array.isArray(rules)
    ? (rules as unknown[]).find((candidate) => readTextAt(candidate, 'name') === rule)
    : undefined;
  const when =
    written === undefined ? '' : `: ${formatConditions((written as { when?: object }).when ?? {})}`;
  return `${rule}${when}.${matched === undefined ? '' : ` It has matched ${formatTimes(matched)}.`}`;
}

/** The conditions of a rule: "operation charge.capture, every 3". */
function formatConditions(when: object): string {
  const conditions = Object.entries(when).map(([name, value]) => {
    if (Array.isArray(value)) return `${name} ${value.join(' or ')}`;
    return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  return conditions.join(', ') || 'every call';
}

export function formatTimes(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count.toLocaleString('en-GB')} times`;
}

/** charge.capture is a capture, charge.create a charge. */
export function nounOf(operation: string): string {
  const [record = '', verb = ''] = operation.split('.');
  if (verb === 'settle') return 'settlement';
  if (record === 'charge' && ['capture', 'void', 'refund'].includes(verb)) return verb;
  return record === 'charge' || verb === 'charge' ? 'charge' : operation;
}

/** Why a call got its answer, in a row: `rule primary down, fault reset`; for a refusal, what is after the name of its error. */
export function explainInBrief({ Rule, Trigger, Fault, Message, Warning }: BriefCall): string {
  const decided = Rule === null ? Trigger : `rule ${Rule}`;
  const fault = Fault === null ? null : `fault ${Fault}`;
  const parts = [decided, decided?.endsWith(`:${Fault ?? ''}`) === true ? null : fault].filter(Boolean);
  if (parts.length > 0) return parts.join(', ');
  return Message?.replace(/^[^:]*: /, '') ?? (Warning === null ? '' : 'warning');
}

/** The effect of the first answer of a queue: "the next capture fails: unable_to_capture". */
export function describeQueued({ Operation, Outcomes: [step] }: QueueResponse): string {
  const { Outcome, Fault } = typeof step === 'object' ? step : { Outcome: step, Fault: undefined };
  const name = typeof Fault === 'string' ? `fault ${Fault}` : typeof Outcome === 'string' ? Outcome : null;
  const does = name === null ? 'is late' : name === 'approve' ? 'is approved' : `fails: ${name}`;
  return `the next ${nounOf(Operation)} ${does}`;
}
