import { isObject, escapeUnseen } from '../core/text/text.js';
import { findComparison, readTypeTag } from '../http/fields/expected.js';

/** Compares a record with what a test expects of it. */

/** Matches every status except FAILED. */
export const NOT_FAILED = {
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: (status: unknown) => status !== 'FAILED',
};

/** How a record differs from the expected fields. An expected object may be a part of the one found. */
export function listDifferences(found: object, expected: object, path = ''): string[] {
  const has = found as Readonly<Record<string, unknown>>;
  return Object.entries(expected).flatMap(([name, field]) => {
    const value = has[name];
    if (isObject(field) && findComparison(field) === null && isObject(value))
      return listDifferences(value, field, `${path}${name}.`);
    if (matchesExpected(value, field)) return [];
    const is = `${path}${name} is ${formatOneLine(value)}`;
    if (field === NOT_FAILED) return [`${is}, which matches only if a Status is expected`];
    return [`${is}, not ${formatOneLine(field)}`];
  });
}

/** Whether a value has all expected fields. Webhooks leave out fields without a value, so these are like null. */
function matchesExpected(value: unknown, wanted: unknown): boolean {
  const compares = findComparison(wanted);
  if (compares !== null) return compares(value);
  if (Array.isArray(wanted)) {
    const items = Array.isArray(value) && value.length === wanted.length ? (value as unknown[]) : null;
    return items?.every((item, n) => matchesExpected(item, wanted[n])) ?? false;
  }
  if (isObject(wanted)) return isObject(value) && listDifferences(value, wanted).length === 0;
  return Object.is(value ?? null, wanted);
}

/** A value on one line. */
export function formatOneLine(value: unknown): string {
  return escapeUnseen(formatValue(value));
}

function formatValue(value: unknown): string {
  if (findComparison(value) !== null) return comparisonText(value as Comparison);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  // JSON has neither NaN nor a bigint.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (!isObject(value)) return JSON.stringify(value) ?? String(value);
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${formatValue(item)}`);
  return `{${fields.join(', ')}}`;
}

/** A regular expression, a Date, or a matcher such as `expect.any(String)`, as its runner describes it. */
function comparisonText(comparison: Comparison): string {
  if (readTypeTag(comparison) !== 'Object') return String(comparison);
  return comparison.toAsymmetricMatcher?.() ?? 'another value';
}

type Comparison = RegExp & { readonly toAsymmetricMatcher?: () => string };
