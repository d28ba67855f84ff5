import { CODE } from '../core/errors.js';
import { TokeniseCard, TokeniseLeastCost } from '../tokens/schema.js';
import { CreatePayToToken } from '../tokens/pay-to-schema.js';
import { SearchTokens } from '../tokens/search-schema.js';
import { CreateEntry } from '../vault/schema.js';
import { page } from '../http/answers.js';
import { row, type Section } from './operation.js';
import { Token, TokenData, VaultEntry, WholeVaultEntry } from './payment-answers.js';
import { STORED, stores } from './storing.js';

export const VAULT: Section = {
  tag: 'Vault',
  text: 'Card numbers, kept for later.',
  rows: [
    {
      method: 'post',
      path: '/vault',
      id: 'createVaultEntry',
      summary: 'Store a card number',
      body: CreateEntry,
      response: VaultEntry,
      errors: [
        CODE.CannotProvideBothExpireDateAndExpireSeconds,
        CODE.InvalidExpireDateOrExpireSeconds,
        CODE.InvalidPaymentInformation,
      ],
    },
    {
      method: 'get',
      path: '/vault/{id}',
      id: 'getVaultEntry',
      summary: 'Read a card number',
      response: WholeVaultEntry,
      errors: [CODE.InvalidVaultId],
    },
    {
      method: 'delete',
      path: '/vault/{id}',
      id: 'deleteVaultEntry',
      summary: 'Delete a card number',
      response: VaultEntry,
      errors: [CODE.InvalidVaultId],
    },
  ],
};

export const TOKENS: Section = {
  tag: 'Tokens',
  text: 'What a page makes of a card, so that no card number goes through a shop’s own server.',
  rows: [
    row('post', '/token/card', 'createToken', 'Make a token of a card', Token, {
      ...stores(TokeniseCard, STORED),
      headers: { ProviderId: 'The provider that makes the token.' },
      access: 'public',
    }),
    row(
      'post',
      '/token/card/least_cost',
      'createTokenLeastCost',
      'Make a token at the cheapest provider',
      Token,
      {
        ...stores(TokeniseLeastCost, [...STORED, CODE.CurrencyNotSupported]),
      },
    ),
    row('post', '/token/payto', 'createPayToToken', 'Make a token of a PayTo agreement', Token, {
      ...stores(CreatePayToToken, [CODE.InvalidProviderId]),
    }),
    row('get', '/token', 'searchTokens', 'Search tokens', page('Tokens', TokenData), { query: SearchTokens }),
    row('get', '/token/{id}', 'getToken', 'Read a token', TokenData, { errors: [CODE.InvalidTokenId] }),
  ],
};
