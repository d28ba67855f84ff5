import { expect, test } from 'vitest';

import { describeRisk, findCauseAdvice, summariseFindings } from '../../src/sweep/report/causes.js';
import { FAULTS } from '../../src/sweep/faults.js';
import { createTogetherPoint, type FaultPoint } from '../../src/sweep/points.js';
import type { Trial } from '../../src/sweep/trial.js';
import { isFinding, VERDICTS } from '../../src/sweep/verdicts.js';
import { type FaultName, resolveFaults } from '../../src/sweep/choose-faults.js';

const POINT = { kind: 'call', name: 'charge.create' } as FaultPoint;

const trialOf = (...names: FaultName[]): Trial =>
  resolveFaults(names).map((fault) => ({ point: POINT, fault }));

test.each(Object.keys(FAULTS) as FaultName[])('The fault %s is a cause in the words of people.', (name) => {
  const risk = describeRisk('charged twice', trialOf(name));
  expect(risk).toMatch(/^A customer can be charged twice if [a-z].*\.$/);
  expect(risk).not.toContain('the fault');
});

test('Each verdict of a finding is a risk of its own.', () => {
  const risks = VERDICTS.filter(isFinding).map((verdict) => describeRisk(verdict, trialOf('lost')));
  expect(new Set(risks).size).toBe(risks.length);
  expect(risks.join()).not.toContain('Money can be lost');
});

test('Two faults are two causes, and one of your own has its name.', () => {
  expect(describeRisk('left open', trialOf('declined', 'lost'))).toBe(
    "A customer's money can stay blocked if a payment is declined, and then an answer is lost.",
  );
  for (const name of ['busy', 'constructor']) {
    const fault = { name, about: '', acts: () => true };
    expect(describeRisk('stuck', [{ point: POINT, fault }])).toBe(
      `The program can wait for ever if the fault "${name}" happens.`,
    );
  }
});

test('The advice is that for the last cause, if it has one.', () => {
  expect(findCauseAdvice('charged twice', trialOf('twice'))).toContain('messageId');
  expect(findCauseAdvice('charged twice', trialOf('twice', 'lost'))).toBeUndefined();
});

test.each([
  ['charged twice', 'Claim the order before the call'],
  ['created twice', 'Claim the order before the call'],
  ['refunded too much', 'Claim the order before the call'],
  ['paid, not delivered', 'read it again before you change it'],
  ['delivered, not paid', 'read it again before you change it'],
] as const)('The advice for a race with the verdict "%s" contains: %s', (verdict, advice) => {
  const fault = { name: 'order 1 2', about: '', order: [0, 1], acts: () => false };
  expect(findCauseAdvice(verdict, [{ point: createTogetherPoint('together'), fault }])).toContain(advice);
});

test.each([
  [[{ verdict: 'charged twice' }, { verdict: 'stuck' }], false, 'charged twice risk Fix this first.'],
  [
    [{ verdict: 'charged twice', isAccepted: true }, { verdict: 'stuck' }],
    false,
    'stuck risk Fix this first.',
  ],
  [[{ verdict: 'stuck', isAccepted: true }], true, 'Nothing was found that is not accepted.'],
  [[], true, 'No failure that was tried costs money.'],
  [[], false, 'Nothing wrong was found, but not everything was proved: see the lists below.'],
] as const)(
  'The second line for %j is that of the first that is not accepted.',
  (findings, safe, summary) => {
    const all = findings.map((finding) => ({
      isAccepted: false,
      risk: `${finding.verdict} risk`,
      ...finding,
    }));
    expect(summariseFindings(all, { safe, runs: 3 })).toBe(summary);
  },
);
