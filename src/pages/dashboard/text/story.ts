import {
  type Call,
  callsOf,
  type ChargeHistory,
  dueOf,
  type Failure,
  failuresOf,
  hasFailed,
  type Hook,
  hooksOf,
  lastFailure,
  moneyOf,
  releasedBy,
  resultOfCall,
  statusOf,
  verbOf,
} from './charge.js';
import { capital, counted } from './format.js';
import { named, type Said, say, sentences, strong } from './said.js';
import { type Exchange, fieldOf, textOf } from '../state/wire.js';
import { atOf, untilOf } from './when.js';
import { APPROVED, type Known, outcomeOf, times, whyCall, whyDecided } from './why.js';

/** What happened to a charge, why, and what happens next. */
export interface Story {
  readonly what: Said;
  readonly why: Said;
  readonly next: Said;
}

/** `call` is that of `callToExplain`, if the journal still has it. */
export function storyOf(charge: ChargeHistory, call: Exchange | null, known: Known): Story {
  return {
    what: sentences(happened(charge), failures(charge, call)),
    why: reason(charge, call, known),
    next: sentences(ofWebhooks(charge), ofTime(charge)),
  };
}

function happened({ record, timeline, now }: ChargeHistory): Said {
  const at = (name: string): string => atOf(textOf(record, name), now);
  const added = at('DateAdded');
  const held = moneyOf(record, 'AuthorisationAmount');
  const money = moneyOf(record, 'Amount');
  const isCard = textOf(record, 'PaymentInformation', 'Type') === 'CARD';
  switch (statusOf(record)) {
    case 'PENDING':
      return isCard
        ? say`Waits for the payer since ${added.replace(/^(?:at|on) /, '')}: ${held || money} needs ${strong('3-D Secure')}.`
        : say`Waits for the ${strong('bank')}, which was asked for ${money} ${added}.`;
    case 'FAILED':
      return say`${strong('Declined')} ${atOf(textOf(lastAttempt(record), 'DateAttempted') || textOf(record, 'DateAdded'), now)}: ${failedText(record)}.`;
    case 'Authorised':
      return say`Authorised ${added}.`;
    case 'AUTHORISE_CANCELLED': {
      const by = releasedBy(timeline);
      const how = by === 'call' ? 'was voided' : by === 'expiry' ? 'expired' : 'was released';
      return say`Authorised ${held} ${added}. It ${strong(how)} ${at('VoidDate')}.`;
    }
    default: {
      const done = at('SuccessDate');
      const start =
        held === '' ? (done === added ? '' : `Begun ${added}, `) : `Authorised ${held} ${added}, `;
      const word = held === '' ? (isCard ? 'charged' : 'settled') : `captured ${money}`;
      const taken = say`${start}${strong(start === '' ? capital(word) : word)} ${done}.`;
      return sentences(taken, refunded(record));
    }
  }
}

function refunded(record: ChargeHistory['record']): Said {
  const refunds = fieldOf(record, 'Refunds');
  const count = Array.isArray(refunds) ? refunds.length : 0;
  if (count === 0) return [];
  const part = statusOf(record) === 'REFUND' ? 'All of it' : moneyOf(record, 'RefundedAmount');
  return say`${part} was ${strong('refunded')}${count === 1 ? '' : `, in ${count} refunds`}.`;
}

/** The last failed attempt as the charge keeps it. */
function lastAttempt(record: ChargeHistory['record']): unknown {
  const attempts = fieldOf(record, 'FailedAttempts');
  return Array.isArray(attempts) ? (attempts as unknown[]).at(-1) : undefined;
}

function failedText(record: ChargeHistory['record']): Said {
  const attempt = lastAttempt(record);
  const code = textOf(attempt, 'GatewayCode');
  const message = textOf(attempt, 'ErrorMessage') || 'the provider gave no reason';
  return code === '' ? say`${message}` : say`${message}, gateway code ${code}`;
}

/** What failed after the charge was made. */
function failures(charge: ChargeHistory, explained: Exchange | null): Said {
  const { record, timeline, decisions } = charge;
  const last = lastFailure(timeline);
  const count = failuresOf(timeline).length;
  if (last === null) return count === 0 ? [] : say`${counted(count, 'earlier call')} failed.`;
  // Its own failure is already told.
  if (statusOf(record) === 'FAILED' && last.call?.Status !== 0) return [];
  const own = explained !== null && explained.EntryId === last.call?.EntryId ? explained : null;
  const asked = moneyOf({ ...record, Amount: fieldOf(own?.RequestBody, 'Amount') }, 'Amount');
  const verb = verbOf(last.item, decisions);
  const which = `The ${count > 1 ? 'last ' : ''}${verb}${asked === '' ? '' : ` of ${asked}`}`;
  return sentences(
    count > 1 ? say`${String(count)} calls failed.` : [],
    say`${which} ${atOf(last.item.At, charge.now)} ${failureText(last, own, charge)}.`,
  );
}

function failureText({ item, call }: Failure, own: Exchange | null, charge: ChargeHistory): Said {
  if (call === null) return say`${strong('failed')}: ${item.Text}; the charge did not change`;
  const end = isDone(call, charge)
    ? say`, although it ${strong('was done')}`
    : say`; the charge did not change`;
  if (call.Status === 0) return say`got ${strong('no answer')}${end}`;
  const code = textOf(own?.ResponseBody, 'Code');
  const word = resultOfCall(call, charge.decisions);
  return say`was ${strong(`${word} with ${call.Status}${code === '' ? '' : `, code ${code}`}`)}${end}`;
}

