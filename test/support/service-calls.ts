import { account, agreement, cardOf, STEADY } from './bodies.js';
import { Decimal, Moment } from './spellings.js';

const amount = (text: string): Decimal => new Decimal(text);
const at = (iso: string): Moment => new Moment(iso);

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the route is written; `:name` stands for what an earlier answer gave under that name. */
  readonly route: string;
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | Moment>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the answer whose identifiers later calls use. */
  readonly keeps?: Readonly<Record<string, readonly string[]>>;
}

const card = { ProviderId: STEADY, PaymentInformation: cardOf() };
const named = { FirstName: 'Jo', LastName: 'Smith', Email: 'jo@example.com', Phone: '+61311111111' };
const more = {
  Metadata: { merchant_id: '1', URL: 'u' },
  Webhook: { Url: 'https://example.com/w', Authorization: 'Basic x' },
};
const bank = { ProviderId: STEADY, BankPaymentInformation: account() };
const providerToken = { ProviderId: STEADY, ProviderToken: 'pm_1', ProviderTokenData: { Some_Key: 'v' } };
const terms = { Amount: amount('9.5'), Currency: 'AUD', Interval: 'Month', Frequency: 1 };
const subscription = {
  ...terms,
  StartDate: at('2026-03-01T00:00:00Z'),
  EndAfter: { Count: 3, Amount: amount('20') },
};
const since = { AddedAfter: at('2025-06-07T08:09:10Z'), Limit: '5', Skip: '0' };

