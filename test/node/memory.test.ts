import { getHeapStatistics } from 'node:v8';

import { describe, expect, test } from 'vitest';

import { defaultMemoryMax, memoryUsed } from '../../src/node/memory.js';

const MIB = 1024 * 1024;

describe('the memory of the program', () => {
  test('counts the heap and the buffers outside it', () => {
    const before = memoryUsed(true);
    const held = [Buffer.alloc(64 * MIB), Array.from({ length: 1_000_000 }, (_, n) => [n])];
    const grown = memoryUsed(true) - before;
    expect(grown).toBeGreaterThan(80 * MIB);
    expect(held).toHaveLength(2);
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
