import { describe, expect, test } from 'vitest';
import { isTestAccount } from '../../src/outcomes/magic-accounts.js';
import { isTestCard } from '../../src/outcomes/magic.js';
import { outcomeNamed } from '../../src/outcomes/outcomes.js';
import { publishedTriggers } from '../../src/outcomes/published.js';
import {
  ACCOUNT_ROWS,
  CARD_ROWS,
  PRECEDENCE_ROWS,
  PROVIDER_ROWS,
  TOKEN_ROWS,
} from '../support/published-rows.js';

describe('the published triggers', () => {
  test('name who decides, highest first', () => {
    expect(publishedTriggers().Precedence).toEqual(PRECEDENCE_ROWS);
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
    expect(Cards.map((row) => [row.CardNumber, row.Scheme, row.Effect])).toEqual(CARD_ROWS);
    for (const row of Cards) expect(isTestCard(row.CardNumber)).toBe(true);
  });

  test('list every test account, and the payers of agreements', () => {
    const { Accounts, PayIds } = publishedTriggers();
    expect(Accounts.map((row) => [row.AccountNumber, row.Effect])).toEqual(ACCOUNT_ROWS);
    for (const row of Accounts) expect(isTestAccount(row.AccountNumber)).toBe(true);
    expect(PayIds).toEqual([
      {
        PayId: 'pending@payto.example',
        Effect: 'the agreement stays PENDING, so that charges are refused (code 33), until payto.activate',
      },
    ]);
  });

  test('list the magic tokens', () => {
    expect(publishedTriggers().Tokens.map((row) => [row.Token, row.Effect])).toEqual(TOKEN_ROWS);
  });

  test('list the seven providers and the reserved one', () => {
    const { Providers } = publishedTriggers();
    expect(Providers.map((row) => [row.ProviderId.slice(-4), row.Name, row.Behaviour])).toEqual(
      PROVIDER_ROWS,
    );
    for (const row of Providers) expect(row.ProviderId.slice(0, -4)).toBe('0'.repeat(28));
  });
});
