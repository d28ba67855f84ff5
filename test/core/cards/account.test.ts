import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isMaskedAccount, maskAccount, parseAccount } from '../../../src/core/cards/account.js';

describe('an account number', () => {
  test.each([
    ['000123456', '000123456'],
    ['0001 2345 6', '000123456'],
    ['12-3456-78', '12345678'],
    ['de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['1234', '1234'],
    ['1'.repeat(34), '1'.repeat(34)],
  ])('%j reads as %s', (text, account) => {
    expect(parseAccount(text)).toBe(account);
  });

  test.each([
    [''],
    ['123'],
    ['1'.repeat(35)],
    ['1 '.repeat(35)],
    [' 123456'],
    ['123456 '],
    ['12--34'],
    ['12.34'],
    ['12+34'],
    ['１２３４'],
  ])('%j is none', (text) => {
    expect(parseAccount(text)).toBeUndefined();
  });

  test('shows its last three characters when it is masked, and no more', () => {
    expect(maskAccount('000123456')).toBe('******456');
    expect(maskAccount('1234')).toBe('*234');
    const account = fc.stringMatching(/^[\dA-Z]{4,34}$/);
    fc.assert(
      fc.property(account, (bare) => {
        const masked = maskAccount(bare);
        expect(masked).toHaveLength(bare.length);
        expect(masked.replaceAll('*', '')).toBe(bare.slice(-3));
        expect(isMaskedAccount(masked)).toBe(true);
        expect(isMaskedAccount(bare)).toBe(false);
      }),
    );
  });

  test.each([
    [`${'*'.repeat(31)}456`, true],
    [`${'*'.repeat(32)}456`, false],
    ['*456', true],
    ['*4A6', true],
    ['456', false],
    ['0*456', false],
    ['**56', false],
    ['*4567', false],
    ['*45a', false],
  ])('whether %j is a masked one: %j', (text, isOne) => {
    expect(isMaskedAccount(text)).toBe(isOne);
  });
});
