import { explainNeverSent } from '../control/webhooks/message.js';
import { findNearest } from '../core/text/nearest.js';
import { formatCount, escapeUnseen } from '../core/text/text.js';
import { readTypeTag, whyImpossible } from '../http/fields/expected.js';
import type { Charge, Delivery, Order, SweepReport, WebhookEvent, World } from '../index.js';
import { TOPIC_OF_EVENT } from '../records/webhook-subscription.js';
import { ChargeResponse } from '../resources/charges/schema.js';
import { listDifferences, NOT_FAILED, formatOneLine } from './comparison.js';

/**
 * The expected fields of a charge, named as the service returns them. The amount may be a number or a decimal text, and a text may be
 * a regular expression.
 */
export type ExpectedCharge = {
  readonly [K in keyof Charge]?: K extends 'Amount' ? number | string : unknown;
};

/** Fields that a delivered body must contain, named as on the wire. */
export type ExpectedBody = Readonly<Record<string, unknown>>;

/** The matchers of a world, on the `expect` of every runner. */
export interface SandboxMatchers<R> {
  /**
   * Passes if the world has a charge with these fields, named as the service returns them; without arguments, any charge. Failed
   * charges match only if a Status is expected. Fails, also after `not`, if no charge can have such fields.
   *
   * @example
   * await expect(sandbox).toHaveCharged({ Reference: /^order-/, Amount: 15.5 });
   */
  toHaveCharged(expected?: ExpectedCharge): R;
  /**
   * Passes if a webhook of the event was delivered with these fields in its body. Webhooks that are due are sent first. Fails, also
   * after `not`, if no message of the event can have such fields.
   *
   * @example
   * await expect(sandbox).toHaveDelivered('batch.status.changed', { data: { status: 'SUCCESS' } });
   */
  toHaveDelivered(event: WebhookEvent, body?: ExpectedBody): R;
  /**
   * Passes if the charges are what the shop believes about its orders, and no authorisation is open.
   *
   * @example
   * await expect(sandbox).toBalance([{ reference: 'order-1', amount: 15.5, paid: true }]);
   */
  toBalance(orders: readonly Order[]): R;
}

/** The matcher of a report of `sweep`, on the `expect` of every runner. */
export interface ReportMatchers {
  /**
   * Passes if no failure of the service makes money and orders disagree, and everything that was planned was tried. A failure shows the
   * report.
   *
   * @example
   * expect(await sweep(flow)).toBeSafe();
   */
  toBeSafe(): void;
}

/** The result of a matcher, as runners expect it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** How many close records a message lists. */
const NEAREST_MAX = 3;
/** How many findings a message lists. */
const FINDINGS_MAX = 20;

/** Whether a world has such a charge; if nothing is given, any charge. */
async function haveCharged(
  world: World,
  ...given: readonly [expected?: ExpectedCharge]
): Promise<MatcherResult> {
  requireWorldArgument(world, 'toHaveCharged');
  const fields = withAmountAsNumber(readExpected(given));
  requirePossible('toHaveCharged', whyImpossible(ChargeResponse, fields, { noun: 'a charge', path: [] }));
  const charges = await world.charges();
  const query = { Status: NOT_FAILED, ...fields };
  const compared = charges.map((record) => ({ record, lacks: listDifferences(record, query) }));
  const shown = Object.keys(fields).length === 0 ? '' : ` like ${formatOneLine(fields)}`;
  return judgeCompared(compared, formatCharge, {
    missing: `expected a charge${shown}; this world has ${countOrNone(charges.length, 'charge')}`,
    unexpected: (found) => `expected no charge${shown}, but found ${found.map(formatCharge).join(', ')}`,
  });
}

/** Whether a webhook of an event was delivered, after those that are due were sent. */
async function haveDelivered(
  world: World,
  event: WebhookEvent,
  ...given: readonly [body?: ExpectedBody]
): Promise<MatcherResult> {
  requireWorldArgument(world, 'toHaveDelivered');
  // Otherwise a typo in the name would make `not.toHaveDelivered` pass.
  refuseUnknownName('toHaveDelivered: there is no event', event, TOPIC_OF_EVENT);
  const body = readExpected(given);
  requirePossible('toHaveDelivered', explainNeverSent(event, body));
  await world.settle();
  const deliveries = await world.deliveries.list();
  const filter = { eventType: event, status: 'delivered' };
  const compared = deliveries.map((record) => ({
    record,
    lacks: [...listDifferences(record, filter), ...listDifferences(record.body, body)],
  }));
  const shown = Object.keys(body).length === 0 ? event : `${event} with ${formatOneLine(body)}`;
  return judgeCompared(compared, lineAbout, {
    missing: `expected a delivery of ${shown}; this world has ${countOrNone(deliveries.length, 'webhook')}`,
    unexpected: (found) => `expected no delivery of ${shown}, but ${found.map(formatReached).join(', ')}`,
  });
}

/** Reads the argument of a matcher. `undefined` was passed by mistake, unlike no argument, and is refused later. */
function readExpected<T extends object>(given: readonly [expected?: T]): T {
  return given.length === 0 ? ({} as T) : (given[0] as T);
}

