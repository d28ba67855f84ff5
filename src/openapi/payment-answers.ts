import * as z from 'zod';

import { TOKEN_STATUSES } from '../tokens/record.js';
import {
  BankPayment,
  Card,
  CustomerSummary,
  id,
  instant,
  maybeId,
  maybeInstant,
  metadata,
  never,
  PayTo,
  payToStatus,
  ProviderName,
  sourceType,
  text,
} from '../http/answers.js';

/** What the operations on charges, customers, payment methods, tokens, vault and batches answer. */

const methodMembers = {
  PaymentMethodId: id(),
  CustomerId: maybeId(),
  Type: sourceType(),
  Card: Card.nullable(),
  BankPayment: BankPayment.nullable(),
  PayTo: PayTo.nullable(),
  PayToStatus: payToStatus(),
  ProviderId: z.string(),
  ProviderType: z.string(),
  VaultId: maybeId(),
  DateAdded: instant(),
  DateRemoved: maybeInstant(),
  Email: text(),
  ProviderPaymentMethodId: text(),
  ProviderPaymentMethodData: metadata(),
  Metadata: metadata(),
};

export const PaymentMethodSummary = z.strictObject(methodMembers).meta({ id: 'PaymentMethodSummary' });

export const PaymentMethod = z
  .strictObject({ ...methodMembers, Provider: ProviderName, Customer: CustomerSummary.nullable() })
  .meta({ id: 'PaymentMethod' });

const Address = z
  .strictObject({
    Line1: text(),
    Line2: text(),
    City: text(),
    Country: text(),
    PostalCode: text(),
    State: text(),
  })
  .meta({ id: 'PostalAddress' });

export const Customer = z
  .strictObject({
    CustomerId: id(),
    Reference: text(),
    FirstName: text(),
    LastName: text(),
    Email: text().describe('Reads deleted once the customer is removed.'),
    Phone: text(),
    Address: Address.nullable(),
    Ip: text(),
    DateAdded: instant(),
    DateRemoved: maybeInstant(),
    DefaultPaymentMethod: PaymentMethodSummary.nullable(),
    Metadata: metadata(),
  })
  .meta({ id: 'Customer' });

const tokenMembers = {
  TokenId: id(),
  ProviderId: z.string(),
  DateAdded: instant(),
  VaultId: maybeId(),
  Type: sourceType(),
  PayToStatus: payToStatus(),
  Ip: text(),
  Metadata: metadata(),
  ClickToPay: never(),
  NetworkTokenAuthenticateUrl: never(),
  NetworkToken: never(),
  NetworkTokenData: never(),
  GatewayTokenData: never(),
  Card: Card.nullable(),
};

export const Token = z.strictObject(tokenMembers).meta({ id: 'Token' });

export const TokenWithExpiry = z
  .strictObject({ ...tokenMembers, ExpiresAt: instant() })
  .meta({ id: 'TokenWithExpiry' });

export const TokenData = z
  .strictObject({
    TokenId: id(),
    GatewayTokenId: never(),
    AccountId: never(),
    UserId: never(),
    Card: Card.nullable(),
    Provider: ProviderName,
    DateAdded: instant(),
    DateUsed: maybeInstant(),
    PayToStatus: payToStatus(),
    Metadata: metadata(),
    ClickToPay: never(),
  })
  .meta({ id: 'TokenData', description: `Is one of ${TOKEN_STATUSES.join(', ')}.` });

const entryMembers = {
  VaultId: id(),
  CreatedDate: instant(),
  ExpireDate: maybeInstant(),
  MaskedCardNumber: z.string(),
  HasCvv: z.boolean(),
};

export const VaultEntry = z.strictObject(entryMembers).meta({ id: 'VaultEntry' });

export const WholeVaultEntry = z
  .strictObject({ ...entryMembers, CardNumber: z.string(), Ccv: text() })
  .meta({ id: 'WholeVaultEntry' });
