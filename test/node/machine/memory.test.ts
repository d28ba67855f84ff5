import { getHeapStatistics } from 'node:v8';

import { describe, expect, test } from 'vitest';

import { defaultMemoryMax, memoryUsed } from '../../../src/node/machine/memory.js';

const MIB = 1024 * 1024;

describe('the memory of the program', () => {
  test('counts the heap and the buffers outside it', () => {
    // Other garbage of the tests' process may be collected in between, so only half is expected.
    const before = memoryUsed(true);
    const buffer = Buffer.alloc(256 * MIB);
    const between = memoryUsed(true);
    expect(between - before).toBeGreaterThan(128 * MIB);
    const lists = Array.from({ length: 3_000_000 }, (_, n) => [n]);
    expect(memoryUsed(true) - between).toBeGreaterThan(60 * MIB);
    expect(buffer.length + lists.length).toBe(256 * MIB + 3_000_000);
  });

  test('is without garbage on demand', () => {
    const before = memoryUsed(true);
    for (let n = 0; n < 64; n++) Buffer.alloc(MIB);
    expect(memoryUsed(true) - before).toBeLessThan(32 * MIB);
  });

  test('is by default below what V8 ends the program for', () => {
    // The rest of the limit is for young objects. test/node/cli/cli.test.ts has the exact figure.
    const whole = getHeapStatistics().heap_size_limit;
    expect(defaultMemoryMax()).toBeLessThan(0.7 * whole);
    expect(defaultMemoryMax()).toBeGreaterThan(0.5 * whole);
  });
});