function withAmountAsNumber(expected: ExpectedCharge): ExpectedCharge {
  const { Amount = null } = expected ?? {};
  const number = typeof Amount === 'string' && Amount.trim() !== '' ? Number(Amount) : NaN;
  return Number.isNaN(number) ? expected : { ...expected, Amount: number };
}

/** Fails the test also after `not`, which would pass whatever happens. */
function requirePossible(matcher: string, why: string | null): void {
  if (why !== null) throw new TypeError(escapeUnseen(`${matcher}: ${why}`));
}

/** Whether the charges of a world are what the orders say. */
async function balanceOrders(world: World, orders: readonly Order[]): Promise<MatcherResult> {
  requireWorldArgument(world, 'toBalance');
  const { balanced, count: all, findings } = await world.reconcile(orders);
  const given = countOrNone(orders.length, 'order');
  const lines = findings.slice(0, FINDINGS_MAX).map(({ message }) => escapeUnseen(message));
  const more = all > lines.length ? [`and ${all - lines.length} more`] : [];
  const head = balanced
    ? `expected the charges not to balance with ${given}, but they do`
    : `expected the charges to balance with ${given}, but there ${all === 1 ? 'is' : 'are'} ${formatCount(all, 'finding')}`;
  return { pass: balanced, message: () => [head, ...lines, ...more].join('\n  ') };
}

/** Whether a sweep has proved a program safe. */
function beSafe(report: SweepReport): MatcherResult {
  if (!isReport(report)) throw new TypeError('toBeSafe needs a report: await sweep(flow).');
  return { pass: report.safe, message: () => report.toString() };
}

/** Whether a value is a report. The class may come from another copy of the package. */
function isReport(value: unknown): value is SweepReport {
  return typeof value === 'object' && value !== null && 'assertSafe' in value;
}

/** The argument of a runner's `expect.extend`. */
export const MATCHERS = {
  toHaveCharged: haveCharged,
  toHaveDelivered: haveDelivered,
  toBalance: balanceOrders,
  toBeSafe: beSafe,
};

/** A record, and how it differs from the expected fields. */
interface ComparedRecord<T> {
  readonly record: T;
  readonly lacks: readonly string[];
}

function judgeCompared<T>(
  compared: readonly ComparedRecord<T>[],
  lineOf: (record: T) => string,
  words: { readonly missing: string; readonly unexpected: (found: readonly T[]) => string },
): MatcherResult {
  const found = compared.filter(({ lacks }) => lacks.length === 0).map(({ record }) => record);
  const pass = found.length > 0;
  const closest = findClosest(compared).map(
    ({ record, lacks }) => `  ${lineOf(record)}: ${lacks.join('; ')}`,
  );
  return { pass, message: () => (pass ? words.unexpected(found) : [words.missing, ...closest].join('\n')) };
}

/** The records that differ in the fewest fields, newest first. */
function findClosest<T>(compared: readonly ComparedRecord<T>[]): ComparedRecord<T>[] {
  return compared
    .toReversed()
    .toSorted((a, b) => a.lacks.length - b.lacks.length)
    .slice(0, NEAREST_MAX);
}

function formatCharge({ ChargeId, Reference, Amount, Currency, Status }: Charge): string {
  return escapeUnseen(`${ChargeId} (${Reference ?? 'no reference'}, ${Amount} ${Currency}, ${Status})`);
}

function formatReached({ deliveryId, url }: Delivery): string {
  return escapeUnseen(`${deliveryId} reached ${url}`);
}

/** A webhook on one line. */
export function lineAbout({ eventType, url, status, responseStatus, nextAttemptAt }: Delivery): string {
  const answer = responseStatus === null ? '' : `, answered ${responseStatus}`;
  const next = nextAttemptAt === null ? '' : `, next attempt at ${nextAttemptAt}`;
  return escapeUnseen(`${eventType} to ${url} (${status}${answer}${next})`);
}

function countOrNone(number: number, noun: string): string {
  return number === 0 ? `no ${noun}s` : formatCount(number, noun);
}

/** Refuses an unknown name, which must be a typo: it would make a test with `not` pass. */
export function refuseUnknownName(noun: string, name: unknown, known: object): void {
  const all = Object.keys(known);
  if (typeof name === 'string' && all.includes(name)) return;
  const [meant] = findNearest(String(name), all, 1);
  throw new TypeError(
    `${noun} ${formatOneLine(name)}. ${meant ? `Did you mean ${meant}?` : `Known: ${all.join(', ')}.`}`,
  );
}

function requireWorldArgument(value: unknown, matcher: string): void {
  if (typeof value === 'object' && value !== null && 'charges' in value && 'deliveries' in value) return;
  const promise = readTypeTag(value) === 'Promise' ? ', not a promise: await it first' : '';
  throw new TypeError(
    `${matcher} needs a world: the fixture \`sandbox\`, or the result of sandbox.world(key)${promise}.`,
  );
}
