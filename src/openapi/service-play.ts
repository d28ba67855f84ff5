import { DEFAULT_PROVIDER_ID } from '../outcomes/built-in.js';
import { type PlayCall, CARD, PaymentInformation } from './call.js';

/** The provider whose amounts decide. */
const AMOUNTS = '00000000000000000000000000000002';
const BankPaymentInformation = { BankCode: '062-000', AccountNumber: '000123456', AccountName: 'Jo Smith' };
const BANK = { ProviderId: DEFAULT_PROVIDER_ID, BankPaymentInformation };
const STORED = { ProviderId: DEFAULT_PROVIDER_ID, ProviderToken: 'pm_1a2b3c' };
const GOOGLE_TOKEN = {
  PaymentMethodData: {
    Type: 'CARD',
    Info: { CardNetwork: 'VISA', CardDetails: '1111' },
    TokenizationData: { Type: 'PAYMENT_GATEWAY', Token: '{"signature":"MEUC"}' },
  },
};
const APPLE_TOKEN = {
  PaymentData: {
    Data: 'AbCdEf==',
    Signature: 'MIAGCSqG',
    Header: { TransactionId: '1a2b' },
    Version: 'EC_v1',
  },
  PaymentMethod: { DisplayName: 'Visa 1234', Network: 'Visa', Type: 'debit' },
};
const AGREEMENT = {
  ProviderId: DEFAULT_PROVIDER_ID,
  PayerName: 'Jo Smith',
  PayerPayIdDetails: { PayId: 'jo@example.com', PayIdType: 'EMAIL' },
  Description: 'Gym',
  MaximumAmount: 500,
};
const PERSON = { FirstName: 'Jo', LastName: 'Smith', Reference: 'customer-1', Email: 'jo@example.com' };

const chargeBody = (more: object = {}): object => ({ Amount: '15.50', ...CARD, ...more });

/** Calls every operation of the service. */
export async function playService(call: PlayCall): Promise<void> {
  await playCharges(call);
  await playVault(call);
  const customer = await playCustomers(call);
  await playMethods(call);
  await playTokens(call);
  await playThreeDSecure(call);
  const added = await call('addCard', { id: customer, body: { ...CARD, SetDefault: true } });
  const method = added['PaymentMethodId'] ?? '';
  await playCustomerCharges(call, customer, method);
  await playBatches(call, method);
  await playSubscriptions(call, method);
  await playLinks(call);
  await playProviders(call);
  await playWebhooks(call);
  await playCheckouts(call);
  await call('removeCustomer', { id: customer });
}

async function playCharges(call: PlayCall): Promise<void> {
  const paid = await call('chargeCard', { body: chargeBody({ Reference: 'order-1' }) });
  const declined = { ...PaymentInformation, CardNumber: '4000000000009995' };
  await call('chargeCard', { body: chargeBody({ Reference: 'order-2', PaymentInformation: declined }) });
  await call('getCharge', { id: '0'.repeat(32) });
  await call('chargeCardLeastCost', { body: { Amount: 20, PaymentInformation } });
  await call('chargeToken', { body: { Amount: 5, Token: 'tok_approve' } });
  await call('chargeApple', {
    body: { Amount: 20, Token: APPLE_TOKEN },
    headers: { providerid: DEFAULT_PROVIDER_ID },
  });
  await call('chargeGoogle', {
    body: { Amount: 20, Token: GOOGLE_TOKEN },
    headers: { providerid: DEFAULT_PROVIDER_ID },
  });
  await call('validateApple', { body: {}, headers: { providerid: DEFAULT_PROVIDER_ID } });
  await call('chargeNetworkToken', {
    body: { Amount: 20, ProviderId: DEFAULT_PROVIDER_ID, NetworkTokenId: 'tok_approve' },
  });
  await call('chargeBankAccount', { body: { Amount: '30.00', ...BANK } });
  const authorised = await call('chargeCard', { body: chargeBody({ Capture: false, Reference: 'order-3' }) });
  await call('captureCharge', { id: authorised['ChargeId'] ?? '', body: { Amount: '10.00' } });
  await call('captureCharge', { id: paid['ChargeId'] ?? '', body: { Amount: '10.00' } });
  const second = await call('chargeCard', { body: chargeBody({ Capture: false }) });
  await call('captureChargeToo', { id: second['ChargeId'] ?? '', body: { Amount: 15.5 } });
  const third = await call('chargeCard', { body: chargeBody({ Capture: false }) });
  await call('voidCharge', { id: third['ChargeId'] ?? '' });
  await call('undoCharge', { id: second['ChargeId'] ?? '' });
  await call('refundCharge', { id: paid['ChargeId'] ?? '', body: { Amount: '5.00', Comment: 'one item' } });
  await call('getCharge', { id: paid['ChargeId'] ?? '' });
  await call('searchCharges', { query: '?Reference=order-1&Limit=1' });
}

