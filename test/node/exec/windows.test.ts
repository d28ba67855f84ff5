import { describe, expect, test } from 'vitest';

import { quoteForWindows, signalOnWindows } from '../../../src/node/exec/child.js';

/** Windows itself is not among the systems that are tested: this is what playmoney asks of it. */

test.each([
  ['npm', 'npm'],
  [String.raw`C:\tools\node.exe`, String.raw`C:\tools\node.exe`],
  ['two words', '"two words"'],
  ['say "hi"', '"say ""hi"""'],
  [String.raw`C:\my tools` + '\\', String.raw`"C:\my tools\\"`],
  ['a&b', '"a&b"'],
  ['', '""'],
])('The word %j of a command is written as %j for cmd.exe.', (word, written) => {
  expect(quoteForWindows(word)).toBe(written);
});

describe('a signal on Windows', () => {
  /** Passes a signal to a command; whether it still ran, and what was run for that. */
  function pass(signal: NodeJS.Signals | 0, exitCode: number | null = null): [boolean, unknown[]] {
    const ran: unknown[] = [];
    const isRunning = signalOnWindows({ pid: 7, exitCode }, signal, (...command) => ran.push(command));
    return [isRunning, ran];
  }

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s ends the command with all that it started', (signal) => {
    expect(pass(signal)).toEqual([true, [['taskkill', ['/pid', '7', '/t', '/f'], { stdio: 'ignore' }]]]);
  });

  test.each(['SIGINT', 'SIGBREAK', 0] as const)('%s is left to the console', (signal) => {
    expect(pass(signal)).toEqual([true, []]);
  });

  test('does nothing to a command that has ended, whose number another program may have', () => {
    expect(pass('SIGKILL', 0)).toEqual([false, []]);
    expect(signalOnWindows({ pid: undefined, exitCode: null }, 'SIGKILL', () => expect.unreachable())).toBe(
      false,
    );
  });
});
