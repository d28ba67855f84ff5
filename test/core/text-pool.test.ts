import { describe, expect, test } from 'vitest';

import { TextPool } from '../../src/core/text-pool.js';

describe('a pool of texts', () => {
  test('gives back what it is given, whether it knows it or not', () => {
    const pool = new TextPool();
    for (const text of ['AUD', 'USD', 'AUD', '']) expect(pool.share(text)).toBe(text);
  });

  test('goes on giving the right texts after more than it remembers', () => {
    const pool = new TextPool();
    for (let n = 0; n < 5000; n++) expect(pool.share(`text ${n}`)).toBe(`text ${n}`);
    expect(pool.share('text 0')).toBe('text 0');
  });
});
