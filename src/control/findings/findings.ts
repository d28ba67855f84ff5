import { formatCount, isUuid } from '../../core/text/text.js';
import { formatRoughly } from '../../core/time/time.js';
import { classifyResult, type Entry } from '../../journal/entry.js';
import type { Charge } from '../../records/charge.js';
import type { Delivery } from '../../webhooks/delivery.js';
import { formatWithCurrency } from '../pages/card-pages.js';
import { countFailedPercent, sumReceivers } from '../webhooks/receivers.js';

/** Findings of a world, read from its charges, calls and deliveries alone: nothing here knows what the shop believes. */

/** The kinds of findings, the worst first. */
export const WORLD_FINDING_KINDS = [
  'charged twice',
  'answers lost',
  'webhooks failing',
  'calls refused',
] as const;

export interface WorldFinding {
  readonly kind: (typeof WORLD_FINDING_KINDS)[number];
  /** Without a full stop: one line of a list. */
  readonly message: string;
  /** How many charges, calls or attempts it is about. */
  readonly count: number;
  /** The order that was charged twice. */
  readonly reference: string | null;
  /** The receiver whose webhooks fail. */
  readonly url: string | null;
  /** The first calls or charges that it is about. */
  readonly refs: readonly (number | string)[];
  /** Whether the answer to a call was lost, which a shop must expect. */
  readonly isAfterLoss: boolean;
}

/** The records of a world that findings are read from. */
export interface ObservedRecords {
  readonly charges: Iterable<Charge>;
  /** The oldest first. */
  readonly entries: Iterable<Entry>;
  readonly deliveries: Iterable<Delivery>;
}

/** How many charges, calls or attempts a finding names. */
const REFS_MAX = 20;

/** All findings, the worst first. Calls that a restore has undone count for nothing. */
export function listWorldFindings({ charges, entries, deliveries }: ObservedRecords): WorldFinding[] {
  const calls = [...entries].filter(({ isUndone }) => !isUndone);
  const made = [...charges];
  return [
    ...findSecondCharges(made, findLostCharges(calls)),
    ...findLostAnswers(calls, made),
    ...findFailingReceivers(deliveries),
    ...findRefusals(calls),
  ];
}

/** Whether a charge took money, even if all of it was refunded. */
export function hasTakenMoney({ status }: Pick<Charge, 'status'>): boolean {
  return status === 'SUCCESS' || status === 'PARTIAL_REFUND' || status === 'REFUND';
}

/** The charges whose caller was not told of them: the answer was lost, or was an error of a gateway in between. */
export function findLostCharges(calls: Iterable<Entry>): ReadonlySet<string> {
  const lost = new Set<string>();
  for (const { created, status, isUndone } of calls)
    if (created && !isUndone && (status === 0 || status >= 400)) lost.add(created);
  return lost;
}

/** Says that the answer to a charge before the last was lost. Charges are given in the order in which they were made. */
export function describeLoss(charges: readonly Pick<Charge, 'id'>[], lost: ReadonlySet<string>): string {
  return charges.slice(0, -1).some(({ id }) => lost.has(id)) ? ', after a lost answer' : '';
}

/** How far the first and the last charge are apart: ", 31 s apart". Says nothing of charges of one instant. */
function describeApart(charges: readonly Charge[]): string {
  const ms = (charges.at(-1)?.dateAdded ?? 0) - (charges[0]?.dateAdded ?? 0);
  return ms === 0 ? '' : `, ${formatRoughly(ms)} apart`;
}

/** Charges with one Reference and one amount whose money is still taken. A subscription repeats its charges rightly. */
function findSecondCharges(charges: Iterable<Charge>, lost: ReadonlySet<string>): WorldFinding[] {
  const orders = new Map<string, Charge[]>();
  for (const charge of charges) {
    const { reference, amountMinor, currency, refundedMinor, more } = charge;
    if (!reference || more.subscription !== null) continue;
    if (!hasTakenMoney(charge) || refundedMinor === amountMinor) continue;
    const key = `${currency} ${amountMinor} ${reference}`;
    const order = orders.get(key);
    if (order === undefined) orders.set(key, [charge]);
    else order.push(charge);
  }
  const repeated = [...orders.values()].filter(({ length }) => length > 1);
  const findings = repeated.map((order) => describeSecondCharge(order, lost));
  return findings.toSorted((a, b) => Number(b.isAfterLoss) - Number(a.isAfterLoss));
}

