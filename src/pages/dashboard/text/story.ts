import {
  type TimelineCall,
  listChargeCalls,
  type ChargeHistory,
  listDue,
  type ChargeFailure,
  listFailures,
  hasFailed,
  type ChargeWebhook,
  listWebhooks,
  findLastFailure,
  formatRecordAmount,
  releasedBy,
  callResult,
  readStatus,
  findVerb,
} from './charge.js';
import { capitalise, formatQuantity } from './format.js';
import { fieldPart, type SentenceParts, say, joinSentences, strong } from './sentence.js';
import { type FullCall, readField, readTextAt } from '../state/wire.js';
import { formatTimePhrase, formatTimeUntil } from './when.js';
import { APPROVED, type DecisionContext, findOutcomeName, formatTimes, whyCall, whyDecided } from './why.js';

/** Three short paragraphs about a charge: its past, the reason for its state, and its future. */
export interface Story {
  readonly what: SentenceParts;
  readonly why: SentenceParts;
  readonly next: SentenceParts;
}

/** `call` is that of `findCallToExplain`, if the journal still has it. */
export function buildStory(charge: ChargeHistory, call: FullCall | null, known: DecisionContext): Story {
  return {
    what: joinSentences(describeHappened(charge), describeFailures(charge, call)),
    why: explainCharge(charge, call, known),
    next: joinSentences(describeWebhooks(charge), describeFuture(charge)),
  };
}

function isFromBank(record: ChargeHistory['record']): boolean {
  return readTextAt(record, 'PaymentInformation', 'Type') === 'BANK_ACCOUNT';
}

function describeHappened({ record, timeline, now }: ChargeHistory): SentenceParts {
  const at = (name: string): string => formatTimePhrase(readTextAt(record, name), now);
  const added = at('DateAdded');
  const authorised = formatRecordAmount(record, 'AuthorisationAmount');
  const money = formatRecordAmount(record, 'Amount');
  switch (readStatus(record)) {
    case 'PENDING':
      return isFromBank(record)
        ? say`Waits for the ${strong('bank')}, which was asked for ${money} ${added}.`
        : say`Waits for the payer since ${added.replace(/^(?:at|on) /, '')}: ${authorised || money} needs ${strong('3-D Secure')}.`;
    case 'FAILED':
      return say`${strong('Declined')} ${formatTimePhrase(readTextAt(findLastAttempt(record), 'DateAttempted') || readTextAt(record, 'DateAdded'), now)}: ${describeFailedAttempt(record)}.`;
    case 'Authorised':
      return say`Authorised ${added}.`;
    case 'AUTHORISE_CANCELLED': {
      const by = releasedBy(timeline);
      const how = by === 'call' ? 'was voided' : by === 'expiry' ? 'expired' : 'was released';
      return say`Authorised ${authorised} ${added}. It ${strong(how)} ${at('VoidDate')}.`;
    }
    default: {
      const done = at('SuccessDate');
      const start =
        authorised === ''
          ? done === added
            ? ''
            : `Begun ${added}, `
          : `Authorised ${authorised} ${added}, `;
      const word = authorised === '' ? (isFromBank(record) ? 'settled' : 'charged') : `captured ${money}`;
      const paid = say`${start}${strong(start === '' ? capitalise(word) : word)} ${done}.`;
      return joinSentences(paid, describeRefunds(record));
    }
  }
}

function describeRefunds(record: ChargeHistory['record']): SentenceParts {
  const refunds = readField(record, 'Refunds');
  const count = Array.isArray(refunds) ? refunds.length : 0;
  if (count === 0) return [];
  const part = readStatus(record) === 'REFUND' ? 'All of it' : formatRecordAmount(record, 'RefundedAmount');
  return say`${part} was ${strong('refunded')}${count === 1 ? '' : `, in ${count} refunds`}.`;
}

/** The last failed attempt as the charge keeps it. */
function findLastAttempt(record: ChargeHistory['record']): unknown {
  const attempts = readField(record, 'FailedAttempts');
  return Array.isArray(attempts) ? (attempts as unknown[]).at(-1) : undefined;
}

function describeFailedAttempt(record: ChargeHistory['record']): SentenceParts {
  const attempt = findLastAttempt(record);
  const code = readTextAt(attempt, 'GatewayCode');
  const message = readTextAt(attempt, 'ErrorMessage') || 'the provider gave no reason';
  return code === '' ? say`${message}` : say`${message}, gateway code ${code}`;
}

/** Describes the calls that failed after the charge was made. */
function describeFailures(charge: ChargeHistory, explained: FullCall | null): SentenceParts {
  const { record, timeline, decisions } = charge;
  const last = findLastFailure(timeline);
  const count = listFailures(timeline).length;
  if (last === null) return count === 0 ? [] : say`${formatQuantity(count, 'earlier call')} failed.`;
  // The status of a FAILED charge already says that it was declined.
  if (readStatus(record) === 'FAILED' && last.call?.Status !== 0) return [];
  const own = explained !== null && explained.EntryId === last.call?.EntryId ? explained : null;
  const amount = formatRecordAmount({ ...record, Amount: readField(own?.RequestBody, 'Amount') }, 'Amount');
  const verb = findVerb(last.item, decisions);
  const which = `The ${count > 1 ? 'last ' : ''}${verb}${amount === '' ? '' : ` of ${amount}`}`;
  return joinSentences(
    count > 1 ? say`${String(count)} calls failed.` : [],
    say`${which} ${formatTimePhrase(last.item.At, charge.now)} ${describeFailedCall(last, own, charge)}.`,
  );
}

