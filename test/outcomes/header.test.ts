import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/core/errors.js';
import { parseOverride } from '../../src/outcomes/header.js';
import { OUTCOMES } from '../../src/outcomes/outcomes.js';

function refusalOf(text: string): ApiError {
  try {
    parseOverride(text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe('the header x-sandbox-outcome', () => {
  test.each([...OUTCOMES.keys()])('takes %s', (name) => {
    expect(parseOverride(name)).toEqual({
      outcome: OUTCOMES.get(name),
      delayMs: 0,
      trigger: `header:${name}`,
      isDone: false,
    });
  });

  test.each([
    ['approve, delay=2s', 2000],
    ['approve,delay=2s', 2000],
    ['  approve ,  delay=250ms ', 250],
    ['approve, delay=0s', 0],
    ['approve, delay=PT1M', 60_000],
    ['approve, delay=60s', 60_000],
  ])('takes %j', (text, delayMs) => {
    expect(parseOverride(text)).toMatchObject({
      outcome: { name: 'approve' },
      delayMs,
      trigger: 'header:approve',
    });
  });

  test.each([
    ['', /unknown outcome/],
    ['delay=2s', /unknown outcome/],
    ['Approve', /did you mean approve\?/],
    ['insuficient_funds', /"insuficient_funds"; did you mean insufficient_funds\?/],
    ['approve, lost_card', /only delay=<duration> is allowed, not "lost_card"/],
    ['approve,', /only delay=<duration> is allowed, not ""/],
    ['approve, delay', /only delay=<duration> is allowed, not "delay"/],
    ['approve, delay=', /must be a duration such as .*, not ""/],
    ['approve, delay=2', /must be a duration such as 250ms, 2s, 1m or PT2S, not "2"/],
    ['approve, delay=-2s', /must be a duration/],
    ['approve, delay=61s', /the delay must be at most 60s, not "61s"/],
    ['approve, delay=30d', /must be at most 60s/],
    ['approve, delay=2s, delay=3s', /more than one/],
  ])('refuses %j with code 90', (text, reason) => {
    const error = refusalOf(text);
    expect(error.refusal.code).toBe(90);
    expect(error.httpStatus).toBe(400);
    expect(error.message).toMatch(/^Validation Error: the header x-sandbox-outcome/);
    expect(error.message).toMatch(reason);
    expect(error.refusal.details?.['x-sandbox-outcome']).toMatch(reason);
  });

  test('never repeats a card number that was put into it', () => {
    for (const text of ['4929000000006', 'approve, 4929000000006', 'approve, delay=4929000000006']) {
      expect(JSON.stringify(refusalOf(text).refusal)).not.toContain('4929000000006');
    }
  });
});
