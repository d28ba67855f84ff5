import { describe, expect, test } from 'vitest';

import { Budget } from '../../../src/core/limits/budget.js';
import { ApiError } from '../../../src/core/errors.js';
import { HeldBody } from '../../../src/http/body/held-body.js';

const KIB = 1024;
const piece = (length: number, value = 1): Uint8Array => new Uint8Array(length).fill(value);

function refusalOf(work: () => unknown): number | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof ApiError ? error.httpStatus : NaN;
  }
}

describe('a body that arrives', () => {
  test('is what was added, in order', () => {
    const body = new HeldBody(new Budget(Infinity), 200 * KIB);
    for (let n = 0; n < 200; n++) body.add(piece(KIB, n));
    const bytes = body.take();
    expect(bytes.length).toBe(200 * KIB);
    expect(Array.from({ length: 200 }, (_, n) => bytes[n * KIB])).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
  });

  test('in one piece is not copied and does not count', () => {
    const budget = new Budget(1);
    const body = new HeldBody(budget, 100);
    const whole = piece(100);
    body.add(whole);
    expect(budget.used).toBe(0);
    expect(body.take().buffer).toBe(whole.buffer);
  });

  test('counts what is allocated for it until it is taken, and never more than its length', () => {
    const budget = new Budget(Infinity);
    const body = new HeldBody(budget, 150 * KIB);
    body.add(piece(1));
    expect(budget.used).toBe(64 * KIB);
    body.add(piece(64 * KIB));
    expect(budget.used).toBe(128 * KIB);
    body.add(piece(64 * KIB));
    expect(budget.used).toBe(150 * KIB);
    body.take();
    expect(budget.used).toBe(0);
  });

  test('is refused with 503 when all bodies together are too large and it is the largest', () => {
    const budget = new Budget(300 * KIB);
    const refused: string[] = [];
    const [small, large] = ['small', 'large'].map((name) => {
      const body = new HeldBody(budget, 1024 * KIB);
      body.onRefused = ({ message }) => refused.push(`${name}: ${message}`);
      return body;
    }) as [HeldBody, HeldBody];
    large.add(piece(200 * KIB));
    small.add(piece(60 * KIB));
    expect(refused).toEqual([]);
    small.add(piece(60 * KIB));
    expect(refused).toEqual([
      'large: Retry later: The bodies of requests take up more than 307200 bytes, and this is the largest. Send it again later, or start the server with a larger --memory-max.',
    ]);
    expect(budget.used).toBe(128 * KIB);
    large.add(piece(500 * KIB));
    expect(budget.used).toBe(128 * KIB);
    expect(refusalOf(() => large.take())).toBe(503);
    expect(small.take().length).toBe(120 * KIB);
  });

  test('can be the largest one itself', () => {
    const body = new HeldBody(new Budget(100 * KIB), 1024 * KIB);
    body.add(piece(60 * KIB));
    body.add(piece(60 * KIB));
    body.add(piece(60 * KIB));
    expect(refusalOf(() => body.take())).toBe(503);
  });

  test('may be longer than its sender said, as in process', () => {
    const body = new HeldBody(new Budget(Infinity), 5);
    body.add(piece(7));
    expect(body.take().length).toBe(7);
  });

  test('no longer counts when its client has gone', () => {
    const budget = new Budget(100 * KIB);
    const body = new HeldBody(budget, 1024 * KIB);
    body.add(piece(60 * KIB));
    body.drop();
    expect(budget.used).toBe(0);
  });
});