function describeFailedCall(
  { item, call }: ChargeFailure,
  own: FullCall | null,
  charge: ChargeHistory,
): SentenceParts {
  if (call === null) return say`${strong('failed')}: ${item.Text}; the charge did not change`;
  const end = wasPerformed(call, charge)
    ? say`, although it ${strong('was done')}`
    : say`; the charge did not change`;
  if (call.Status === 0) return say`got ${strong('no answer')}${end}`;
  const code = readTextAt(own?.ResponseBody, 'Code');
  const word = callResult(call, charge.decisions);
  return say`was ${strong(`${word} with ${call.Status}${code === '' ? '' : `, code ${code}`}`)}${end}`;
}

/** Whether a call was done although it failed: it made a change that no call of the same instant made as well. */
function wasPerformed(call: TimelineCall, { timeline }: ChargeHistory): boolean {
  const others = listChargeCalls(timeline).some(
    (other) =>
      other.At === call.At && !hasFailed(other) && other.Text.split(':')[0] === call.Text.split(':')[0],
  );
  const made = ['added', 'changed', 'ended'];
  return !others && timeline.some(({ What, EntryId }) => EntryId === call.EntryId && made.includes(What));
}

function explainCharge(
  { record, timeline, decisions }: ChargeHistory,
  call: FullCall | null,
  known: DecisionContext,
): SentenceParts {
  const failure = findLastFailure(timeline);
  const state = failure === null ? explainState(record, timeline) : [];
  if (state.length > 0) return state;
  if (call !== null && (failure === null || failure.call?.EntryId === call.EntryId)) {
    return joinSentences(whyCall(call, known), adviseRetry(call, known));
  }
  const decision = decisions.findLast(({ At }) => failure === null || At === failure.item.At);
  if (failure === null) return decision === undefined ? APPROVED : whyDecided(decision, '', known);
  // Of a challenge, the timeline knows how it ended.
  if (decision === undefined || decision.Precedence === '3ds') {
    const { Text } =
      timeline.find(({ What, At }) => What === 'failed' && At === failure.item.At) ?? failure.item;
    return say`${Text}.`;
  }
  const attempt = findLastAttempt(record);
  const row = known.triggers?.Outcomes.find(
    ({ GatewayCode, GatewayMessage }) =>
      (GatewayCode ?? '') === readTextAt(attempt, 'GatewayCode') &&
      GatewayMessage === readTextAt(attempt, 'GatewayMessage'),
  );
  const retry = row === undefined ? [] : describeRetry(row.IsRetryable);
  return joinSentences(whyDecided(decision, row?.Outcome ?? '', known), retry);
}

/** Why a charge is in a state that no provider decided; empty for any other. */
function explainState(record: ChargeHistory['record'], timeline: ChargeHistory['timeline']): SentenceParts {
  const status = readStatus(record);
  if (status === 'PENDING' && isFromBank(record)) return say`A payment from a bank is settled later.`;
  if (status !== 'AUTHORISE_CANCELLED') return [];
  const by = releasedBy(timeline);
  if (by === 'call') return say`A call voided it.`;
  return by === 'expiry'
    ? say`Nobody captured it in time.`
    : say`It was voided, or nobody captured it in time.`;
}

/** Whether the same call can succeed later. */
function adviseRetry(call: FullCall, known: DecisionContext): SentenceParts {
  if (call.Status < 400 || call.Precedence === null) return [];
  const row = known.triggers?.Outcomes.find(({ Outcome }) => Outcome === findOutcomeName(call, known));
  const isRetryable = readField(call.ResponseBody, 'IsRetryable') ?? row?.IsRetryable;
  return typeof isRetryable === 'boolean' ? describeRetry(isRetryable) : [];
}

const describeRetry = (isRetryable: boolean): SentenceParts =>
  isRetryable ? say`It is retryable.` : say`Sending it again does not help.`;

function describeWebhooks({ timeline, now }: ChargeHistory): SentenceParts {
  const hooks = listWebhooks(timeline);
  const last = hooks.findLast(({ status }) => status !== 'delivered') ?? hooks.at(-1);
  if (last === undefined) return say`No webhook is sent for it.`;
  const failed = last.attempts.length;
  if (last.status === 'withheld') return say`Its webhook to ${last.to} was ${strong('not sent')}.`;
  if (last.status === 'delivered') return say`The shop knows: the last webhook arrived.`;
  if (last.status === 'failed')
    return say`The shop has not heard of it: its webhook failed ${formatTimes(failed)} and is ${strong('not tried again')}.`;
  return describePending(last, failed, now);
}

function describePending({ due, to }: ChargeWebhook, failed: number, now: number): SentenceParts {
  const next = due === null ? 'soon' : formatTimeUntil(due.At, now);
  if (failed === 0) return say`Its webhook to ${to} is sent ${strong(next)}.`;
  return say`The shop has not heard of it: its webhook failed ${formatTimes(failed)} and is tried again ${strong(next)}.`;
}

function describeFuture({ record, timeline, now }: ChargeHistory): SentenceParts {
  const status = readStatus(record);
  const due = listDue(timeline).map(({ At, Text }) => {
    const what = Text.startsWith('Authorisation')
      ? 'The authorisation expires'
      : Text.replace(/^Ch/, 'The ch');
    return say`${what} ${formatTimeUntil(At, now)}.`;
  });
  const page = readTextAt(record, 'ThreeDsRedirectUrl');
  const challenge =
    page === ''
      ? []
      : say`The payer answers on ${fieldPart('ThreeDsRedirectUrl', page, 'the challenge page')}.`;
  const after = status === 'SUCCESS' || status === 'PARTIAL_REFUND' ? say`It can be refunded.` : [];
  const end = ['FAILED', 'REFUND', 'AUTHORISE_CANCELLED'].includes(status)
    ? say`Nothing can change it any more.`
    : [];
  return joinSentences(challenge, ...due, after, end);
}