async function playVault(call: PlayCall): Promise<void> {
  const body = { CardNumber: '4111111111111111', Ccv: '123', ExpireSeconds: 3600 };
  const entry = await call('createVaultEntry', { body });
  await call('getVaultEntry', { id: entry['VaultId'] ?? '' });
  await call('deleteVaultEntry', { id: entry['VaultId'] ?? '' });
}

/** Returns the identifier of a customer that is not removed. */
async function playCustomers(call: PlayCall): Promise<string> {
  const customer = await call('createCustomerFromCard', { body: { ...CARD, ...PERSON } });
  const id = customer['CustomerId'] ?? '';
  await call('createCustomerFromToken', { body: { Token: 'tok_approve', ...PERSON } });
  await call('createCustomerFromBankAccount', { body: { ...BANK, ...PERSON } });
  await call('createCustomerFromPayTo', { body: { PayToAgreement: AGREEMENT, ...PERSON } });
  const stored = { ...STORED, ...PERSON };
  await call('createCustomerFromProviderToken', { body: stored });
  await call('createCustomerFromSingleUseToken', { body: { ...stored, ProviderToken: 'once_1a2b3c' } });
  await call('getCustomer', { id });
  await call('updateCustomer', { id, body: { Phone: '+61 2 5550 0100', Address: { City: 'Sydney' } } });
  await call('searchCustomers', { query: '?Email=jo%40example.com&Limit=1' });
  await call('addToken', { id, body: { Token: 'tok_approve' } });
  await call('addPayTo', { id, body: AGREEMENT });
  await call('addBankAccount', { id, body: BANK });
  await call('getCustomerPaymentMethods', { id, keep: 1 });
  return id;
}

async function playMethods(call: PlayCall): Promise<void> {
  const vaulted = await call('createMethodFromCard', { body: { ...CARD, VaultCard: true } });
  const id = vaulted['PaymentMethodId'] ?? '';
  await call('createMethodFromToken', { body: { Token: 'tok_approve' } });
  await call('createMethodFromVault', { body: { ProviderId: AMOUNTS, PaymentMethodId: id } });
  await call('createMethodFromBankAccount', { body: BANK });
  await call('createMethodFromPayTo', { body: AGREEMENT });
  await call('createMethodFromProviderToken', { body: STORED });
  await call('createMethodFromSingleUseToken', { body: { ...STORED, ProviderToken: 'once_4d5e6f' } });
  await call('getMethod', { id });
  await call('updateMethod', { id, body: { Card: { ExpiryDate: '11/31' } } });
  await call('createTokenFromMethod', { body: { PaymentMethodId: id, Ccv: '123' } });
  await call('searchMethods', { query: '?CardType=VISA&Limit=1' });
  await call('removeMethod', { id });
}

async function playTokens(call: PlayCall): Promise<void> {
  const body = { PaymentInformation };
  const token = await call('createToken', { body, headers: { providerid: DEFAULT_PROVIDER_ID } });
  await call('createTokenLeastCost', { body: { Amount: 20, ...body } });
  await call('createPayToToken', { body: AGREEMENT });
  await call('createPayToTokenOfPage', { body: AGREEMENT });
  await call('searchTokens', { query: '?Status=ACTIVE&Limit=1' });
  await call('getToken', { id: token['TokenId'] ?? '' });
  await call('getTokenCard', {
    id: token['TokenId'] ?? '',
    headers: { providerid: DEFAULT_PROVIDER_ID },
  });
  await call('getInfoProviderOfToken', { id: token['TokenId'] ?? '' });
}

async function playThreeDSecure(call: PlayCall): Promise<void> {
  const number = '4000000000001133';
  const body = { PaymentInformation: { ...PaymentInformation, CardNumber: number } };
  const { TokenId = '' } = await call('createToken', { body, headers: { providerid: DEFAULT_PROVIDER_ID } });
  await call('preauthenticateToken', { id: TokenId });
  const notificationURL = 'https://shop.example/3ds';
  await call('authenticateToken', { id: TokenId, body: { notificationURL } });
  const { threeDSServerTransID } = await call('preauthenticateCard', { body: { AcctNumber: number } });
  const request = { threeDSServerTransID, notificationURL, browserUserAgent: 'Mozilla/5.0' };
  await call('authenticateCard', { body: request });
  await call('answerChallenge', { id: threeDSServerTransID ?? '', body: { Answer: 'approve' } });
  await call('readAuthentication', { body: { threeDSServerTransID } });
}

