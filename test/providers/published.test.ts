import { describe, expect, test } from 'vitest';
import { isTestAccount } from '../../src/providers/magic-accounts.js';
import { isTestCard } from '../../src/providers/magic.js';
import { outcomeNamed } from '../../src/providers/outcomes.js';
import { publishedTriggers } from '../../src/providers/published.js';

describe('the published triggers', () => {
  test('name who decides, highest first', () => {
    const { Precedence } = publishedTriggers();
    expect(Precedence).toHaveLength(6);
    expect(Precedence[0]).toMatch(/^x-sandbox-outcome/);
    expect(Precedence.at(-1)).toBe('approve');
  });

  test('list the outcomes by the names that are accepted', () => {
    const { Outcomes } = publishedTriggers();
    for (const row of Outcomes) expect(outcomeNamed(row.Outcome)?.code).toBe(row.Code);
    expect(Outcomes[2]).toEqual({
      Outcome: 'insufficient_funds',
      Code: 15,
      GatewayCode: '51',
      GatewayMessage: 'Insufficient funds',
      IsRetryable: true,
      HttpStatus: 402,
    });
  });

  test('list every test card', () => {
    const { Cards } = publishedTriggers();
    expect(Cards).toHaveLength(33);
    for (const row of Cards) expect(isTestCard(row.CardNumber)).toBe(true);
    expect(Cards).toContainEqual({
      CardNumber: '4000000000009995',
      Scheme: 'Visa',
      Effect: 'insufficient_funds on charge',
    });
  });

  test('list every test account, and the payers of agreements', () => {
    const { Accounts, PayIds } = publishedTriggers();
    expect(Accounts.map((row) => row.AccountNumber)).toEqual(['000123456', '000000002', '000009995']);
    for (const row of Accounts) expect(isTestAccount(row.AccountNumber)).toBe(true);
    expect(PayIds.map((row) => row.PayId)).toEqual(['pending@payto.example']);
  });

  test('list the magic tokens', () => {
    expect(publishedTriggers().Tokens.map((row) => row.Token)).toEqual([
      'tok_<outcome>',
      'tok_<outcome>|<outcome>|…',
      'tok_used',
      'tok_expired',
    ]);
  });

  test('list the seven providers and the reserved one', () => {
    expect(publishedTriggers().Providers.map((row) => [row.ProviderId.slice(-4), row.Name])).toEqual([
      ['0001', 'steady'],
      ['0002', 'amounts'],
      ['0003', 'slow'],
      ['0004', 'flaky'],
      ['0005', 'down'],
      ['0006', 'no-capture'],
      ['0007', 'whole-capture'],
      ['dead', null],
    ]);
  });
});
