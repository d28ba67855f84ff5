import {
  type ChargeHistory,
  listFailures,
  formatMainAmount,
  formatRecordAmount,
  callResult,
  readStatus,
  findVerb,
  wasPerformed,
} from './charge.js';
import { formatQuantity } from './format.js';
import { readField, readTextAt } from '../state/wire.js';
import {
  amountStep,
  callAction,
  plainStep,
  type PossibleStep,
  type ReachedState,
  type RecordAction,
  waitSteps,
} from './steps.js';
import { formatDayAndTime } from './when.js';

/** The states of a charge in order; the last one is its current state. */
export function listReachedStates(charge: ChargeHistory): ReachedState[] {
  const { record, timeline, now, decisions } = charge;
  const status = readStatus(record);
  const at = (name: string): string => {
    const instant = readTextAt(record, name);
    return instant === '' ? '' : formatDayAndTime(instant, now);
  };
  const authorised = formatRecordAmount(record, 'AuthorisationAmount');
  const hasWaited = timeline.some(({ What, Text }) => What === 'added' && Text.startsWith('Asked'));
  const reached: readonly (Omit<ReachedState, 'isUnheard'> | false)[] = [
    {
      name: 'Created',
      detail: at('DateAdded'),
    },
    (hasWaited || status.startsWith('PENDING')) && {
      name: readTextAt(record, 'CheckoutId') === '' ? 'PENDING' : 'PENDING_CHECKOUT',
      detail: formatMainAmount(record),
    },
    authorised !== '' &&
      !status.startsWith('PENDING') && {
        name: 'Authorised',
        detail: status === 'Authorised' ? `${authorised} held` : authorised,
      },
    at('SuccessDate') !== '' && {
      name: 'SUCCESS',
      detail: `${formatRecordAmount(record, 'Amount')}, ${at('SuccessDate')}`,
    },
    status.endsWith('REFUND') && { name: status, detail: formatRecordAmount(record, 'RefundedAmount') },
    status === 'AUTHORISE_CANCELLED' && { name: status, detail: at('VoidDate') },
    status === 'FAILED' && { name: status, detail: formatRecordAmount(record, 'Amount') },
  ];
  const unheard = listFailures(timeline).flatMap(({ item, call }) =>
    call?.Status === 0 && wasPerformed(call, charge) ? [findVerb(item, decisions)] : [],
  );
  return reached
    .filter((node) => node !== false)
    .map((node, n) => ({
      ...node,
      isUnheard: unheard.includes(n === 1 ? 'charge' : (LED_BY[node.name] ?? '')),
    }));
}

/** The call that leads to a state, other than the first, which the charge itself leads to. */
const LED_BY: Readonly<Record<string, string>> = {
  SUCCESS: 'capture',
  AUTHORISE_CANCELLED: 'void',
  REFUND: 'refund',
  PARTIAL_REFUND: 'refund',
};

/** Summarises the failed calls that did not change the state, such as "1 capture declined". */
export function summariseFailures(charge: ChargeHistory): string {
  const { record, timeline, decisions } = charge;
  if (readStatus(record) === 'FAILED') return '';
  const inVain = listFailures(timeline).filter(({ call }) => call === null || !wasPerformed(call, charge));
  const kinds = inVain.map(({ item, call }) => {
    const result = call === null ? 'declined' : callResult(call, decisions);
    return [findVerb(item, decisions), result === 'unanswered' ? 'without an answer' : result] as const;
  });
  const [first] = kinds;
  if (first === undefined) return '';
  const [verb, result] = first;
  const isSame = kinds.every((kind) => kind[0] === verb && kind[1] === result);
  return isSame ? `${formatQuantity(kinds.length, verb)} ${result}` : `${kinds.length} calls failed`;
}

/** Lists the steps that can follow the current state: calls of the service, the payer's answer, the bank's, or time. */
export function listPossibleSteps(charge: ChargeHistory): PossibleStep[] {
  const { record } = charge;
  const at = `/${readTextAt(record, 'ChargeId')}`;
  const left = refundableAmount(record);
  switch (readStatus(record)) {
    case 'Authorised':
      return [
        amountStep('Capture', '→ SUCCESS', readTextAt(record, 'AuthorisationAmount'), (Amount) =>
          callAction('POST', `/charge${at}`, { Amount }),
        ),
        plainStep('Void', '→ AUTHORISE_CANCELLED', callAction('DELETE', `/charge${at}/void`)),
        ...waitSteps(charge, 'Let it expire'),
      ];
    case 'PENDING':
      return pendingSteps(charge);
    case 'PENDING_CHECKOUT':
      return [
        checkoutStep('Approve', 'as the payer', 'approve', record),
        checkoutStep('Decline', '→ FAILED', 'decline', record),
        plainStep('Void', '→ AUTHORISE_CANCELLED', callAction('DELETE', `/charge${at}/void`)),
        ...waitSteps(charge, 'Let it expire'),
      ];
    case 'SUCCESS':
    case 'PARTIAL_REFUND':
      return [
        amountStep('Refund', '→ REFUND, or a part of it', left, (Amount) =>
          callAction('DELETE', `/refund${at}?Amount=${encodeURIComponent(Amount)}`),
        ),
      ];
    default:
      return [];
  }
}

function pendingSteps(charge: ChargeHistory): PossibleStep[] {
  const ref = readTextAt(charge.record, 'ThreeDSServerTransID');
  if (ref === '') {
    const simulate: RecordAction = {
      does: 'simulate',
      action: 'charge.settle',
      ref: readTextAt(charge.record, 'ChargeId'),
    };
    return [plainStep('Settle now', '→ SUCCESS', simulate), ...waitSteps(charge, 'Let the bank settle')];
  }
  const end = (name: string, detail: string, action: string): PossibleStep =>
    plainStep(name, detail, { does: 'simulate', action: `challenge.${action}`, ref });
  return [
    end('Approve', 'as the payer', 'approve'),
    end('Fail', '→ FAILED', 'fail'),
    end('Close without answering', 'as the payer', 'abandon'),
    ...waitSteps(charge, 'Let it time out'),
  ];
}

function checkoutStep(name: string, detail: string, action: string, record: object): PossibleStep {
  const ref = readTextAt(record, 'ChargeId');
  return plainStep(name, detail, { does: 'simulate', action: `checkout.${action}`, ref });
}

/** The amount that is not refunded yet. Rounded, because 0.3 - 0.1 is 0.19999999999999998. */
function refundableAmount(record: ChargeHistory['record']): string {
  const [amount, refunded] = ['Amount', 'RefundedAmount'].map((name) => Number(readField(record, name) ?? 0));
  return String(Number(((amount ?? 0) - (refunded ?? 0)).toFixed(4)));
}