async function playCheckouts(call: PlayCall): Promise<void> {
  const body = { Amount: 20, ProviderId: DEFAULT_PROVIDER_ID, ProviderType: 'paypal' };
  const RedirectUrl = 'https://shop.example/back';
  const { CheckoutId = '', ExternalId = '' } = await call('createCheckout', {
    body: { ...body, RedirectUrl },
  });
  await call('chargeCheckout', { body: { CheckoutId, Reference: 'order-4' } });
  await call('decideCheckout', { id: CheckoutId, body: { Answer: 'approve' } });
  await call('createMethodFromCheckout', { body: { CheckoutId } });
  await call('getCheckoutById', { id: CheckoutId });
  await call('getCheckoutByExternalId', { id: ExternalId });
}

async function playCustomerCharges(
  call: PlayCall,
  CustomerId: string,
  PaymentMethodId: string,
): Promise<void> {
  await call('chargeCustomer', { body: { Amount: 12, ProviderId: DEFAULT_PROVIDER_ID, CustomerId } });
  await call('chargePaymentMethod', { body: { Amount: 12, PaymentMethodId, Currency: 'AUD' } });
}

async function playBatches(call: PlayCall, method: string): Promise<void> {
  const Batch = `PaymentMethodId,Amount,Currency,Reference\n${method},12.00,AUD,may-1\n`;
  const batch = await call('createBatch', { body: { Count: 1, Description: 'May', Batch } });
  const id = batch['BatchId'] ?? '';
  await call('getBatchStatus', { id });
  await call('advanceClock', { body: { By: '1m' } });
  await call('getBatch', { id });
  await call('searchBatches', { query: '?Limit=1' });
}

async function playSubscriptions(call: PlayCall, PaymentMethodId: string): Promise<void> {
  const terms = { Amount: 20, Currency: 'AUD', Interval: 'Month' };
  const made = await call('createSubscription', { body: { PaymentMethodId, ...terms } });
  const id = made['SubscriptionId'] ?? '';
  await call('getSubscription', { id });
  await call('updateSubscription', { id, body: { ...terms, Amount: 25 } });
  await call('setSubscriptionStatus', { id, body: { Status: 'Suspended' } });
  await call('searchSubscriptions', { query: '?Limit=1' });
  await call('cancelSubscription', { id });
}

async function playLinks(call: PlayCall): Promise<void> {
  const body = { Title: 'Order 1', Amount: 20, Currency: 'AUD', ConfirmationMessage: 'Thank you.' };
  const link = await call('createPaymentLink', { body });
  const id = link['PaymentLinkId'] ?? '';
  await call('getPaymentLink', { id });
  await call('searchPaymentLinks', { query: '?Limit=1' });
  await call('payLink', { id, body: { PaymentInformation } });
  await call('payCheckout', { body: { Amount: 20, Currency: 'AUD', ProviderId: DEFAULT_PROVIDER_ID } });
}

async function playProviders(call: PlayCall): Promise<void> {
  const body = { Type: 'dummy', Name: 'primary', Environment: 'SANDBOX', Currency: 'AUD' };
  const made = await call('createProvider', { body });
  const id = made['ProviderId'] ?? '';
  await call('getProvider', { id });
  await call('updateProvider', { id, body: { Name: 'backup' } });
  await call('getInfo', { keep: 1 });
  await call('getInfoProviders');
  await call('getInfoProvider', { id });
  await call('getDefaultFallbackProvider');
  await call('getVersion');
  await call('removeProvider', { id });
  await playTransfers(call);
}

async function playTransfers(call: PlayCall): Promise<void> {
  const { ChargeId = '' } = await call('chargeCard', { body: chargeBody({ Amount: 100 }) });
  const Transfers = [{ Account: 'acct-1', Amount: 80, Currency: 'AUD', Reference: 'seller' }];
  const body = { GroupReference: 'order-1', ProviderId: DEFAULT_PROVIDER_ID, ChargeId, Transfers };
  await call('createTransfers', { body });
  const found = await call('searchTransfers', { query: '?Limit=1' });
  const [transfer] = found['Transfers'] as unknown as { TransferId: string }[];
  await call('getTransfer', { id: transfer?.TransferId ?? '' });
  await call('advanceClock', { body: { By: '3d' } });
  await call('getSettlements', { query: '?StartDate=2026-01-01', keep: 2 });
}

async function playWebhooks(call: PlayCall): Promise<void> {
  const body = { Types: ['Transaction'], Url: 'http://localhost:3000/hooks', Authorization: 'Bearer secret' };
  const made = await call('subscribe', { body });
  const id = made['WebhookSubscriptionId'] ?? '';
  await call('searchWebhookSubscriptions');
  await call('getWebhookSubscription', { id });
  await call('chargeCard', { body: chargeBody({ Reference: 'order-9' }) });
  await call('unsubscribe', { id });
}
