import { describe, expect, test } from 'vitest';

import { Progress } from '../../../src/node/terminal/progress.js';

function screen(isTerminal: boolean) {
  const printed: string[] = [];
  let now = 0;
  const progress = new Progress({ isTerminal, print: (text) => printed.push(text), now: () => now });
  const at = (ms: number, done: number, total = 1000): void => {
    now = ms;
    progress.note('making customers', done, total);
  };
  return { printed, progress, at };
}

describe('Progress in a terminal', () => {
  test('shows a bar with share, rate and time left, and takes it away at the end', () => {
    const { printed, at } = screen(true);
    at(0, 0);
    at(1000, 250);
    at(1050, 260);
    at(2000, 500);
    at(4000, 1000);
    expect(printed).toEqual([
      '\r\u001b[Kmaking customers [######------------------] 250 of 1000 (25 %), 250 a second, 3 seconds left',
      '\r\u001b[Kmaking customers [############------------] 500 of 1000 (50 %), 250 a second, 2 seconds left',
      '\r\u001b[K',
    ]);
  });

  test('says nothing of work that is done at once', () => {
    const { printed, at } = screen(true);
    at(0, 0);
    at(400, 900);
    at(450, 1000);
    expect(printed).toEqual([]);
  });

  test('makes room for other output, and comes back', () => {
    const { printed, progress, at } = screen(true);
    at(0, 0);
    at(1000, 500);
    progress.hide();
    progress.hide();
    at(1200, 600);
    expect(printed).toHaveLength(3);
    expect(printed[1]).toBe('\r\u001b[K');
  });

  test('starts again with other work', () => {
    const { printed, progress, at } = screen(true);
    at(0, 0);
    at(1000, 500);
    progress.note('reading', 10, 20);
    expect(printed.at(-1)).toBe('\r\u001b[K');
  });
});

test('Progress where there is no terminal is a plain line each few seconds.', () => {
  const { printed, at } = screen(false);
  for (let ms = 0; ms <= 12_000; ms += 100) at(ms, ms / 100);
  expect(printed).toEqual([
    'playmoney: making customers: 50 of 1000 (5 %), 10 a second, 95 seconds left\n',
    'playmoney: making customers: 100 of 1000 (10 %), 10 a second, 90 seconds left\n',
  ]);
});
