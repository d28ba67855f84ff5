import { describe, expect, test } from 'vitest';

import {
  ccvMistake,
  expiryMistake,
  groupCardNumber,
  normaliseExpiry,
  numberMistake,
} from '../../../src/pages/forms/card-rules.js';
import { MAGIC_CARDS } from '../../../src/outcomes/magic.js';

describe('a card number in the form', () => {
  test.each(MAGIC_CARDS.map(({ number }) => number))('%s is accepted, in groups and without', (number) => {
    expect(numberMistake(number)).toBeNull();
    const grouped = groupCardNumber(number);
    expect(numberMistake(grouped)).toBeNull();
    expect(grouped.replaceAll(' ', '')).toBe(number);
    expect(groupCardNumber(grouped)).toBe(grouped);
  });

  test.each([
    ['', 'Enter the card number.'],
    [' - ', 'Enter the card number.'],
    ['4242a', 'A card number has only digits.'],
    ['42424242424', 'The card number is too short.'],
    ['42424242424242424242', 'The card number is too long.'],
    ['4242424242424241', 'Check the card number: a digit is wrong or missing.'],
  ])('%j is refused: %s', (text, fault) => {
    expect(numberMistake(text)).toBe(fault);
  });

  test.each([
    ['42424', '4242 4'],
    ['4242-4242', '4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['42 42x', '42 42x'],
    ['12345678901234567890123', '1234 5678 9012 3456 789'],
    ['', ''],
  ])('%j is written %j', (typed, written) => {
    expect(groupCardNumber(typed)).toBe(written);
  });
});

describe('an expiry date in the form', () => {
  test.each([
    ['10/30', '10/30'],
    ['1030', '10/30'],
    ['130', '01/30'],
    ['1/30', '01/30'],
    ['10 / 30', '10/30'],
    ['10-30', '10/30'],
    ['10/2030', '10/30'],
    ['102030', '10/30'],
    ['1020', '10/20'],
    ['10/2020', '10/20'],
    [' 12/99 ', '12/99'],
  ])('%j is %s', (typed, normal) => {
    expect([normaliseExpiry(typed), expiryMistake(typed)]).toEqual([normal, null]);
  });

  test.each(['13/30', '00/30', '10', '10/3', '10/1930', '2030-10', 'soon', '10/30/20'])(
    '%j is refused',
    (typed) => {
      expect(expiryMistake(typed)).toContain('MM/YY');
    },
  );

  test('every refused date has one of these messages', () => {
    expect(expiryMistake('  ')).toBe('Enter the expiry date.');
  });
});

describe('a security code in the form', () => {
  test.each([
    ['', '4242', null],
    ['123', '4242', null],
    [' 123 ', '4242', null],
    ['1234', '3782', null],
    ['1234', '4242', 'The security code must have 3 digits.'],
    ['123', '3782', 'The security code must have 4 digits.'],
    ['12a', '', 'The security code must have 3 digits.'],
  ])('%j for the card %s: %s', (code, number, fault) => {
    expect(ccvMistake(code, number)).toBe(fault);
  });
});
