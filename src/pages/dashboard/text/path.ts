import {
  type ChargeHistory,
  dueOf,
  failuresOf,
  figureOf,
  moneyOf,
  resultOfCall,
  statusOf,
  verbOf,
} from './charge.js';
import { counted } from './format.js';
import { fieldOf, textOf } from '../state/wire.js';
import { untilOf, whenOf } from './when.js';

/** What a person can do to a charge. */
export type Act =
  | {
      readonly does: 'call';
      readonly method: 'POST' | 'DELETE';
      readonly path: string;
      readonly body: object | null;
    }
  | { readonly does: 'simulate'; readonly action: string; readonly ref: string }
  | { readonly does: 'run'; readonly to: string };

/** A state that a charge has reached. */
export interface Node {
  readonly name: string;
  readonly detail: string;
}

/** A step that can follow. */
export interface Step {
  readonly name: string;
  readonly detail: string;
  /** The highest amount that it can be done with; null for a step without an amount. */
  readonly most: string | null;
  readonly act: (amount: string) => Act;
}

/** The states of a charge in order; the last one is its current state. */
export function nodesOf({ record, timeline, now }: ChargeHistory): Node[] {
  const status = statusOf(record);
  const at = (name: string): string => {
    const instant = textOf(record, name);
    return instant === '' ? '' : whenOf(instant, now);
  };
  const held = moneyOf(record, 'AuthorisationAmount');
  const hasWaited = timeline.some(({ What, Text }) => What === 'added' && Text.startsWith('Asked'));
  const reached: readonly (Node | false)[] = [
    {
      name: 'Created',
      detail: at('DateAdded'),
    },
    (hasWaited || status === 'PENDING') && { name: 'PENDING', detail: figureOf(record) },
    held !== '' &&
      status !== 'PENDING' && { name: 'Authorised', detail: status === 'Authorised' ? `${held} held` : held },
    at('SuccessDate') !== '' && {
      name: 'SUCCESS',
      detail: `${moneyOf(record, 'Amount')}, ${at('SuccessDate')}`,
    },
    status.endsWith('REFUND') && { name: status, detail: moneyOf(record, 'RefundedAmount') },
    status === 'AUTHORISE_CANCELLED' && { name: status, detail: at('VoidDate') },
    status === 'FAILED' && { name: status, detail: moneyOf(record, 'Amount') },
  ];
  return reached.filter((node) => node !== false);
}

/** What failed without a change of the state: "1 capture declined". */
export function failedOf({ record, timeline, decisions }: ChargeHistory): string {
  if (statusOf(record) === 'FAILED') return '';
  const kinds = failuresOf(timeline).map(({ item, call }) => {
    const result = call === null ? 'declined' : resultOfCall(call, decisions);
    return [verbOf(item, decisions), result === 'unanswered' ? 'without an answer' : result] as const;
  });
  const [first] = kinds;
  if (first === undefined) return '';
  const [verb, result] = first;
  const isSame = kinds.every((one) => one[0] === verb && one[1] === result);
  return isSame ? `${counted(kinds.length, verb)} ${result}` : `${kinds.length} calls failed`;
}

/** What can follow the current state: calls of the service, the payer, the bank, or time. */
export function nextOf(charge: ChargeHistory): Step[] {
  const { record } = charge;
  const at = `/${textOf(record, 'ChargeId')}`;
  const left = leftOf(record);
  switch (statusOf(record)) {
    case 'Authorised':
      return [
        amountStep('Capture', '→ SUCCESS', textOf(record, 'AuthorisationAmount'), (Amount) =>
          callOf('POST', `/charge${at}`, { Amount }),
        ),
        plainStep('Void', '→ AUTHORISE_CANCELLED', callOf('DELETE', `/charge${at}/void`)),
        ...waitSteps(charge, 'Let it expire'),
      ];
    case 'PENDING':
      return pendingSteps(charge);
    case 'SUCCESS':
    case 'PARTIAL_REFUND':
      return [
        amountStep('Refund', '→ REFUND, or a part of it', left, (Amount) =>
          callOf('DELETE', `/refund${at}?Amount=${encodeURIComponent(Amount)}`),
        ),
      ];
    default:
      return [];
  }
}

function pendingSteps(charge: ChargeHistory): Step[] {
  const ref = textOf(charge.record, 'ThreeDSServerTransID');
  if (ref === '') {
    const simulate: Act = {
      does: 'simulate',
      action: 'charge.settle',
      ref: textOf(charge.record, 'ChargeId'),
    };
    return [plainStep('Settle now', '→ SUCCESS', simulate), ...waitSteps(charge, 'Let the bank settle')];
  }
  const end = (name: string, detail: string, action: string): Step =>
    plainStep(name, detail, { does: 'simulate', action: `challenge.${action}`, ref });
  return [
    end('Approve', 'as the payer', 'approve'),
    end('Fail', '→ FAILED', 'fail'),
    end('Leave', 'as the payer', 'abandon'),
    ...waitSteps(charge, 'Let it time out'),
  ];
}

/** Moves the clock to what is due next. */
function waitSteps({ timeline, now }: ChargeHistory, name: string): Step[] {
  return dueOf(timeline)
    .slice(0, 1)
    .map(({ At }) => plainStep(name, `${whenOf(At, now)}, ${untilOf(At, now)}`, { does: 'run', to: At }));
}

function callOf(method: 'POST' | 'DELETE', path: string, body: object | null = null): Act {
  return { does: 'call', method, path, body };
}

function plainStep(name: string, detail: string, act: Act): Step {
  return { name, detail, most: null, act: () => act };
}

function amountStep(name: string, detail: string, most: string, act: Step['act']): Step {
  return { name, detail, most, act };
}

/** What is not refunded yet, without an error of binary fractions. */
function leftOf(record: ChargeHistory['record']): string {
  const [amount, refunded] = ['Amount', 'RefundedAmount'].map((name) => Number(fieldOf(record, name) ?? 0));
  return String(Number(((amount ?? 0) - (refunded ?? 0)).toFixed(4)));
}
