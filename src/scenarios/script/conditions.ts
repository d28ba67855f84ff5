import { PAN_DIGITS_MIN } from '../../core/cards/card.js';
import { OTHER_STATUS_WORDS } from '../../records/charge.js';
import { bareProviderId } from '../../records/provider.js';
import type { NamedState, StateValue } from '../file/effects.js';
import type { EACH } from './each.js';
import { compileGlob, STAR } from '../../core/text/glob.js';
import type { ConditionFacts, MatchConditions, When } from './rule.js';

/** A range of card numbers, or of their first digits. */
const RANGE = /^(\d+)-(\d+)$/;

/** How what `each` names is read from a call. */
export const COUNTED_BY: Readonly<Record<(typeof EACH)[number], (facts: ConditionFacts) => string | null>> = {
  customer: (facts) => facts.customerId,
  reference: (facts) => facts.reference,
};

export type FactsTest = (facts: ConditionFacts) => boolean;
type TextTest = (text: string) => boolean;

/**
 * Compiles conditions once, when a scenario or a queue is read. `Rules` checks the operation, the state and the counts. `start` is when
 * the scenario came into use.
 */
export function compileConditions(when: When, start = 0): FactsTest[] {
  const tests: FactsTest[] = [];
  const { from = 0, until = Infinity } = when;
  if (from > 0 || until < Infinity) tests.push(({ now }) => now - start >= from && now - start < until);
  if (when.provider) tests.push(testField((facts) => facts.providerId, anyProvider(when.provider)));
  if (when.card) tests.push(testField((facts) => facts.cardNumber, anyCard(when.card)));
  if (when.amount) tests.push(testField((facts) => facts.amount, amountTest(when.amount)));
  if (when.currency)
    tests.push(
      testField((facts) => facts.currency, anyGlob(when.currency.map((code) => code.toUpperCase()))),
    );
  if (when.reference) tests.push(testField((facts) => facts.reference, anyGlob(when.reference)));
  if (when.customer) tests.push(testField((facts) => facts.customerId, anyGlob(when.customer)));
  if (when.event) tests.push(testField((facts) => facts.event ?? null, anyGlob(when.event)));
  if (when.url) tests.push(testField((facts) => facts.url ?? null, anyGlob(when.url)));
  if (when.status) tests.push(testField((facts) => facts.status ?? null, anyStatus(when.status)));
  if (when.each) tests.push(testField(COUNTED_BY[when.each], () => true));
  for (const [name, patterns] of Object.entries(when.header ?? {})) {
    tests.push(testField((facts) => facts.header(name.toLowerCase()) ?? null, anyGlob(patterns)));
  }
  return tests;
}

export function compileMatch({ reference, providerId, cardNumber, amount }: MatchConditions): FactsTest[] {
  return compileConditions({
    ...(reference === undefined ? {} : { reference: [reference] }),
    ...(providerId === undefined ? {} : { provider: [providerId] }),
    ...(cardNumber === undefined ? {} : { card: [cardNumber] }),
    ...(amount === undefined ? {} : { amount: [Number(amount)] }),
  });
}

/** Whether a call passes all tests. A loop without a closure, because it runs for every charge and rule. */
export function meetsAll(facts: ConditionFacts, tests: readonly FactsTest[]): boolean {
  for (const test of tests) if (!test(facts)) return false;
  return true;
}

/** Whether all named states have these values. Null stands for a state that was never set. */
export function stateHolds(required: NamedState, state: ReadonlyMap<string, StateValue>): boolean {
  for (const name in required) if ((state.get(name) ?? null) !== required[name]) return false;
  return true;
}

/** A condition is not met if the call does not have what it tests. */
function testField(read: (facts: ConditionFacts) => string | null, test: TextTest): FactsTest {
  return (facts) => {
    const text = read(facts);
    return text !== null && test(text);
  };
}

function amountTest(test: NonNullable<When['amount']>): TextTest {
  // Amounts have at most nine digits before the point and three behind it: exact enough as numbers.
  if (Array.isArray(test)) return (text) => test.includes(Number(text));
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = test;
  return (text) => {
    const amount = Number(text);
    return amount > gt && amount >= gte && amount < lt && amount <= lte;
  };
}

function anyGlob(patterns: readonly string[]): TextTest {
  return anyOf(patterns.map((pattern) => compileGlob(pattern)));
}

/** Letter case does not matter, as in searches. */
function anyStatus(patterns: readonly string[]): TextTest {
  const others = new Map<string, string>(Object.entries(OTHER_STATUS_WORDS));
  const small = patterns.map((pattern) => pattern.toLowerCase());
  const test = anyGlob(small.map((pattern) => others.get(pattern)?.toLowerCase() ?? pattern));
  return (text) => test(text.toLowerCase());
}

/** A ProviderId can be written with hyphens and in either case. */
function anyProvider(patterns: readonly string[]): TextTest {
  const test = anyGlob(patterns.map(bareProviderId));
  return (text) => test(bareProviderId(text));
}

/** Only the ends of a stored card are known. A star of its mask matches any digit of the pattern. */
function anyCard(patterns: readonly string[]): TextTest {
  return anyOf(patterns.map((pattern) => cardTest(pattern.replaceAll(' ', ''))));
}

function cardTest(pattern: string): TextTest {
  const [, from, to] = RANGE.exec(pattern) ?? [];
  return from === undefined || to === undefined ? compileGlob(pattern, STAR) : rangeTest(from, to);
}

/** Bounds as long as card numbers are for cards of that length. Shorter ones are compared with the first digits of any card. */
function rangeTest(from: string, to: string): TextTest {
  const { length } = from;
  return (card) => {
    const hasLength = length >= PAN_DIGITS_MIN ? card.length === length : card.length >= length;
    return hasLength && isWithin(card.slice(0, length), from, to);
  };
}

/** Whether digits in place of the stars of a mask can make it a number within the bounds, which are as long as the mask. */
function isWithin(mask: string, from: string, to: string): boolean {
  const first = mask.indexOf('*');
  if (first < 0) return mask >= from && mask <= to;
  const end = mask.lastIndexOf('*') + 1;
  const [head, tail] = [mask.slice(0, first), mask.slice(end)];
  // One of two numbers is the smallest that is not below `from`: with its hidden digits, or with the next ones.
  const hidden = head > from.slice(0, first) ? '0'.repeat(end - first) : from.slice(first, end);
  return [hidden, nextDigits(hidden)].some((digits) => {
    const number = head + digits + tail;
    return number.length === mask.length && number >= from && number <= to;
  });
}

function nextDigits(digits: string): string {
  return String(BigInt(digits) + 1n).padStart(digits.length, '0');
}

function anyOf(tests: readonly TextTest[]): TextTest {
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (text) => tests.some((test) => test(text));
}
