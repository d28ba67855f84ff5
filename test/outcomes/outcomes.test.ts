import { describe, expect, test } from 'vitest';
import { ERROR_ROWS, requireErrorRow } from '../../src/core/errors.js';
import {
  APPROVE,
  isApproved,
  describeUnknownOutcome,
  requireOutcome,
  OUTCOMES,
  findOutcome,
  outcomeOfResponseCode,
  quoteMasked,
} from '../../src/outcomes/outcomes.js';

describe('the table of outcomes', () => {
  test('lists every answer of an issuer from 901 to 996 exactly once', () => {
    const listed = [...OUTCOMES.values()].map((outcome) => outcome.code ?? 0).filter((code) => code > 900);
    const known = ERROR_ROWS.map((row) => row.code).filter((code) => code > 900);
    expect(listed.sort((a, b) => a - b)).toEqual(known);
  });

  test('gives a row without a short name the last two digits and the message of its code', () => {
    const named = ({ name }: { readonly name: string }) => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
    const rows = ERROR_ROWS.filter((row) => row.code > 900 && findOutcome(named(row)) !== undefined);
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) {
      expect(findOutcome(named(row))).toMatchObject({
        code: row.code,
        gatewayCode: String(row.code).slice(1),
        gatewayMessage: row.message,
      });
    }
  });

  test('agrees with the error codes on what may be retried', () => {
    const declines = [...OUTCOMES.values()].filter((outcome) => !isApproved(outcome));
    const expected = declines.map(({ name, code }) => [name, requireErrorRow(code ?? 0).retryable]);
    expect(declines.map(({ name, retryable }) => [name, retryable])).toEqual(expected);
  });

  test('has no outcome that approves but approve', () => {
    expect([...OUTCOMES.values()].filter(isApproved)).toEqual([APPROVE]);
  });

  test('has a row for every name that the code uses', () => {
    expect(requireOutcome('lost_card')).toBe(findOutcome('lost_card'));
    expect(() => requireOutcome('gone')).toThrow(
      'Failed to find the outcome "gone": the table has no such row.',
    );
  });

  test('knows names exactly as they are published', () => {
    expect(findOutcome('Approve')).toBeUndefined();
    expect(findOutcome('')).toBeUndefined();
    expect(findOutcome('constructor')).toBeUndefined();
  });
});

describe("an issuer's response code", () => {
  test.each([
    ['00', 'approve'],
    ['05', 'do_not_honor'],
    ['12', 'invalid_transaction'],
    ['41', 'lost_card'],
    ['43', 'stolen_card'],
    ['51', 'insufficient_funds'],
    ['54', 'expired_card'],
    ['57', 'transaction_not_permitted_to_cardholder'],
    ['59', 'suspected_fraud'],
    ['62', 'card_blocked'],
    ['65', 'limit_exceeded'],
    ['91', 'issuer_unavailable'],
    ['96', 'processing_error'],
    ['50', 'approve'],
    ['99', 'approve'],
  ])('%s is %s', (responseCode, name) => {
    expect(outcomeOfResponseCode(responseCode).name).toBe(name);
  });
});

describe('a text of the caller in a message', () => {
  test('is quoted', () => {
    expect(quoteMasked('insuficient')).toBe('"insuficient"');
  });

  test('is whole up to forty characters', () => {
    expect(quoteMasked('a'.repeat(40))).toBe(`"${'a'.repeat(40)}"`);
  });

  test('has stars in the place of its digits, however many they are', () => {
    expect(quoteMasked('no 123456 and 4929 0000 0000 6')).toBe('"no ****** and ******"');
    expect(quoteMasked('no 12345')).toBe('"no 12345"');
  });

  test('is cut when it is long', () => {
    expect(quoteMasked('a'.repeat(10_000))).toBe(`"${'a'.repeat(40)}…"`);
  });

  test.each(['4929000000006', '4929 0000 0000 6', 'x4929-0000-0000-6', `${'x'.repeat(30)}4929000000006`])(
    'never holds a card number: %s',
    (text) => {
      expect(quoteMasked(text)).not.toMatch(/4929[ -]?0000/);
    },
  );

  test('names the nearest outcomes', () => {
    expect(describeUnknownOutcome('insuficient_funds')).toMatch(
      /^"insuficient_funds"; did you mean insufficient_funds\?/,
    );
  });

  test('names as many as three, with commas between', () => {
    expect(describeUnknownOutcome('no_chequing_account')).toBe(
      '"no_chequing_account"; did you mean no_checking_account, no_credit_account or no_savings_account?',
    );
  });

  test('names those with the same word, if none differs little', () => {
    expect(describeUnknownOutcome('no money, funds')).toBe(
      '"no money, funds"; did you mean insufficient_funds or issuer_insufficient_funds?',
    );
  });

  test.each(['', 'declined'])('names usual outcomes and the list of all when none is near %j', (name) => {
    expect(describeUnknownOutcome(name)).toBe(
      `"${name}"; use insufficient_funds, do_not_honor, gateway_timeout or another one of GET /_sandbox/triggers`,
    );
  });
});
