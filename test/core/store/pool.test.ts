import { describe, expect, test } from 'vitest';

import { Pool } from '../../../src/core/store/pool.js';

describe('a pool', () => {
  test('returns an equal value, whether it is known or new', () => {
    const pool = new Pool<string>();
    for (const text of ['AUD', 'USD', 'AUD', '']) expect(pool.share(text, text)).toBe(text);
  });

  test('remembers 1,024 values, then starts again', () => {
    const pool = new Pool<object>();
    const share = (n: number) => pool.share(`key ${n}`, {});
    const first = share(0);
    for (let n = 1; n < 1024; n++) share(n);
    expect(share(0)).toBe(first);
    const last = share(1024);
    expect(share(1024)).toBe(last);
    expect(share(0)).not.toBe(first);
  });
});
