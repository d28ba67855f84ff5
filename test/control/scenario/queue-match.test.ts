import { describe, expect, test } from 'vitest';

import { client, good, testSandbox, warningOf } from '../../support/sandbox.js';

const queued = (Match: object, Operation = 'charge.create') =>
  client(testSandbox()).post('/_sandbox/outcomes', { Operation, Outcomes: ['lost_card'], Match });

describe('the match of a queue that no call has', () => {
  test.each([
    [{ ProviderId: 'steady' }, 'Match.ProviderId', /not "steady"\. Did you mean 0{31}1\?$/],
    [{ ProviderId: 'x' }, 'Match.ProviderId', /^must be a ProviderId \(32 hexadecimal digits\)/],
    [{ CardNumber: '4111' }, 'Match.CardNumber', /^must be a card number of 12 to 19 digits/],
    [{ CardNumber: '4111111111111112' }, 'Match.CardNumber', /^must be a card number/],
    [{ CardNumber: 'visa' }, 'Match.CardNumber', /^must be a card number, a pattern such as/],
    [{ CardNumber: '4111-1111-1111-1111' }, 'Match.CardNumber', /^must be a card number, a pattern/],
  ])('%j is refused', async (match, field, why) => {
    const { status, body } = await queued(match);
    expect([status, body['Code']]).toEqual([400, 90]);
    expect(body['Details']).toEqual({ [field]: expect.stringMatching(why) as unknown });
  });

  test.each([
    [{ CardNumber: '4*' }, 'subscription.update', 'CardNumber', 'card'],
    [{ Reference: 'a' }, 'subscription.charge', 'Reference', 'reference'],
    [{ Amount: 5 }, 'customer.create', 'Amount', 'amount'],
  ])('%j for %s is refused', async (match, operation, field, what) => {
    const body = {
      Operation: operation,
      Outcomes: [operation.includes('update') ? { Fault: 'reset' } : 'lost_card'],
      Match: match,
    };
    const answer = await client(testSandbox()).post('/_sandbox/outcomes', body);
    expect(answer.body['Details']).toEqual({
      [`Match.${field}`]: `can never match, because calls of ${operation} have no ${what}`,
    });
  });

  test('is stored if it can match, with a warning if it looks like a mistake', async () => {
    expect(
      warningOf(await good(queued({ CardNumber: '4111 1111 1111 1111', Reference: 'order-*' }))),
    ).toBeNull();
    expect(warningOf(await good(queued({ Reference: 'order-%' })))).toBe(
      'Match.Reference looks like a pattern of SQL, but only * (any characters) and ? (one) have a meaning. Did you mean order-*?',
    );
    expect(warningOf(await good(queued({ Amount: '1.005' })))).toContain('Name the currency that has them');
  });
});