/** The list that one call after the other gives; a name in braces is what was kept. */
export const CALLS: readonly Call[] = [
  {
    method: 'POST',
    route: '/charge/card',
    body: {
      ...card,
      ...more,
      Amount: amount('15.5'),
      Currency: 'AUD',
      Reference: 'r',
      Capture: false,
      Initiator: 'MERCHANT',
    },
    keeps: { charge: ['chargeId'] },
  },
  { method: 'POST', route: '/charge/:id', ids: { id: 'charge' }, body: { Amount: amount('10') } },
  { method: 'DELETE', route: '/refund/:id', ids: { id: 'charge' }, query: { Amount: '5', Comment: 'a b' } },
  { method: 'DELETE', route: '/charge/:id', ids: { id: 'charge' }, query: { Amount: '1.50' } },
  { method: 'GET', route: '/charge/:id', ids: { id: 'charge' } },
  {
    method: 'POST',
    route: '/charge/card',
    body: { ...card, Amount: amount('20'), Capture: false, Initiator: 'CUSTOMER' },
    keeps: { second: ['chargeId'] },
  },
  { method: 'POST', route: '/charge/:id/capture', ids: { id: 'second' }, body: { Amount: amount('20') } },
  {
    method: 'POST',
    route: '/charge/card',
    body: { ...card, Amount: amount('20'), Capture: false },
    keeps: { third: ['chargeId'] },
  },
  { method: 'DELETE', route: '/charge/:id/void', ids: { id: 'third' } },
  {
    method: 'POST',
    route: '/charge/card/least_cost',
    body: { PaymentInformation: cardOf(), Amount: amount('7.25') },
  },
  { method: 'POST', route: '/charge/bank_account', body: { ...bank, Amount: amount('20') } },
  {
    method: 'POST',
    route: '/customer/card',
    body: {
      ...card,
      ...named,
      Metadata: more.Metadata,
      VaultCard: true,
      VaultExpireDate: at('2031-01-02T03:04:05Z'),
      SkipExpiryDateValidation: false,
    },
    keeps: {
      customer: ['customerId'],
      method: ['defaultPaymentMethod', 'paymentMethodId'],
      entry: ['defaultPaymentMethod', 'vaultId'],
    },
  },
  { method: 'POST', route: '/charge/customer', body: { CustomerId: '{customer}', Amount: amount('5') } },
  {
    method: 'POST',
    route: '/charge/payment_method',
    body: { PaymentMethodId: '{method}', Amount: amount('6'), Currency: 'AUD' },
    keeps: { paid: ['chargeId'] },
  },
  {
    method: 'POST',
    route: '/token/card',
    headers: { providerid: STEADY },
    body: { PaymentInformation: cardOf(), VaultCard: true, VaultExpireSeconds: 60, Ip: '10.0.0.1' },
    keeps: { token: ['tokenId'] },
  },
  {
    method: 'GET',
    route: '/info/providers/token/:token',
    ids: { token: 'token' },
    query: { Amount: '5', Currency: 'AUD' },
  },
  {
    method: 'POST',
    route: '/charge/token',
    body: { Token: '{token}', Amount: amount('8.75'), Initiator: 'MERCHANT' },
  },
  {
    method: 'POST',
    route: '/token/card/least_cost',
    body: { PaymentInformation: cardOf(), Amount: amount('5'), Currency: 'AUD' },
  },
  { method: 'POST', route: '/token/payto', body: agreement(), keeps: { agreed: ['tokenId'] } },
  { method: 'GET', route: '/token/:id', ids: { id: 'token' } },
  { method: 'GET', route: '/token', query: { ...since, Status: 'USED' } },
  {
    method: 'GET',
    route: '/charge',
    query: {
      ...since,
      Reference: 'r',
      AmountGreaterThan: '1.5',
      CardNumber: '411111',
      CardType: 'VISA',
      Cardholder: 'Jo Smith',
      SortBy: 'Date',
    },
  },
  { method: 'POST', route: '/customer/token', body: { ...named, Token: 'tok_approve' } },
  { method: 'POST', route: '/customer/payto', body: { ...named, PayToAgreement: agreement() } },
  { method: 'POST', route: '/customer/bank_account', body: { ...bank, ...named } },
  {
    method: 'POST',
    route: '/customer/provider_token',
    body: { ...providerToken, ...named, Verify: false, Metadata: more.Metadata },
  },
  {
    method: 'POST',
    route: '/customer/provider_single_use_token',
    body: { ...providerToken, Metadata: more.Metadata },
  },
  { method: 'GET', route: '/customer/:id', ids: { id: 'customer' } },
  {
    method: 'POST',
    route: '/customer/:id/payment_method/card',
    ids: { id: 'customer' },
    body: { ...card, SetDefault: false },
    keeps: { other: ['paymentMethodId'] },
  },
  {
    method: 'POST',
    route: '/customer/:id/payment_method/token',
    ids: { id: 'customer' },
    body: { Token: 'tok_approve', SetDefault: true },
  },
  {
    method: 'POST',
    route: '/customer/:id/payment_method/payto',
    ids: { id: 'customer' },
    body: agreement({ SetDefault: false }),
  },
  {
    method: 'POST',
    route: '/customer/:id/bank_account',
    ids: { id: 'customer' },
    body: { ...bank, SetDefault: false },
  },
  { method: 'GET', route: '/customer/:id/payment_method', ids: { id: 'customer' } },
  {
    method: 'PUT',
    route: '/customer/:id',
    ids: { id: 'customer' },
    body: { Email: 'li@example.com', DefaultPaymentMethodId: '{other}' },
  },
  { method: 'GET', route: '/customer', query: { ...since, Email: 'li@example.com', IncludeRemoved: 'True' } },
  {
    method: 'POST',
    route: '/payment_method/card',
    body: { ...card, Metadata: more.Metadata, SetDefault: false },
    keeps: { plain: ['paymentMethodId'] },
  },
  { method: 'POST', route: '/payment_method/token', body: { Token: 'tok_approve' } },
  {
    method: 'POST',
    route: '/payment_method/vault',
    body: { ProviderId: STEADY, PaymentMethodId: '{method}', Ccv: '123' },
  },
  { method: 'POST', route: '/payment_method/bank_account', body: { ...bank, SetDefault: false } },
  { method: 'POST', route: '/payment_method/payto', body: agreement() },
  {
    method: 'POST',
    route: '/payment_method/provider_token',
    body: { ...providerToken, Email: 'jo@example.com', Verify: false },
  },
  {
    method: 'POST',
    route: '/payment_method/provider_single_use_token',
    body: { ...providerToken, ProviderToken: 'pm_2' },
  },
  { method: 'GET', route: '/payment_method/:id', ids: { id: 'plain' } },
  {
    method: 'PUT',
    route: '/payment_method/:id',
    ids: { id: 'plain' },
    body: { Card: { ExpiryDate: '11/31', Cardholder: 'Li' } },
  },
  {
    method: 'GET',
    route: '/payment_method',
    query: { ...since, CardType: 'VISA', CustomerId: '{customer}' },
  },
  {
    method: 'POST',
    route: '/vault',
    body: { CardNumber: '4111111111111111', Ccv: '123', ExpireDate: at('2031-01-01T00:00:00Z') },
    keeps: { vault: ['vaultId'] },
  },
  { method: 'GET', route: '/vault/:id', ids: { id: 'vault' } },
  { method: 'DELETE', route: '/vault/:id', ids: { id: 'vault' } },
  {
    method: 'POST',
    route: '/batch/transaction/payment_method',
    body: {
      Count: 1,
      Description: 'd',
      Batch: 'PaymentMethodId,Amount,Currency,Reference\n{method},123.4,AUD,x',
      Webhook: more.Webhook,
    },
    keeps: { batch: ['batchId'] },
  },
  { method: 'GET', route: '/batch/:id', ids: { id: 'batch' } },
  { method: 'GET', route: '/batch/:id/status', ids: { id: 'batch' } },
  { method: 'GET', route: '/batch', query: { ...since, Description: 'd' } },
  {
    method: 'POST',
    route: '/subscription/payment_method',
    body: {
      ...subscription,
      PaymentMethodId: '{method}',
      Retry: { Maximum: 2, Interval: 'Hour', Frequency: 1 },
      ...more,
    },
    keeps: { subscription: ['subscriptionId'] },
  },
  { method: 'GET', route: '/subscription/:id', ids: { id: 'subscription' } },
  {
    method: 'PUT',
    route: '/subscription/:id',
    ids: { id: 'subscription' },
    body: { ...terms, EndAfter: { Date: at('2030-01-01T00:00:00Z') } },
  },
  {
    method: 'PUT',
    route: '/subscription/:id/status',
    ids: { id: 'subscription' },
    body: { Status: 'Suspended' },
  },
  { method: 'GET', route: '/subscription', query: { ...since, Status: 'Suspended', SortBy: 'Date' } },
  { method: 'DELETE', route: '/subscription/:id', ids: { id: 'subscription' } },
  {
    method: 'POST',
    route: '/transfer',
    body: {
      GroupReference: 'g',
      ProviderId: STEADY,
      ChargeId: '{paid}',
      Transfers: [{ Account: 'a-1', Amount: amount('5'), Currency: 'AUD', Message: 'm', Reference: 'r' }],
    },
    keeps: { transfer: ['0', 'transferId'] },
  },
  { method: 'GET', route: '/transfer/:id', ids: { id: 'transfer' } },
  { method: 'GET', route: '/transfer', query: { ...since, Reference: 'r' } },
  { method: 'GET', route: '/settlements', query: { StartDate: '2026-01-01', EndDate: '2026-01-31' } },
  {
    method: 'POST',
    route: '/payment_link',
    body: {
      Title: 'Gift',
      Amount: amount('5'),
      Currency: 'AUD',
      CallToAction: 'Donate',
      AllowedPaymentTypes: ['CARD'],
      Metadata: more.Metadata,
    },
    keeps: { link: ['paymentLinkId'] },
  },
  { method: 'GET', route: '/payment_link/:id', ids: { id: 'link' } },
  { method: 'GET', route: '/payment_link', query: { ...since, SortBy: 'Date' } },
  {
    method: 'POST',
    route: '/webhook/subscription',
    body: {
      Url: 'https://example.com/h',
      Types: ['Transaction', 'PaymentMethod'],
      Authorization: 'Basic user:password',
    },
    keeps: { hook: ['webhookSubscriptionId'] },
  },
  { method: 'GET', route: '/webhook/subscription/:id', ids: { id: 'hook' } },
  { method: 'GET', route: '/webhook/subscription', query: { ...since, Type: 'Transaction', SortBy: 'Date' } },
  { method: 'DELETE', route: '/webhook/subscription/:id', ids: { id: 'hook' } },
  {
    method: 'POST',
    route: '/provider',
    body: {
      Type: 'dummy',
      Name: 'primary',
      Environment: 'SANDBOX',
      Currency: 'AUD',
      AuthenticationParameters: { MinMilliseconds: '0', MaxMilliseconds: '0' },
    },
    keeps: { provider: ['providerId'] },
  },
  { method: 'GET', route: '/provider/:id', ids: { id: 'provider' } },
  {
    method: 'PUT',
    route: '/provider/:id',
    ids: { id: 'provider' },
    body: { Name: 'second', Environment: 'SANDBOX', Currency: 'AUD' },
  },
  {
    method: 'GET',
    route: '/info/providers/:id',
    ids: { id: 'provider' },
    query: { Amount: '5', Currency: 'AUD' },
  },
  { method: 'GET', route: '/info/providers', query: { Amount: '5', Currency: 'AUD' } },
  { method: 'GET', route: '/info' },
  { method: 'GET', route: '/info/default_fallback_provider' },
  { method: 'DELETE', route: '/provider/:id', ids: { id: 'provider' } },
  { method: 'DELETE', route: '/payment_method/:id', ids: { id: 'plain' } },
  { method: 'DELETE', route: '/customer/:id', ids: { id: 'customer' } },
  { method: 'GET', route: '/version' },
];
