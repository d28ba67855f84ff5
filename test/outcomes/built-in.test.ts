import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { isUuid } from '../../src/core/text/text.js';
import {
  BUILT_IN_PROVIDERS,
  builtInOrSteady,
  findBuiltIn,
  isReservedProviderId,
  outcomeOfAmount,
  isSameProvider,
  drawSlowLatency,
} from '../../src/outcomes/built-in.js';
import { cells } from '../support/tables.js';

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdefABCDEF'.split('')), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

function uuidOf(id: string): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

describe('a ProviderId', () => {
  test('is 32 hex digits or a hyphenated UUID, in any case', () => {
    fc.assert(fc.property(hex(32), (id) => isUuid(id) && isUuid(uuidOf(id))));
  });

  test.each(cells`
    |1|0000000000000000000000000000001|000000000000000000000000000000001|0000000000000000000000000000000g|
    0000000000000000000000000000000@|0000000000000000000000000000000\`|00000000-0000-0000-0000-00000000000|
    000000000-000-0000-0000-000000000001|00000000-0000-0000-0000-00000000000-|
    000000000000000000000000000000000001|{0000000000000000000000000000001}| 0000000000000000000000000000001|
    ٠0000000000000000000000000000001
  `)('is not %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });

  test.each([
    '0000000000000000000000000000dead',
    '0000000000000000000000000000DEAD',
    '00000000-0000-0000-0000-00000000DeaD',
  ])('%s is reserved for the unknown provider', (text) => {
    expect(isUuid(text)).toBe(true);
    expect(isReservedProviderId(text)).toBe(true);
  });

  test('is reserved in no other case', () => {
    for (const { providerId } of BUILT_IN_PROVIDERS) expect(isReservedProviderId(providerId)).toBe(false);
    expect(isReservedProviderId('1000000000000000000000000000dead')).toBe(false);
  });
});

describe('the built-in providers', () => {
  test.each([
    ['00000000000000000000000000000001', 'steady', true, true],
    ['00000000000000000000000000000002', 'amounts', true, true],
    ['00000000000000000000000000000003', 'slow', true, true],
    ['00000000000000000000000000000004', 'flaky', true, true],
    ['00000000000000000000000000000005', 'down', true, true],
    ['00000000000000000000000000000006', 'no-capture', false, true],
    ['00000000000000000000000000000007', 'whole-capture', true, false],
  ])('%s is %s', (providerId, name, authorise, partialCapture) => {
    for (const spelling of [providerId, uuidOf(providerId)]) {
      const features = { authorise, partialCapture, partialRefund: true };
      expect(builtInOrSteady(spelling)).toMatchObject({ providerId, name, type: 'dummy', features });
    }
  });

  test('are recognised, and no other id is', () => {
    for (const provider of BUILT_IN_PROVIDERS) expect(findBuiltIn(provider.providerId)).toBe(provider);
    expect(findBuiltIn('a26c371f94f640daadd228ec8e9da8ed')).toBeUndefined();
  });

  test.each([
    ['a26c371f94f640daadd228ec8e9da8ed', 'a26c371f94f640daadd228ec8e9da8ed', true],
    ['a26c371f94f640daadd228ec8e9da8ed', 'A26C371F-94F6-40DA-ADD2-28EC8E9DA8ED', true],
    ['A26C371F94F640DAADD228EC8E9DA8ED', 'a26c371f-94f6-40da-add2-28ec8e9da8ed', true],
    ['a26c371f94f640daadd228ec8e9da8ed', 'a26c371f94f640daadd228ec8e9da8ee', false],
  ])('whether %s and %s are one: %j', (one, other, same) => {
    expect([isSameProvider(one, other), isSameProvider(other, one)]).toEqual([same, same]);
  });

  test('lend the behaviour of the first to every other id', () => {
    expect(builtInOrSteady('A26C371F-94F6-40DA-ADD2-28EC8E9DA8ED')).toBe(BUILT_IN_PROVIDERS[0]);
  });
});

describe('an amount at the provider amounts', () => {
  test.each([
    [1000, 'AUD', 'approve'],
    [99_999_999_954, 'USD', 'expired_card'],
    [1062, 'EUR', 'card_blocked'],
    [1051, 'JPY', 'approve'],
    [1051, 'BHD', 'approve'],
    [1051, 'XXX', 'approve'],
    [1051, null, 'approve'],
    [null, 'AUD', 'approve'],
  ])('%s minor units of %s is %s', (amountMinor, currency, name) => {
    expect(outcomeOfAmount(amountMinor, currency).name).toBe(name);
  });
});

describe('the latency of the provider slow', () => {
  const drawing = (...draws: number[]) => drawSlowLatency(() => draws.shift() ?? 0);

  test('is in whole milliseconds and at most ten seconds, whatever is drawn', () => {
    const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(draw, draw, (first, second) => {
        const latencyMs = drawing(first, second);
        return Number.isInteger(latencyMs) && latencyMs >= 0 && latencyMs <= 10_000;
      }),
    );
  });

  test('is the median where the normal draw is zero', () => {
    expect(drawing(0, 0.3)).toBe(800);
  });

  test('is cut at ten seconds', () => {
    expect(drawing(1 - 2 ** -53, 0)).toBe(10_000);
  });
});
