import { describe, expect, test } from 'vitest';
import { ApiError, CODE, ERROR_ROWS, requireErrorRow, refuse } from '../../src/core/errors.js';

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('the table of error codes', () => {
  test('lists each code once, in ascending order', () => {
    const codes = ERROR_ROWS.map((row) => row.code);
    expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
  });

  test('knows 1 to 117 without a gap', () => {
    const codes = ERROR_ROWS.map((row) => row.code).filter((code) => code < 900);
    expect(codes).toEqual(Array.from({ length: 117 }, (_, index) => index + 1));
  });

  test('knows the answers of issuers from 901 to 996', () => {
    const rows = ERROR_ROWS.filter((row) => row.code > 900);
    expect(rows).toHaveLength(70);
    expect(rows[0]?.code).toBe(901);
    expect(rows.at(-1)?.code).toBe(996);
    expect(rows.every((row) => row.httpStatus === 400)).toBe(true);
  });

  test.each([
    [1, 'UnknownError', 'Unknown Error', 400, false, 'C'],
    [5, 'InvalidCardNumber', 'Invalid Card Number', 400, false, 'C'],
    [15, 'InsufficientFunds', 'Insufficient Funds', 400, true, 'C'],
    [34, 'ProviderServiceError', 'Provider Service Error', 400, true, 'C'],
    [37, 'RetryLater', 'Retry later', 503, true, 'C'],
    [54, 'InvalidChargeStatus', 'Invalid Charge Status', 409, false, 'C'],
    [74, 'InvalidAmountMustBePositive', 'Invalid Amount. Amount must be positive', 400, false, 'C'],
    [86, 'InvalidVaultExpiryDate', 'Invalid Vault Expiry Data', 400, false, 'C'],
    [94, 'Timeout', 'Timeout', 408, true, 'A'],
    [113, 'Require3DSecure', '3-D Secure required', 400, false, 'A'],
    [996, 'SystemMalfunction', 'System malfunction', 400, true, 'A'],
  ])('row %i is %s', (code, name, message, httpStatus, retryable, source) => {
    expect(requireErrorRow(code)).toEqual({ code, name, message, httpStatus, retryable, source });
  });

  test('has a name of its own, a message and a known status in every row', () => {
    expect(new Set(ERROR_ROWS.map((row) => row.name)).size).toBe(ERROR_ROWS.length);
    for (const row of ERROR_ROWS) {
      expect(row.name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
      expect(row.message.trim()).not.toBe('');
      expect([400, 401, 404, 408, 409, 429, 503]).toContain(row.httpStatus);
    }
  });

  test('has no 402, 502 or 504, and 503 for the sandbox’s own limits alone', () => {
    const codes = (statuses: number[]) =>
      ERROR_ROWS.filter((row) => statuses.includes(row.httpStatus)).map((row) => row.code);
    expect(codes([402, 500, 502, 504])).toEqual([]);
    expect(codes([503])).toEqual([CODE.RetryLater]);
  });

  test('names each code with a constant', () => {
    expect(Object.entries(CODE)).toEqual(ERROR_ROWS.map((row) => [row.name, row.code]));
  });

  test('treats an unknown code as a bug, not as a refusal', () => {
    const error = caught(() => requireErrorRow(900));
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ApiError);
  });
});

describe('refusing a request', () => {
  test("begins the message with the code's own message, then says what was refused", () => {
    const error = caught(() => refuse(CODE.InvalidAmount, '12.345 has more decimals than AUD (2)'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'Invalid Amount: 12.345 has more decimals than AUD (2)',
      refusal: { code: 2, detail: '12.345 has more decimals than AUD (2)' },
      httpStatus: 400,
    });
  });

  test("has only the code's own message when there is no detail", () => {
    expect(caught(() => refuse(CODE.NoTransactionFound, ''))).toMatchObject({
      message: 'No transaction found',
    });
  });

  test('lets a refusal bring its own status and its particulars', () => {
    const error = caught(() =>
      refuse(CODE.ValidationError, 'no such method', { httpStatus: 405, allow: 'GET, POST' }),
    );
    expect(error).toMatchObject({
      httpStatus: 405,
      refusal: { code: 90, detail: 'no such method', httpStatus: 405, allow: 'GET, POST' },
    });
  });

  test('treats a refusal with an unknown code as a bug', () => {
    expect(caught(() => refuse(0, ''))).not.toBeInstanceOf(ApiError);
  });
});
