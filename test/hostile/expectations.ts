import { expect } from 'vitest';

import type { Reply } from './reply.js';
import { ADMIN, beginningOf, CCV, type Expected, KEY, NEIGHBOUR, PAN } from './row.js';
import { ERROR_MEMBERS } from '../support/stored.js';

/** What must be true of answers, whatever the case. */

const shortly = (reply: Reply | undefined): string =>
  reply === undefined ? 'nothing' : `${reply.status} ${reply.message}`;

export function isRefusal({ status }: Expected): boolean {
  return status >= 400;
}

export function expectReplies(replies: readonly Reply[], wanted: readonly Expected[]): void {
  expect(
    // What was made is as good as what was done.
    replies.map(({ status }) => (status === 201 ? 200 : status)),
    replies.map(shortly).join('\n'),
  ).toEqual(wanted.map(({ status }) => status));
  for (const [i, { code, says }] of wanted.entries()) {
    const reply = replies[i];
    if (code !== undefined) {
      expect(reply?.body).toMatchObject({ HttpStatus: reply?.status, Code: code });
      expect(reply?.message).toContain(beginningOf(code));
      expect(Object.keys(reply?.body ?? {})).toEqual(expect.arrayContaining(ERROR_MEMBERS));
    }
    for (const words of says) expect(code === undefined ? reply?.text : reply?.message).toContain(words);
  }
}

/** What no answer, no journal and no log may hold: card numbers however written, the Ccv, keys, and the program's inside. */
export function expectNothingLeaks(text: string): void {
  const digits = text.replaceAll(/(?<=\d)(?:[ -]|%20|%2[dD])(?=\d)/g, '');
  expect(digits).not.toContain(PAN.slice(0, 12));
  // Statuses and times are numbers; a Ccv would be a word of its own within a text.
  const words = [...text.matchAll(/"(?:[^"\\]|\\.)*"|^x-.*$/gm)].map(([word]) => word).join('\n');
  expect(words).not.toMatch(new RegExp(String.raw`(?<![\w.:-])${CCV}(?![\w.:-])`));
  for (const secret of [KEY, NEIGHBOUR, ADMIN]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(
    /^\s+at |\\n\s+at |node:internal|node_modules|\.[jt]s:\d|(?:Type|Range|Syntax|Reference)Error:/m,
  );
}

/** Asserts that a world is as it was. */
export function expectUnchanged(state: string, before: string, which: string): void {
  expect(state, `${which} is unchanged`).toBe(before);
}

/** Asserts that a call of the test's own was answered. */
export function expectAnswered(text: string, what: string): void {
  expect(text, what).toMatch(/^HTTP\/1\.1 (?:20[01]|404) /);
}

/** Asserts that browsers neither guess the type of an answer nor embed it in pages of other origins. */
export function expectProtected({ status, text }: Reply): void {
  if (status < 200) return;
  expect(text).toMatch(/^x-content-type-options: nosniff\r?$/im);
  expect(text).toMatch(/^cross-origin-resource-policy: (?:same|cross)-origin\r?$/im);
}
