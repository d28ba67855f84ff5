import { account, agreement, cardOf, STEADY } from './bodies.js';
import { Decimal, Moment, type Spelling } from './spellings.js';

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

const calling =
  (method: Call['method'], given: 'query' | 'body') =>
  (path: string, what?: Call['query'] | object, keeps?: Call['keeps'], headers?: Call['headers']): Call => {
    const [place, kept] = /\{(\w+)\}/.exec(path) ?? [];
    const name = path.startsWith('/info/providers/token/') ? 'token' : 'id';
    return {
      method,
      route: place === undefined ? path : path.replace(place, `:${name}`),
      ...(kept !== undefined && { ids: { [name]: kept } }),
      ...(what && { [given]: what }),
      ...(keeps && { keeps }),
      ...(headers && { headers }),
    };
  };

/** Calls whose path names in braces what was kept: with a query or a body, and what they keep. */
const [get, del] = [calling('GET', 'query'), calling('DELETE', 'query')];
const [post, put] = [calling('POST', 'body'), calling('PUT', 'body')];

/** A call as it is sent in a spelling, with what was kept in its place. */
export function written(
  { route, ids, query, body }: Call,
  spelling: Spelling,
  kept: ReadonlyMap<string, string>,
): { readonly path: string; readonly body: string | undefined } {
  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => kept.get(name) ?? whole);
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => kept.get(ids?.[name] ?? '') ?? '');
  const asked = Object.entries(query ?? {}).map(([name, value]): [string, string] => [
    spelling.queryName(name),
    filled(typeof value === 'string' ? value : spelling.queryDate(value)),
  ]);
  return {
    path: asked.length === 0 ? path : `${path}?${new URLSearchParams(asked).toString()}`,
    body: body && filled(spelling.body(body)),
  };
}

