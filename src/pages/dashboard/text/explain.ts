import { type Delivery, type FullCall, readField, readTextAt, type TriggersResponse } from '../state/wire.js';
import { describeFault, faultPerformed } from './faults.js';
import { fieldPart, say, type SentenceParts } from './sentence.js';
import { nameDeliveryStatus } from './webhooks.js';
import { type DecisionContext, findOutcomeName } from './why.js';

/** The text behind a "?": what a word means, what to do about it, and how to get it here. */
export interface Explanation {
  readonly word: string;
  readonly lines: readonly SentenceParts[];
}

/** How many cards, accounts, tokens and providers are named. */
const WAYS_MAX = 3;

export const describeRetry = (isRetryable: boolean): SentenceParts =>
  isRetryable ? say`The same call may succeed later.` : say`The same call will fail again.`;

export function sayWay(...ways: readonly SentenceParts[]): SentenceParts {
  const joined = ways.flatMap((way, n): SentenceParts => {
    const joint = n === 0 ? '' : n === ways.length - 1 ? ', or ' : ', ';
    return [joint, ...way];
  });
  return say`To get it here: ${joined}.`;
}

/** Explains the status of a charge, as GET /_sandbox/triggers has it. */
export function explainStatus(status: string, { triggers }: DecisionContext): Explanation | null {
  const row = triggers?.Statuses.find(({ Status }) => Status === status);
  if (row === undefined) return null;
  const next = row.Next.length === 0 ? 'This is final.' : `It can become ${row.Next.join(' or ')}.`;
  return { word: status, lines: [[row.Meaning], [next], sayWay([row.Way])] };
}

const WEBHOOKS: Readonly<Record<string, readonly [meaning: string, way: string]>> = {
  delivered: ['The receiver accepted it with a 2xx status.', 'a receiver that answers 204'],
  waiting: ['It has not been tried yet.', 'a policy with a delay'],
  retrying: ['An attempt failed. It is tried again by itself.', 'a receiver that answers 500'],
  'given up': [
    'Every attempt failed. “Send again” tries once more.',
    'a receiver that answers 500 each time',
  ],
  withheld: ['It was not sent, for the reason in its note.', 'a server with --webhooks off'],
};

export function explainDelivery(delivery: Pick<Delivery, 'Status' | 'Attempt'>): Explanation | null {
  const word = nameDeliveryStatus(delivery);
  const { [word]: row } = WEBHOOKS;
  return row === undefined ? null : { word, lines: [[row[0]], sayWay([row[1]])] };
}

/** Explains the fault, the outcome or the error code that a call was answered with; null for a call that no provider was asked about. */
export function explainAnswer(call: FullCall, known: DecisionContext): Explanation | null {
  const { Fault, Precedence, ResponseBody: body } = call;
  if (Fault !== null) return explainFaultName(call);
  if (known.triggers === null) return null;
  const outcome = Precedence === null ? '' : findOutcomeName(call, known);
  const row = known.triggers.Outcomes.find(({ Outcome }) => Outcome === outcome);
  const code = String(row?.Code ?? (readTextAt(body, 'Code') || readTextAt(body, 'code')));
  if (row === undefined && code === '') return null;
  const [name] = (readTextAt(body, 'Message') || readTextAt(body, 'message')).split(/[:.]/);
  const byCode = code === '' ? [] : say`, code ${fieldPart('Code', code)}`;
  const byGateway = row?.GatewayCode ? `, gateway code ${row.GatewayCode}` : '';
  const retry = readField(body, 'IsRetryable') ?? row?.IsRetryable;
  const ways = listWays(
    known.triggers,
    new RegExp(row === undefined ? `\\bcode ${code}\\b` : `\\b${outcome}\\b`),
  );
  if (row !== undefined) ways.push(say`the header x-sandbox-outcome: ${outcome}`);
  return {
    word: row === undefined ? `code ${code}` : outcome,
    lines: [
      say`${row?.GatewayMessage ?? name ?? ''}${byCode}${byGateway}.`,
      code !== '' && typeof retry === 'boolean' ? describeRetry(retry) : [],
      ways.length === 0 ? say`To get it here: a call with the same mistake.` : sayWay(...ways),
    ],
  };
}

function explainFaultName(call: FullCall): Explanation {
  const name = faultPerformed(call);
  return {
    word: `fault ${name}`,
    lines: [
      say`The caller got ${describeFault(call)[0]}.`,
      say`Look it up before you send it again: it may have been done.`,
      sayWay(say`the header x-sandbox-fault: ${name}`),
    ],
  };
}

/** The first cards, accounts, tokens and providers whose effect names an outcome or a code. */
function listWays({ Cards, Accounts, Tokens, Providers }: TriggersResponse, named: RegExp): SentenceParts[] {
  const rows: readonly (readonly [kind: string, value: string, effect: string])[] = [
    ...Cards.map(({ CardNumber, Effect }) => ['card', CardNumber, Effect] as const),
    ...Accounts.map(({ AccountNumber, Effect }) => ['account', AccountNumber, Effect] as const),
    ...Tokens.map(({ Token, Effect }) => ['token', Token, Effect] as const),
    ...Providers.map(({ ProviderId, Behaviour }) => ['provider', ProviderId, Behaviour] as const),
  ];
  return rows
    .filter(([, , effect]) => named.test(effect))
    .slice(0, WAYS_MAX)
    .map(([kind, value]) => say`${kind} ${fieldPart('Magic', value)}`);
}
