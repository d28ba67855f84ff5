import { readField, type RecordJson, readTextAt, type TimelineItem } from '../state/wire.js';
import { formatRecordAmount, listDue } from './charge.js';
import { formatQuantity } from './format.js';
import { formatCustomerName, formatSource } from './names.js';
import { fieldPart, joinSentences, say, type SentenceParts } from './sentence.js';
import { callAction, plainStep, type PossibleStep, type ReachedState, waitSteps } from './steps.js';
import { formatDayAndTime, formatTimePhrase, formatTimeUntil } from './when.js';

/** A record of any kind with its history. */
export interface RecordHistory {
  readonly record: RecordJson;
  readonly timeline: readonly TimelineItem[];
  /** The world's time. */
  readonly now: number;
}

interface RecordStory {
  /** Says what a record is and what happens next. */
  readonly describe: (history: RecordHistory) => SentenceParts;
  /** The steps that a person can take now. */
  readonly steps?: (history: RecordHistory) => readonly PossibleStep[];
}

/** Where a record began and where it is; nothing for kinds without a status. */
export function listRecordStates({ record, timeline, now }: RecordHistory): ReachedState[] {
  const status = readTextAt(record, 'Status');
  if (status === '') return [];
  const added = timeline.find(({ What }) => What === 'added')?.At;
  const last = timeline.findLast(({ What }) => ['changed', 'failed', 'ended'].includes(What))?.At;
  const at = (instant = ''): string => (instant === '' ? '' : formatDayAndTime(instant, now));
  return [
    { name: 'Created', detail: at(added), isUnheard: false },
    { name: status, detail: at(last), isUnheard: false },
  ];
}

function describeBatch({ record, timeline, now }: RecordHistory): SentenceParts {
  const [count, good, bad] = ['Count', 'Success', 'Failure'].map((name) => Number(readTextAt(record, name)));
  const done = (good ?? 0) + (bad ?? 0);
  const rows = `${done.toLocaleString('en-GB')} of ${formatQuantity(count ?? 0, 'row')}`;
  const status = readTextAt(record, 'Status');
  if (status === 'SUCCESS') return say`All ${formatQuantity(count ?? 0, 'row')} were processed.`;
  if (status === 'FAILED') return say`It broke off after ${rows}.`;
  const end = timeline.filter(isBatchEnd);
  return joinSentences(say`${rows} processed.`, describeDue({ timeline: end, now }, 'It ends'));
}

function listBatchSteps({ record, timeline, now }: RecordHistory): PossibleStep[] {
  const end = waitSteps({ timeline: timeline.filter(isBatchEnd), now }, 'Run to its end');
  return end.length === 0
    ? []
    : [...end, simulateStep(record, 'BatchId', 'Fail now', '→ FAILED', 'batch.fail')];
}

const isBatchEnd = ({ What, Text }: TimelineItem): boolean => What === 'due' && Text === 'Ends';

function describeCustomer({ record, now }: RecordHistory): SentenceParts {
  const removed = readTextAt(record, 'DateRemoved');
  const method = readField(record, 'DefaultPaymentMethod');
  const id = readTextAt(method, 'PaymentMethodId');
  return joinSentences(
    id === ''
      ? say`No payment method is stored for ${nameCustomer(record)}.`
      : say`${nameCustomer(record)} pays with ${fieldPart('PaymentMethodId', id, formatSource(method))} unless a charge says otherwise.`,
    removed === '' ? [] : say`Removed ${formatTimePhrase(removed, now)}.`,
  );
}

const nameCustomer = (record: RecordJson): string => formatCustomerName(record) || 'This customer';

function describeMethod({ record, now }: RecordHistory): SentenceParts {
  const removed = readTextAt(record, 'DateRemoved');
  const customer = readTextAt(record, 'CustomerId');
  const source = formatSource(record);
  return joinSentences(
    customer === ''
      ? say`${source}, of no customer.`
      : say`${source}, of ${fieldPart('CustomerId', customer, 'a customer')}.`,
    isAwaitingPayer(record) ? say`The payer has not agreed yet, so it cannot be charged.` : [],
    removed === '' ? [] : say`Removed ${formatTimePhrase(removed, now)}: it can no longer be charged.`,
  );
}

const isAwaitingPayer = (record: RecordJson): boolean =>
  readTextAt(record, 'PayToStatus') === 'PENDING' && readField(record, 'DateRemoved') === null;

const listMethodSteps = ({ record }: RecordHistory): PossibleStep[] =>
  isAwaitingPayer(record)
    ? [simulateStep(record, 'PaymentMethodId', 'Agree', 'as the payer', 'payto.activate')]
    : [];

function describeEntry({ record, ...when }: RecordHistory): SentenceParts {
  const ccv = readField(record, 'HasCvv') === true ? 'with its Ccv' : 'without a Ccv';
  const due = when.timeline.filter(({ Text }) => Text === 'Expires');
  return joinSentences(
    say`${readTextAt(record, 'MaskedCardNumber')} is stored ${ccv}.`,
    due.length === 0 ? say`It never expires.` : describeDue({ ...when, timeline: due }, 'It expires'),
  );
}

