import {
  type Call,
  callsOf,
  type ChargeHistory,
  dueOf,
  hasFailed,
  type Hook,
  hooksOf,
  moneyOf,
  releasedBy,
  resultOfCall,
  statusOf,
  verbOf,
} from './charge.js';
import { named, type Said, say, sentences, strong } from './said.js';
import { type Exchange, fieldOf, textOf } from '../state/wire.js';
import { untilOf, whenOf } from './when.js';
import { type Known, outcomeOf, times, whyCall, whyDecided } from './why.js';

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
  const when = (name: string): string => whenOf(textOf(record, name), now);
  const money = moneyOf(record, 'Amount');
  const held = moneyOf(record, 'AuthorisationAmount');
  const isCard = textOf(record, 'PaymentInformation', 'Type') === 'CARD';
  const added = timeline.find(({ What }) => What === 'added');
  const asked = added?.Text.startsWith('Asked') === true ? `${added.Text} at ${when('DateAdded')}` : '';
  switch (statusOf(record)) {
    case 'PENDING':
      return isCard
        ? say`Waits for the payer: ${money || held} at ${when('DateAdded')} needs ${strong('3-D Secure')}.`
        : say`Waits for the bank, which was asked for ${money} at ${when('DateAdded')}.`;
    case 'FAILED':
      return say`${strong('Declined')} at ${when('DateAdded')}: ${failedText(record)}.`;
    case 'Authorised':
      return asked === '' ? say`Authorised at ${when('DateAdded')}.` : say`${asked}, and authorised.`;
    case 'AUTHORISE_CANCELLED': {
      const by = releasedBy(timeline);
      const how = by === 'call' ? 'was voided' : by === 'expiry' ? 'expired' : 'was released';
      return say`Authorised ${held} at ${when('DateAdded')}. It ${strong(how)} at ${when('VoidDate')}.`;
    }
    default:
      return sentences(taken(record, asked, when), refunded(record));
  }
}

function taken(record: ChargeHistory['record'], asked: string, when: (name: string) => string): Said {
  const money = moneyOf(record, 'Amount');
  const held = moneyOf(record, 'AuthorisationAmount');
  const done = when('SuccessDate');
  if (held !== '')
    return say`Authorised ${held} at ${when('DateAdded')}, ${strong(`captured ${money}`)} at ${done}.`;
  if (asked !== '') return say`${asked}, and ${strong('received')} at ${done}.`;
  return say`${strong('Charged')} at ${done}.`;
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

/** Calls that failed after the charge was made. */
function failures({ record, timeline, decisions, now }: ChargeHistory, call: Exchange | null): Said {
  const failed = callsOf(timeline).filter(hasFailed);
  const last = failed.at(-1);
  if (last === undefined || (failed.length === 1 && statusOf(record) === 'FAILED' && last.Status !== 0))
    return [];
  const own = call?.EntryId === last.EntryId ? call : null;
  const verb = verbOf(last, decisions);
  const asked = moneyOf({ ...record, Amount: fieldOf(own?.RequestBody, 'Amount') }, 'Amount');
  const which = `The ${failed.length > 1 ? 'last ' : ''}${verb}${asked === '' ? '' : ` of ${asked}`}`;
  const when = whenOf(last.At, now);
  const earlier = failed.length === 1 ? [] : say`${String(failed.length)} calls failed.`;
  return sentences(earlier, say`${which} at ${when} ${failureOf(last, own, timeline, decisions)}.`);
}

function failureOf(
  last: Call,
  own: Exchange | null,
  timeline: ChargeHistory['timeline'],
  decisions: ChargeHistory['decisions'],
): Said {
  const isDone = timeline.some(
    ({ What, EntryId }) =>
      EntryId === last.EntryId && (What === 'added' || What === 'changed' || What === 'ended'),
  );
  const so = isDone ? say`although it ${strong('was done')}` : say`and the charge did not change`;
  if (last.Status === 0) return say`got ${strong('no answer')}, ${so}`;
  const code = textOf(own?.ResponseBody, 'Code');
  const answer = `${last.Status}${code === '' ? '' : `, code ${code}`}`;
  const word = resultOfCall(last, decisions);
  return say`was ${strong(`${word} with ${answer}`)}; ${isDone ? so : 'the charge did not change'}`;
}

function reason({ record, timeline, decisions }: ChargeHistory, call: Exchange | null, known: Known): Said {
  const last = callsOf(timeline).findLast(hasFailed);
  if (call !== null && (last === undefined || last.EntryId === call.EntryId)) {
    return sentences(whyCall(call, known), advice(call, known));
  }
  const decision = decisions.at(-1);
  if (decision === undefined) {
    return statusOf(record) === 'FAILED'
      ? say`The journal no longer has the call.`
      : say`Nothing asked for another outcome, so it was ${strong('approved')}.`;
  }
  const attempt = lastAttempt(record);
  const row = known.triggers?.Outcomes.find(
    ({ GatewayCode, GatewayMessage }) =>
      (GatewayCode ?? '') === textOf(attempt, 'GatewayCode') &&
      GatewayMessage === textOf(attempt, 'GatewayMessage'),
  );
  const isFailed = attempt !== undefined && textOf(attempt, 'DateAttempted') === decision.At;
  const retry = isFailed && row !== undefined ? retryText(row.IsRetryable) : [];
  return sentences(whyDecided(decision, isFailed ? (row?.Outcome ?? '') : '', known), retry);
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
      : `${Text.replace(/^Ch/, 'The ch')}`;
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
