import type { Job } from '../state/wire.js';
import { formatQuantity } from './format.js';

/** A kind of job: its words; the view of its record, or null if it has none; and the words for those that ran: 25 authorisations expired. */
interface JobKind {
  readonly text: string;
  readonly view: string | null;
  /** Left out for a step of another kind. */
  readonly ran?: readonly [noun: string, verb: string];
  /** The view and the status of what those that ran changed, if the view is another one. */
  readonly list?: readonly [view: string, status?: string];
}

const KINDS: Readonly<Record<string, JobKind>> = {
  'authorisation.expire': {
    text: 'Authorisation expires',
    view: 'charges',
    ran: ['authorisation', 'expired'],
    list: ['charges', 'AUTHORISE_CANCELLED'],
  },
  'charge.settle': { text: 'The bank settles', view: 'charges', ran: ['charge', 'settled'] },
  'challenge.expire': {
    text: 'Challenge times out',
    view: 'authentications',
    ran: ['challenge', 'timed out'],
  },
  'checkout.expire': {
    text: 'Check-out expires',
    view: null,
    ran: ['check-out', 'expired'],
    list: ['charges'],
  },
  'transfer.arrive': { text: 'Transfer arrives', view: 'transfers', ran: ['transfer', 'arrived'] },
  'subscription.charge': {
    text: 'Subscription is charged',
    view: 'subscriptions',
    ran: ['subscription', 'charged'],
  },
  'vault.expire': { text: 'Vault entry expires', view: 'vault', ran: ['vault entry', 'expired'] },
  'vault.ccvExpire': { text: 'Stored Ccv is removed', view: 'vault', ran: ['stored Ccv', 'removed'] },
  'token.expire': { text: 'Token expires', view: null, ran: ['token', 'expired'], list: ['calls'] },
  'webhook.deliver': { text: 'Webhook', view: 'webhooks' },
  'batch.create': { text: 'Batch is created', view: 'batches' },
  'batch.start': { text: 'Batch starts', view: 'batches' },
  'batch.rows': { text: 'Batch rows are charged', view: 'batches', ran: ['batch row', ''] },
  'batch.finish': { text: 'Batch ends', view: 'batches', ran: ['batch', 'ended'] },
  'scenario.timeline': { text: 'Event of the scenario', view: 'scenario', ran: ['scenario event', ''] },
};

export const JOB_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { text }]) => [kind, text]),
);

/** A figure of what a move of the clock did, with the list that it counts. */
export interface RanPart {
  readonly text: string;
  readonly view: string;
  readonly status: string | null;
}

/** How many jobs of each kind ran. */
export function listRanParts(counts: Readonly<Record<string, number>>): RanPart[] {
  return Object.entries(KINDS).flatMap(([kind, { view, ran, list: [listed = view, status = null] = [] }]) => {
    const { [kind]: count = 0 } = counts;
    if (count === 0 || ran === undefined || listed === null) return [];
    return [{ text: `${formatQuantity(count, ran[0])} ${ran[1]}`.trim(), view: listed, status }];
  });
}

type JobWords = Pick<Job, 'Kind'> & Partial<Job>;

/** The words for a job: "Webhook to /hooks/pay, try 2 of 10, order-4005", "The bank settles AUD 30.00 of order-1042". */
export function describeJob({ Kind, About, Ref: event }: JobWords): Pick<JobKind, 'text' | 'view'> {
  const { text, view } = KINDS[Kind] ?? { text: Kind, view: null };
  const about = About ?? (view === 'scenario' ? event : null);
  if (!about) return { text, view };
  return { text: `${text}${GOES_ON.test(text) ? ' ' : ': '}${about}`, view };
}

/** Texts that go on with what they are about. */
const GOES_ON = /^(?:Webhook|The bank settles)$/;
/** The part of `About` before the reference, such as "to /hooks/pay, try 2 of 10, ". */
const BEFORE_REFERENCE = /^(?:to \S+, try \d+ of \d+(?:, |$)|[A-Z]{3} \S+ of )/;

/** The words for a job where there is little room: "webhook for order-4005". */
export function describeBriefly(job: JobWords): string {
  const about = job.About?.replace(BEFORE_REFERENCE, '') ?? '';
  const { text } = describeJob({ ...job, About: null });
  const brief = text.charAt(0).toLowerCase() + text.slice(1);
  return about === '' ? brief : `${brief}${text === 'The bank settles' ? '' : ' for'} ${about}`;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, min: 6e4, h: 36e5, d: 864e5 };

/** A duration of ISO 8601, part by part. */
const ISO_SPAN = /^P(?=.)(\d+D)?(?:T(?=.)([\d.]+H)?([\d.]+M)?([\d.]+S)?)?$/;

/** A duration such as 7d, 2h 30m or PT2H, in milliseconds; null if it is none. */
export function parseSpan(typed: string): number | null {
  const text = ISO_SPAN.exec(typed.trim())?.slice(1).join('').toLowerCase() ?? typed;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)(?![a-z])/g)];
  const isWhole = text.replaceAll(/(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)(?![a-z])/g, '').trim() === '';
  if (parts.length === 0 || !isWhole) return null;
  return Math.round(parts.reduce((sum, [, n, unit = '']) => sum + Number(n) * (UNITS[unit] ?? 0), 0));
}