/** The list that one call after the other gives; a name in braces is what was kept. */
export const CALLS: readonly Call[] = [
  post(
    '/charge/card',
    {
      ...card,
      ...more,
      Amount: amount('15.5'),
      Currency: 'AUD',
      Reference: 'r',
      Capture: false,
      Initiator: 'MERCHANT',
    },
    { charge: ['chargeId'] },
  ),
  post('/charge/{charge}', { Amount: amount('10') }),
  del('/refund/{charge}', { Amount: '5', Comment: 'a b' }),
  del('/charge/{charge}', { Amount: '1.50' }),
  get('/charge/{charge}'),
  post(
    '/charge/card',
    { ...card, Amount: amount('20'), Capture: false, Initiator: 'CUSTOMER' },
    { second: ['chargeId'] },
  ),
  post('/charge/{second}/capture', { Amount: amount('20') }),
  post('/charge/card', { ...card, Amount: amount('20'), Capture: false }, { third: ['chargeId'] }),
  del('/charge/{third}/void'),
  post('/charge/card/least_cost', { PaymentInformation: cardOf(), Amount: amount('7.25') }),
  post('/charge/bank_account', { ...bank, Amount: amount('20') }),
  post(
    '/charge/token/apple',
    {
      Amount: amount('20'),
      Currency: 'AUD',
      Token: {
        PaymentData: { Data: 'AbCd', Signature: 'Ef', Header: { TransactionId: 'a' }, Version: 'EC_v1' },
        PaymentMethod: { DisplayName: 'Visa 1234', Network: 'Visa', Type: 'debit' },
      },
    },
    undefined,
    { providerid: STEADY },
  ),
  post(
    '/charge/token/google',
    {
      Amount: amount('20'),
      Currency: 'AUD',
      Token: {
        PaymentMethodData: {
          Type: 'CARD',
          Info: { CardNetwork: 'VISA', CardDetails: '1111' },
          TokenizationData: { Type: 'PAYMENT_GATEWAY', Token: 'AbCd' },
        },
      },
    },
    undefined,
    { providerid: STEADY },
  ),
  post('/charge/token/apple/validate', { DomainName: 'shop.example' }, undefined, { providerid: STEADY }),
  post('/charge/network_token', { ProviderId: STEADY, NetworkTokenId: 'tok_approve', Amount: amount('20') }),
  post(
    '/customer/card',
    {
      ...card,
      ...named,
      Metadata: more.Metadata,
      VaultCard: true,
      VaultExpireDate: at('2031-01-02T03:04:05Z'),
      SkipExpiryDateValidation: false,
    },
    {
      customer: ['customerId'],
      method: ['defaultPaymentMethod', 'paymentMethodId'],
      entry: ['defaultPaymentMethod', 'vaultId'],
    },
  ),
  post('/charge/customer', { CustomerId: '{customer}', Amount: amount('5') }),
  post(
    '/charge/payment_method',
    { PaymentMethodId: '{method}', Amount: amount('6'), Currency: 'AUD' },
    { paid: ['chargeId'] },
  ),
  post(
    '/token/card',
    { PaymentInformation: cardOf(), VaultCard: true, VaultExpireSeconds: 60, Ip: '10.0.0.1' },
    { token: ['tokenId'] },
    { providerid: STEADY },
  ),
  get('/info/providers/token/{token}', { Amount: '5', Currency: 'AUD' }),
  post('/charge/token', { Token: '{token}', Amount: amount('8.75'), Initiator: 'MERCHANT' }),
  post(
    '/token/card/least_cost',
    { PaymentInformation: cardOf(), Amount: amount('5'), Currency: 'AUD' },
    { free: ['tokenId'] },
  ),
  post('/token/payto', agreement(), { agreed: ['tokenId'] }),
  get('/token/{token}'),
  get('/token/{token}/card', undefined, undefined, { providerid: STEADY }),
  post('/3ds/preauth', { AcctNumber: '4000000000001133' }, { transaction: ['threeDSServerTransID'] }),
  post('/3ds/auth', { threeDSServerTransID: '{transaction}', browserUserAgent: 'Mozilla/5.0' }),
  post('/3ds/postauth', { threeDSServerTransID: '{transaction}' }),
  post('/3ds/preauth/token/{free}', {}),
  post('/3ds/auth/token/{free}', {}),
  post(
    '/checkout',
    {
      Amount: amount('20'),
      Currency: 'AUD',
      ProviderId: STEADY,
      ProviderType: 'paypal',
      RedirectUrl: 'https://shop.example',
    },
    { checkout: ['checkoutId'], external: ['externalId'] },
  ),
  post(
    '/charge/checkout',
    { ...more, CheckoutId: '{checkout}', ExternalId: '{external}', Descriptor: 'Shop' },
    {},
    { 'x-sandbox-outcome': 'approve' },
  ),
  post('/payment_method/checkout', { CheckoutId: '{checkout}', Metadata: more.Metadata }),
  get('/checkout/{checkout}'),
  get('/checkout/external/{external}'),
  get('/token', { ...since, Status: 'USED' }),
  get('/charge', {
    ...since,
    Reference: 'r',
    AmountGreaterThan: '1.5',
    CardNumber: '411111',
    CardType: 'VISA',
    Cardholder: 'Jo Smith',
    SortBy: 'Date',
  }),
  post('/customer/token', { ...named, Token: 'tok_approve' }),
  post('/customer/payto', { ...named, PayToAgreement: agreement() }),
  post('/customer/bank_account', { ...bank, ...named }),
  post('/customer/provider_token', { ...providerToken, ...named, Verify: false, Metadata: more.Metadata }),
  post('/customer/provider_single_use_token', { ...providerToken, Metadata: more.Metadata }),
  get('/customer/{customer}'),
  post(
    '/customer/{customer}/payment_method/card',
    { ...card, SetDefault: false },
    { other: ['paymentMethodId'] },
  ),
  post('/customer/{customer}/payment_method/token', { Token: 'tok_approve', SetDefault: true }),
  post('/customer/{customer}/payment_method/payto', agreement({ SetDefault: false })),
  post('/customer/{customer}/bank_account', { ...bank, SetDefault: false }),
  get('/customer/{customer}/payment_method'),
  put('/customer/{customer}', { Email: 'li@example.com', DefaultPaymentMethodId: '{other}' }),
  get('/customer', { ...since, Email: 'li@example.com', IncludeRemoved: 'True' }),
  post(
    '/payment_method/card',
    { ...card, Metadata: more.Metadata, SetDefault: false },
    { plain: ['paymentMethodId'] },
  ),
  post('/payment_method/token', { Token: 'tok_approve' }),
  post('/token/payment_method', { PaymentMethodId: '{plain}', Ccv: '123' }),
  post('/payment_method/vault', { ProviderId: STEADY, PaymentMethodId: '{method}', Ccv: '123' }),
  post('/payment_method/bank_account', { ...bank, SetDefault: false }),
  post('/payment_method/payto', agreement()),
  post('/payment_method/provider_token', { ...providerToken, Email: 'jo@example.com', Verify: false }),
  post('/payment_method/provider_single_use_token', { ...providerToken, ProviderToken: 'pm_2' }),
  get('/payment_method/{plain}'),
  put('/payment_method/{plain}', { Card: { ExpiryDate: '11/31', Cardholder: 'Li' } }),
  get('/payment_method', { ...since, CardType: 'VISA', CustomerId: '{customer}' }),
  post(
    '/vault',
    { CardNumber: '4111111111111111', Ccv: '123', ExpireDate: at('2031-01-01T00:00:00Z') },
    { vault: ['vaultId'] },
  ),
  get('/vault/{vault}'),
  del('/vault/{vault}'),
  post(
    '/batch/transaction/payment_method',
    {
      Count: 1,
      Description: 'd',
      Batch: 'PaymentMethodId,Amount,Currency,Reference\n{method},123.4,AUD,x',
      Webhook: more.Webhook,
    },
    { batch: ['batchId'] },
  ),
  get('/batch/{batch}'),
  get('/batch/{batch}/status'),
  get('/batch', { ...since, Description: 'd' }),
  post(
    '/subscription/payment_method',
    {
      ...subscription,
      PaymentMethodId: '{method}',
      Retry: { Maximum: 2, Interval: 'Hour', Frequency: 1 },
      ...more,
    },
    { subscription: ['subscriptionId'] },
  ),
  get('/subscription/{subscription}'),
  put('/subscription/{subscription}', { ...terms, EndAfter: { Date: at('2030-01-01T00:00:00Z') } }),
  put('/subscription/{subscription}/status', { Status: 'Suspended' }),
  get('/subscription', { ...since, Status: 'Suspended', SortBy: 'Date' }),
  del('/subscription/{subscription}'),
  post(
    '/transfer',
    {
      GroupReference: 'g',
      ProviderId: STEADY,
      ChargeId: '{paid}',
      Transfers: [{ Account: 'a-1', Amount: amount('5'), Currency: 'AUD', Message: 'm', Reference: 'r' }],
    },
    { transfer: ['0', 'transferId'] },
  ),
  get('/transfer/{transfer}'),
  get('/transfer', { ...since, Reference: 'r' }),
  get('/settlements', { StartDate: '2026-01-01', EndDate: '2026-01-31' }),
  post(
    '/payment_link',
    {
      Title: 'Gift',
      Amount: amount('5'),
      Currency: 'AUD',
      CallToAction: 'Donate',
      AllowedPaymentTypes: ['CARD'],
      Metadata: more.Metadata,
    },
    { link: ['paymentLinkId'] },
  ),
  get('/payment_link/{link}'),
  get('/payment_link', { ...since, SortBy: 'Date' }),
  post(
    '/webhook/subscription',
    {
      Url: 'https://example.com/h',
      Types: ['Transaction', 'PaymentMethod'],
      Authorization: 'Basic user:password',
    },
    { hook: ['webhookSubscriptionId'] },
  ),
  get('/webhook/subscription/{hook}'),
  get('/webhook/subscription', { ...since, Type: 'Transaction', SortBy: 'Date' }),
  del('/webhook/subscription/{hook}'),
  post(
    '/provider',
    {
      Type: 'dummy',
      Name: 'primary',
      Environment: 'SANDBOX',
      Currency: 'AUD',
      AuthenticationParameters: { MinMilliseconds: '0', MaxMilliseconds: '0' },
    },
    { provider: ['providerId'] },
  ),
  get('/provider/{provider}'),
  put('/provider/{provider}', { Name: 'second', Environment: 'SANDBOX', Currency: 'AUD' }),
  get('/info/providers/{provider}', { Amount: '5', Currency: 'AUD' }),
  get('/info/providers', { Amount: '5', Currency: 'AUD' }),
  get('/info'),
  get('/info/default_fallback_provider'),
  del('/provider/{provider}'),
  del('/payment_method/{plain}'),
  del('/customer/{customer}'),
  get('/version'),
];
