import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { decodeBase64, encodeBase64 } from '../../../src/core/text/base64.js';

describe('Base64', () => {
  test('is what the platform writes, and gives the bytes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(encodeBase64(bytes))).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  test.each([[24_575], [24_576], [24_577], [100_000]])(
    'joins pieces of %i bytes without padding between',
    (length) => {
      const bytes = Uint8Array.from({ length }, (_, n) => (n * 31) & 0xff);
      expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    },
  );

  test.each([['A'], ['AA'], ['AAA'], ['AA=A'], ['A===='], ['AA-_'], ['AAA*'], ['====']])(
    'does not read %s',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );
});