function describeSecondCharge(charges: readonly Charge[], lost: ReadonlySet<string>): WorldFinding {
  const [{ reference, currency } = { reference: '', currency: '' }] = charges;
  const taken = charges.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const loss = describeLoss(charges, lost);
  const times = charges.length === 2 ? 'twice' : `${charges.length} times`;
  return buildFinding('charged twice', charges.length, {
    message: `${reference} charged ${times}: ${formatWithCurrency(taken, currency)}${describeApart(charges)}${loss}`,
    reference,
    refs: charges.map(({ id }) => id),
    isAfterLoss: loss !== '',
  });
}

function buildFinding(
  kind: WorldFinding['kind'],
  count: number,
  { refs = [], ...more }: Pick<WorldFinding, 'message'> & Partial<WorldFinding>,
): WorldFinding {
  return {
    kind,
    count,
    reference: null,
    url: null,
    isAfterLoss: false,
    ...more,
    refs: refs.slice(0, REFS_MAX),
  };
}

/** Calls without an answer that were never looked up, although they may have changed something. A shop that looks up all has no fault. */
function findLostAnswers(calls: readonly Entry[], charges: readonly Charge[]): WorldFinding[] {
  const lost = calls.filter(({ status }) => status === 0);
  const [first] = lost;
  if (first === undefined) return [];
  const reads = calls.filter(({ id, method }) => id > first.id && method === 'GET');
  // The latest read of each text, so that a call is compared with what came after it.
  const readAt = new Map(
    reads.flatMap((read) => listReadTexts(read).map((text) => [text, read.id] as const)),
  );
  const references = new Map(charges.map(({ id, reference }) => [id, reference]));
  const open = lost.filter(({ id, method, path, reference, created }) => {
    const ids = path.split('/').filter(isUuid);
    const texts = [reference, created, ...ids, ...ids.map((named) => references.get(named))];
    return method !== 'GET' && !texts.some((text) => text && (readAt.get(text) ?? -1) > id);
  });
  if (open.length === 0) return [];
  return [
    buildFinding('answers lost', lost.length, {
      message: `${formatCount(lost.length, 'answer')} lost, ${open.length} never looked up`,
      refs: open.map(({ id }) => id),
      isAfterLoss: true,
    }),
  ];
}

/** Parameters that name a record, such as `Reference` and `CustomerId`. */
const NAMING = /(?:reference|id)$/i;

/** The texts that a read was answered about: the identifiers in its path, also if there is no such record, and those in its query. */
function listReadTexts({ path, query, status }: Entry): string[] {
  const isAnswered = status > 0 && status < 400;
  const ids = isAnswered || status === 404 ? path.split('/').filter(isUuid) : [];
  const named = [...new URLSearchParams(query)].filter(([name]) => isAnswered && NAMING.test(name));
  return [...ids, ...named.map(([, text]) => text)];
}

/** The share of attempts that each receiver did not accept. */
function findFailingReceivers(deliveries: Iterable<Delivery>): WorldFinding[] {
  return sumReceivers(deliveries).flatMap((sum) => {
    const { url, failures } = sum;
    const [often] = countTexts(failures.map(({ responseStatus }) => String(responseStatus ?? 'no answer')));
    if (often === undefined) return [];
    const message = `${new URL(url).pathname} fails ${countFailedPercent(sum)} % (${often[0]})`;
    return [buildFinding('webhooks failing', failures.length, { message, url })];
  });
}

/** The maximum number of refused calls whose answers are read for their causes. */
const CAUSES_READ_MAX = 1_000;

/** Calls that the service refused by its own rules: a mistake of the shop. */
function findRefusals(calls: readonly Entry[]): WorldFinding[] {
  const refused = calls.filter((call) => classifyResult(call) === 'refused');
  const causes = countTexts(refused.slice(-CAUSES_READ_MAX).map(readCause));
  const [often] = causes;
  if (often === undefined) return [];
  const [cause, times] = often;
  const place = times === 1 ? 'for example' : `most often (${times})`;
  const why = causes.length === 1 ? `one cause: ${cause}` : `${causes.length} causes, ${place}: ${cause}`;
  return [
    buildFinding('calls refused', refused.length, {
      message: `${formatCount(refused.length, 'call')} refused, ${why}`,
      refs: refused.map(({ id }) => id),
    }),
  ];
}

/** As in `The charge 53332c… is Authorised`. */
const IDENTIFIER = /\b(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/gi;

/** The message of a refusal after its kind, with no value that differs from call to call. */
function readCause({ answer, status }: Entry): string {
  const { Message, message = Message } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof message !== 'string') return String(status);
  const [first = ''] = message.replace(/^[\w ]+: /, '').split(/[;.] |, for example /);
  return first
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(IDENTIFIER, '…')
    .replace(/\.$/, '');
}

/** Each text with how often it occurs, the most frequent first. */
function countTexts(texts: readonly string[]): [text: string, times: number][] {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return [...times].toSorted(([, a], [, b]) => b - a);
}
