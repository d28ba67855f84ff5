import {
  type ChargeHistory,
  listDue,
  type ChargeFailure,
  listFailures,
  type ChargeWebhook,
  listWebhooks,
  findLastFailure,
  formatRecordAmount,
  releasedBy,
  callResult,
  readStatus,
  wasPerformed,
  findVerb,
} from './charge.js';
import { describeRetry } from './explain.js';
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
    case 'PENDING_CHECKOUT':
      return say`Waits since ${added.replace(/^(?:at|on) /, '')} for the payer, who approves ${authorised || money} on ${strong('the page of the wallet')}.`;
    case 'FAILED':
      return say`${strong('Declined')} ${formatTimePhrase(readTextAt(findLastAttempt(record), 'DateAttempted') || readTextAt(record, 'DateAdded'), now)}: ${describeFailedAttempt(record)}.`;
    case 'Authorised':
      return say`Authorised ${added}.`;
    case 'AUTHORISE_CANCELLED': {
      const by = releasedBy(timeline);
      const how = by === 'call' ? 'was voided' : by === 'expiry' ? 'expired' : 'was released';
      const begun = authorised === '' ? 'Asked the payer' : `Authorised ${authorised}`;
      return say`${begun} ${added}. It ${strong(how)} ${at('VoidDate')}.`;
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
  const which = `The ${count > 1 ? 'last ' : ''}${verb}${amount === '' ? '' : ` of ${amount}`} ${formatTimePhrase(last.item.At, charge.now)}`;
  // The sentence before says what was charged, and when.
  const subject = verb === 'charge' && count === 1 && last.call?.Status === 0 ? 'The call' : which;
  return joinSentences(
    count > 1 ? say`${String(count)} calls failed.` : [],
    say`${subject} ${describeFailedCall(last, own, charge)}.`,
  );
}

function describeFailedCall(
  { item, call }: ChargeFailure,
  own: FullCall | null,
  charge: ChargeHistory,
): SentenceParts {
  if (call === null) return say`${strong('failed')}: ${item.Text}; the charge did not change`;
  const end = wasPerformed(call, charge)
    ? say`, but ${strong(describeDeed(findVerb(call, charge.decisions), charge.record))}`
    : say`; the charge did not change`;
  if (call.Status === 0) return say`got ${strong('no answer')}${end}`;
  const code = readTextAt(own?.ResponseBody, 'Code');
  const word = callResult(call, charge.decisions);
  return say`was ${strong(`${word} with ${call.Status}${code === '' ? '' : `, code ${code}`}`)}${end}`;
}

/** The effect of a call whose caller did not hear of it. */
function describeDeed(verb: string, record: ChargeHistory['record']): string {
  const isHeld = readStatus(record) === 'Authorised' && verb === 'charge';
  const deeds: Readonly<Record<string, string>> = {
    charge: isHeld
      ? 'the money is held'
      : readStatus(record) === 'FAILED'
        ? 'it was declined'
        : 'the money was taken',
    capture: 'the money was taken',
    refund: 'the money was returned',
    void: 'the authorisation was released',
  };
  return deeds[verb] ?? 'it was done';
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

function describeWebhooks({ timeline, now }: ChargeHistory): SentenceParts {
  const hooks = listWebhooks(timeline);
  if (hooks.length === 0) return say`No webhook is sent for it.`;
  const missing = hooks.filter((hook) => !hasArrived(hook, hooks));
  const last = missing.at(-1);
  if (last === undefined) return say`All webhooks arrived.`;
  const arrived = hooks.length - missing.length;
  return joinSentences(
    arrived === 0 ? [] : say`${String(arrived)} of ${formatQuantity(hooks.length, 'webhook')} arrived.`,
    describeMissing(last, now),
  );
}

/** Whether a webhook arrived, or a later one of its kind at the same receiver, such as one that was sent again. */
function hasArrived({ event, to, at }: ChargeWebhook, hooks: readonly ChargeWebhook[]): boolean {
  return hooks.some(
    (hook) => hook.status === 'delivered' && hook.event === event && hook.to === to && hook.at >= at,
  );
}

function describeMissing({ status, attempts, due, to }: ChargeWebhook, now: number): SentenceParts {
  if (status === 'withheld') return say`The webhook to ${to} was ${strong('not sent')}.`;
  const next = due === null ? 'soon' : formatTimeUntil(due.At, now);
  if (attempts.length === 0) return say`The webhook to ${to} is sent ${strong(next)}.`;
  const end =
    status === 'failed' ? say`is ${strong('not tried again')}` : say`is tried again ${strong(next)}`;
  return say`The webhook to ${to} ${strong('has not arrived')}: it failed ${formatTimes(attempts.length)} and ${end}.`;
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
  const end = ['FAILED', 'REFUND', 'AUTHORISE_CANCELLED'].includes(status) ? say`This is final.` : [];
  return joinSentences(challenge, ...due, after, end);
}