/** Whether a call was done although it failed: it made a change that no call of the same instant made as well. */
function isDone(call: Call, { timeline }: ChargeHistory): boolean {
  const others = callsOf(timeline).some(
    (one) => one.At === call.At && !hasFailed(one) && one.Text.split(':')[0] === call.Text.split(':')[0],
  );
  const made = ['added', 'changed', 'ended'];
  return !others && timeline.some(({ What, EntryId }) => EntryId === call.EntryId && made.includes(What));
}

function reason({ record, timeline, decisions }: ChargeHistory, call: Exchange | null, known: Known): Said {
  const failure = lastFailure(timeline);
  const state = failure === null ? ofState(record, timeline) : [];
  if (state.length > 0) return state;
  if (call !== null && (failure === null || failure.call?.EntryId === call.EntryId)) {
    return sentences(whyCall(call, known), advice(call, known));
  }
  const decision = decisions.findLast(({ At }) => failure === null || At === failure.item.At);
  if (failure === null) return decision === undefined ? APPROVED : whyDecided(decision, '', known);
  // Of a challenge, the timeline knows how it ended.
  if (decision === undefined || decision.Precedence === '3ds') {
    const { Text } =
      timeline.find(({ What, At }) => What === 'failed' && At === failure.item.At) ?? failure.item;
    return say`${Text}.`;
  }
  const attempt = lastAttempt(record);
  const row = known.triggers?.Outcomes.find(
    ({ GatewayCode, GatewayMessage }) =>
      (GatewayCode ?? '') === textOf(attempt, 'GatewayCode') &&
      GatewayMessage === textOf(attempt, 'GatewayMessage'),
  );
  const retry = row === undefined ? [] : retryText(row.IsRetryable);
  return sentences(whyDecided(decision, row?.Outcome ?? '', known), retry);
}

/** Why a charge is in a state that no provider decided; empty for any other. */
function ofState(record: ChargeHistory['record'], timeline: ChargeHistory['timeline']): Said {
  const status = statusOf(record);
  if (status === 'PENDING' && textOf(record, 'PaymentInformation', 'Type') !== 'CARD')
    return say`A payment from a bank is settled later.`;
  if (status !== 'AUTHORISE_CANCELLED') return [];
  const by = releasedBy(timeline);
  if (by === 'call') return say`A call voided it.`;
  return by === 'expiry'
    ? say`Nobody captured it in time.`
    : say`It was voided, or nobody captured it in time.`;
}

/** Whether the same call can succeed later. */
function advice(call: Exchange, known: Known): Said {
  if (call.Status < 400 || call.Precedence === null) return [];
  const row = known.triggers?.Outcomes.find(({ Outcome }) => Outcome === outcomeOf(call, known));
  const isRetryable = fieldOf(call.ResponseBody, 'IsRetryable') ?? row?.IsRetryable;
  return typeof isRetryable === 'boolean' ? retryText(isRetryable) : [];
}

const retryText = (isRetryable: boolean): Said =>
  isRetryable ? say`It is retryable.` : say`Sending it again does not help.`;

function ofWebhooks({ timeline, now }: ChargeHistory): Said {
  const hooks = hooksOf(timeline);
  const last = hooks.findLast(({ status }) => status !== 'delivered') ?? hooks.at(-1);
  if (last === undefined) return say`No webhook is sent for it.`;
  const failed = last.attempts.length;
  if (last.status === 'withheld') return say`Its webhook to ${last.to} was ${strong('not sent')}.`;
  if (last.status === 'delivered') return say`The shop knows: the last webhook arrived.`;
  if (last.status === 'failed')
    return say`The shop has not heard of it: its webhook failed ${times(failed)} and is ${strong('not tried again')}.`;
  return pendingText(last, failed, now);
}

function pendingText({ due, to }: Hook, failed: number, now: number): Said {
  const next = due === null ? 'soon' : untilOf(due.At, now);
  if (failed === 0) return say`Its webhook to ${to} is sent ${strong(next)}.`;
  return say`The shop has not heard of it: its webhook failed ${times(failed)} and is tried again ${strong(next)}.`;
}

function ofTime({ record, timeline, now }: ChargeHistory): Said {
  const status = statusOf(record);
  const due = dueOf(timeline).map(({ At, Text }) => {
    const what = Text.startsWith('Authorisation')
      ? 'The authorisation expires'
      : Text.replace(/^Ch/, 'The ch');
    return say`${what} ${untilOf(At, now)}.`;
  });
  const page = textOf(record, 'ThreeDsRedirectUrl');
  const challenge =
    page === '' ? [] : say`The payer answers on ${named('ThreeDsRedirectUrl', page, 'the challenge page')}.`;
  const after = status === 'SUCCESS' || status === 'PARTIAL_REFUND' ? say`It can be refunded.` : [];
  const end = ['FAILED', 'REFUND', 'AUTHORISE_CANCELLED'].includes(status)
    ? say`Nothing can change it any more.`
    : [];
  return sentences(challenge, ...due, after, end);
}