const listEntrySteps = (history: RecordHistory): PossibleStep[] => [
  simulateStep(history.record, 'VaultId', 'Expire now', 'and be deleted', 'vault.expire'),
];

function describeAuthentication({ record, ...when }: RecordHistory): SentenceParts {
  const charge = readTextAt(record, 'ChargeId');
  const card = `${readTextAt(record, 'CardType')} ${readTextAt(record, 'CardNumber')}`;
  const happened = when.timeline.findLast(({ What }) => What === 'changed' || What === 'failed')?.Text;
  return joinSentences(
    readTextAt(record, 'Status') === 'CHALLENGED'
      ? say`The payer with ${card} must answer the challenge.`
      : say`${card}: ${happened ?? 'not authenticated yet'}.`,
    describeDue(when, 'It times out'),
    charge === '' ? say`No charge uses it.` : say`Used by ${fieldPart('ChargeId', charge, 'a charge')}.`,
  );
}

function listAuthenticationSteps(history: RecordHistory): PossibleStep[] {
  const { record } = history;
  if (readTextAt(record, 'Status') !== 'CHALLENGED') return [];
  const end = (name: string, detail: string, action: string): PossibleStep =>
    simulateStep(record, 'ThreeDSServerTransID', name, detail, `challenge.${action}`);
  return [
    end('Approve', 'as the payer', 'approve'),
    end('Fail', '→ FAILED', 'fail'),
    end('Close without answering', 'as the payer', 'abandon'),
    ...waitSteps(history, 'Let it time out'),
  ];
}

function describeSubscription({ record, ...when }: RecordHistory): SentenceParts {
  const every = formatInterval(Number(readTextAt(record, 'Frequency')), readTextAt(record, 'Interval'));
  const method = fieldPart('PaymentMethodId', readTextAt(record, 'PaymentMethodId'), 'a payment method');
  const after: Readonly<Record<string, SentenceParts>> = {
    Active: describeDue(when, 'The next charge is due'),
    Suspended: say`It is suspended: nothing is charged until it is resumed.`,
  };
  return joinSentences(
    say`${formatRecordAmount(record, 'Amount')} every ${every}, from ${method}.`,
    after[readTextAt(record, 'Status')] ?? say`It has ended: nothing more will be charged.`,
  );
}

/** "month", or "2 weeks". */
function formatInterval(frequency: number, interval: string): string {
  const unit = interval.toLowerCase();
  return frequency === 1 ? unit : formatQuantity(frequency, unit);
}

function listSubscriptionSteps(history: RecordHistory): PossibleStep[] {
  const { record } = history;
  const path = `/subscription/${readTextAt(record, 'SubscriptionId')}`;
  const become = (name: string, Status: string): PossibleStep =>
    plainStep(name, `→ ${Status}`, callAction('PUT', `${path}/status`, { Status }));
  const cancel = plainStep('Cancel', '→ Cancelled', callAction('DELETE', path));
  const status = readTextAt(record, 'Status');
  if (status === 'Active')
    return [...waitSteps(history, 'Let it charge'), become('Suspend', 'Suspended'), cancel];
  return status === 'Suspended' ? [become('Resume', 'Active'), cancel] : [];
}

function describeLink({ record }: RecordHistory): SentenceParts {
  const most = readTextAt(record, 'LimitPayments');
  const asks = formatRecordAmount(record, 'Amount') || 'An amount that the payer chooses';
  const paid = formatQuantity(Number(readTextAt(record, 'CountPayments')), 'time');
  return say`${asks}, paid ${paid}${most === '' ? '' : ` of at most ${most}`}.`;
}

function describeDue({ timeline, now }: Omit<RecordHistory, 'record'>, what: string): SentenceParts {
  const [due] = listDue(timeline);
  return due === undefined
    ? []
    : say`${what} ${formatTimePhrase(due.At, now)}, ${formatTimeUntil(due.At, now)}.`;
}

function simulateStep(
  record: RecordJson,
  idName: string,
  name: string,
  detail: string,
  action: string,
): PossibleStep {
  return plainStep(name, detail, { does: 'simulate', action, ref: readTextAt(record, idName) });
}

/** The stories of all kinds but charges, by the view of their list. */
const STORIES: Readonly<Record<string, RecordStory>> = {
  batches: { describe: describeBatch, steps: listBatchSteps },
  customers: { describe: describeCustomer },
  'payment-methods': { describe: describeMethod, steps: listMethodSteps },
  vault: { describe: describeEntry, steps: listEntrySteps },
  authentications: { describe: describeAuthentication, steps: listAuthenticationSteps },
  subscriptions: { describe: describeSubscription, steps: listSubscriptionSteps },
  'payment-links': { describe: describeLink },
  transfers: {
    describe: ({ record, ...when }) =>
      joinSentences(
        say`${formatRecordAmount(record, 'Amount')} for ${readTextAt(record, 'Account')}.`,
        describeDue(when, 'It arrives'),
      ),
    steps: (history) => waitSteps(history, 'Let it arrive'),
  },
};

export function describeRecord(view: string, history: RecordHistory): SentenceParts {
  return STORIES[view]?.describe(history) ?? [];
}

export function listRecordSteps(view: string, history: RecordHistory): readonly PossibleStep[] {
  return STORIES[view]?.steps?.(history) ?? [];
}
