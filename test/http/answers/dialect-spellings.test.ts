import { beforeAll, describe, expect, test } from 'vitest';

import { PAGE_SCRIPT } from '../../../src/http/edge.js';
import type { Answer } from '../../support/sandbox.js';
import { sdkSetup, wronglySpelt } from '../../support/sdk.js';
import { playCalls } from '../../support/play-calls.js';
import { type Call, CALLS } from '../../support/service-calls.js';
import { type Spelling, SPELLINGS } from '../../support/spellings.js';
import { warningOf } from '../../support/sandbox.js';

/**
 * Every operation of the service in each of the three spellings that client libraries have. What is sent is written down
 * once, in the words of the specification; a spelling turns it into what its library would send. As nothing but the spelling
 * differs, the answers are the same to the byte.
 */

const nameOf = ({ method, route }: Call): string => `${method} ${route}`;

const play = (spelling: Spelling): Promise<Answer[]> => playCalls(sdkSetup().api, spelling);

describe.each(Object.entries(SPELLINGS))('%s', (_, spelling) => {
  let plain: Answer[] = [];
  let answers: Answer[] = [];
  beforeAll(async () => {
    const [first] = Object.values(SPELLINGS);
    plain = await play(first as Spelling);
    answers = await play(spelling);
  });

  test.each(CALLS.map((call, i) => [`${i + 1}: ${nameOf(call)}`, i] as const))('%s', (_name, i) => {
    const answer = answers[i] as Answer;
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(warningOf(answer)).toBeNull();
    expect(wronglySpelt(answer.body)).toEqual([]);
    expect(answer.text).not.toMatch(/\d\.0[,}]/);
    expect(answer.text).toBe(plain[i]?.text);
  });
});

test('no operation is left out', () => {
  const { sandbox } = sdkSetup();
  const mounted = sandbox.app.routes
    .filter(({ path }) => !path.endsWith(PAGE_SCRIPT))
    .filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/_sandbox'))
    .map(({ method, path }) => `${method} ${path}`);
  expect(new Set(CALLS.map(nameOf))).toEqual(new Set(mounted));
});

test('a POST that creates is answered with 201, every other success with 200', async () => {
  const [plain] = Object.values(SPELLINGS);
  const answers = await play(plain as Spelling);
  const created = CALLS.filter((_, i) => answers[i]?.status === 201).map(nameOf);
  const rest = CALLS.filter((_, i) => answers[i]?.status === 200).map(nameOf);
  expect(created.filter((name) => !name.startsWith('POST '))).toEqual([]);
  // Those that create nothing. More may follow, and say so in their row.
  expect(rest.filter((name) => name.startsWith('POST '))).toEqual(
    expect.arrayContaining([
      'POST /charge/:id',
      'POST /charge/:id/capture',
      'POST /3ds/preauth',
      'POST /3ds/auth',
      'POST /3ds/postauth',
      'POST /3ds/preauth/token/:id',
      'POST /3ds/auth/token/:id',
    ]),
  );
  expect(created.length + rest.length).toBe(CALLS.length);
});
