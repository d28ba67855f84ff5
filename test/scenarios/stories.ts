import { OUTCOMES } from '../../src/outcomes/outcomes.js';
import type { Call, Members, Story } from './player.js';

/** What a client does in each story of the library. */

const STEADY = '00000000000000000000000000000001';
const SECONDARY = '99999999999999999999999999999999';
const PRIMARY = '11111111111111111111111111111111';
const BACKUP = '22222222222222222222222222222222';
/** These come after an approval. */
const FOLLOW_UPS = new Set(['unable_to_capture', 'unable_to_void', 'unable_to_refund']);
const VISA = { CardNumber: '4111111111111111', ExpiryDate: '10/30' };

const charge = (Reference: string, more: Members = {}): Members => ({
  Amount: '15.50',
  ProviderId: STEADY,
  Reference,
  PaymentInformation: VISA,
  ...more,
});

const card = (call: Call, reference: string, more: Members = {}): Promise<Members> =>
  call('POST /charge/card', charge(reference, more));

const authorise = (call: Call, reference: string): Promise<Members> =>
  card(call, reference, { Capture: false });

async function advance(call: Call, By: string): Promise<void> {
  const { Now } = await call('POST /_sandbox/clock/advance', { By });
  if (Now === undefined) throw new Error(`Failed to advance the clock by ${By}`);
}

const idOf = (members: Members, name = 'ChargeId'): string => String(members[name]);

/** Charges order-1 to order-n. */
async function orders(call: Call, count: number): Promise<void> {
  for (let i = 1; i <= count; i++) await card(call, `order-${i}`);
}

/** Stores a card and sends a batch that charges it so many times. */
async function sendBatch(call: Call, count: number): Promise<string> {
  const method = await call('POST /payment_method/card', { ProviderId: STEADY, PaymentInformation: VISA });
  const rows = Array.from(
    { length: count },
    (_, i) => `${idOf(method, 'PaymentMethodId')},10.00,AUD,row-${i + 1}`,
  );
  const Batch = ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n');
  const body = { Count: count, Description: 'subscriptions', Batch };
  return idOf(await call('POST /batch/transaction/payment_method', body), 'BatchId');
}

export const STORIES: Readonly<Record<string, Story>> = {
  'happy-path': async (call) => {
    await card(call, 'order-1');
    const id = idOf(await authorise(call, 'order-2'));
    await call(`POST /charge/${id}`, { Amount: '12.00' });
    await call(`DELETE /refund/${id}?Amount=2`);
    const batch = await sendBatch(call, 2);
    await advance(call, '1m');
    await call(`GET /batch/${batch}`);
    await call('GET /charge?Reference=order-2');
  },

  'shop-with-customers': async (call) => {
    const [ada, grace] = ['c0000000000000000000000000000001', 'c0000000000000000000000000000002'];
    const vaultId = 'e0000000000000000000000000000001';
    await call(`GET /customer/${ada}`);
    await call(`GET /charge?CustomerId=${ada}`);
    for (const Reference of ['order-3', 'order-4']) {
      const body = { Amount: '20.00', ProviderId: STEADY, CustomerId: ada, Reference };
      await call('POST /charge/customer', body);
    }
    await call('POST /charge/customer', { Amount: '20.00', ProviderId: STEADY, CustomerId: grace });
    await call('POST /charge/d0000000000000000000000000000002', { Amount: '100.00' });
    await call('GET /customer?Limit=3');
    await advance(call, '59m');
    await call(`GET /vault/${vaultId}`);
    await advance(call, '1m');
    await call(`GET /vault/${vaultId}`);
    await call('POST /_sandbox/reset', {});
    await call('GET /charge?SortBy=Date');
  },

  'every-decline': async (call) => {
    for (const [name, { code }] of OUTCOMES) {
      if (code !== null && !FOLLOW_UPS.has(name)) await card(call, name);
    }
    const captured = idOf(await authorise(call, 'unable_to_capture-1'));
    await call(`POST /charge/${captured}`, { Amount: '15.50' });
    const voided = idOf(await authorise(call, 'unable_to_void-1'));
    await call(`DELETE /charge/${voided}/void`);
    const refunded = idOf(await card(call, 'unable_to_refund-1'));
    await call(`DELETE /refund/${refunded}`);
    await card(call, 'any other');
  },

  'primary-down-for-an-hour': async (call) => {
    await card(call, 'before');
    await advance(call, '1h');
    const failed = idOf(await card(call, 'during'));
    await call(`GET /charge/${failed}`);
    await card(call, 'failed-over', { ProviderId: SECONDARY });
    await advance(call, '3599s');
    await card(call, 'still-down');
    await advance(call, '1s');
    await card(call, 'back');
  },

  'primary-and-backup': async (call) => {
    for (let i = 1; i <= 8; i++) await card(call, `order-${i}`, { ProviderId: PRIMARY });
    await card(call, 'order-4', { ProviderId: BACKUP });
    await card(call, 'hold', { ProviderId: BACKUP, Capture: false });
    await call('POST /charge/card/least_cost', {
      Amount: '15.50',
      Reference: 'cheapest',
      PaymentInformation: VISA,
    });
    await advance(call, '1h');
    await card(call, 'during', { ProviderId: PRIMARY });
    await card(call, 'during', { ProviderId: BACKUP });
    await advance(call, '1h');
    await card(call, 'after', { ProviderId: PRIMARY });
  },

  'provider-outage-with-fallback': async (call) => {
    await card(call, 'before', { ProviderId: PRIMARY });
    const declined = { CardNumber: '4000000000009995', ExpiryDate: '10/30' };
    await card(call, 'no-funds', { ProviderId: PRIMARY, PaymentInformation: declined });
    await advance(call, '1h');
    const elsewhere = idOf(await card(call, 'during', { ProviderId: PRIMARY }));
    await call(`GET /charge?Reference=during&ProviderId=${PRIMARY}`);
    await call('GET /charge?Reference=during');
    await call(`DELETE /refund/${elsewhere}?Amount=5`);
    await call(`DELETE /refund/${elsewhere}`);
    await advance(call, '1h');
    await card(call, 'after', { ProviderId: PRIMARY });
  },

  'flaky-provider': (call) => orders(call, 10),

  'client-library-suites': async (call) => {
    const token = 'f0000000000000000000000000000001';
    await call(`GET /token/${token}`);
    await call('POST /charge/token', { amount: '15.50', currency: 'aud', token });
    await call('POST /charge/token', { amount: '15.50', token });
    await call('POST /charge/token', { amount: '15.50', token: 'tok_approve', reference: 'order-1' });
    await call('GET /charge?Reference=order-1&AddedAfter=Thu+Jan+01+10:59:59+AEDT+2026');
  },

  'slow-gateway': (call) => orders(call, 8),

  'lost-answer': async (call) => {
    await card(call, 'order-1');
    await call('GET /charge?Reference=order-1');
    await card(call, 'order-2');
    await call('GET /charge?Reference=order-2');
    await card(call, 'order-2');
  },

  'double-submit': async (call) => {
    const [, second] = await Promise.all([card(call, 'order-1'), card(call, 'order-1')]);
    await call('GET /charge?Reference=order-1');
    await call(`DELETE /refund/${idOf(second)}`);
  },

  'capture-races-void': async (call) => {
    const id = idOf(await authorise(call, 'order-1'));
    await Promise.all([call(`POST /charge/${id}`, { Amount: '15.50' }), call(`DELETE /charge/${id}/void`)]);
    await call(`GET /charge/${id}`);
  },

  'authorisation-expires': async (call) => {
    const id = idOf(await authorise(call, 'order-1'));
    await advance(call, '6d');
    await call(`GET /charge/${id}`);
    await advance(call, '1d');
    await call(`GET /charge/${id}`);
    await call(`POST /charge/${id}`, { Amount: '15.50' });
  },

  'vault-entry-expires': async (call) => {
    const id = idOf(
      await call('POST /vault', { CardNumber: '4111111111111111', ExpireSeconds: 3600 }),
      'VaultId',
    );
    const fromVault = { ProviderId: STEADY, VaultId: id, ExpiryDate: '10/30' };
    const method = idOf(await call('POST /payment_method/vault', fromVault), 'PaymentMethodId');
    await advance(call, '3599s');
    await call(`GET /vault/${id}`);
    await advance(call, '1s');
    await call(`GET /vault/${id}`);
    await call('POST /payment_method/vault', fromVault);
    await call('POST /charge/payment_method', { Amount: '10.00', Currency: 'AUD', PaymentMethodId: method });
  },

  'ccv-already-used': async (call) => {
    const customer = await call('POST /customer/card', {
      ProviderId: STEADY,
      Reference: 'customer-1',
      VaultCard: true,
      PaymentInformation: { ...VISA, Ccv: '123' },
    });
    const body = { Amount: '10.00', ProviderId: STEADY, CustomerId: idOf(customer, 'CustomerId') };
    await call('POST /charge/customer', { ...body, Reference: 'first' });
    await call('POST /charge/customer', { ...body, Reference: 'second' });
  },

  'batch-every-tenth-fails': async (call) => {
    const id = await sendBatch(call, 20);
    await advance(call, '10s');
    await call(`GET /batch/${id}`);
  },

  'batch-breaks-at-60-percent': async (call) => {
    const id = await sendBatch(call, 10);
    await advance(call, '10s');
    await call(`GET /batch/${id}`);
    await call('GET /charge?Reference=row-6');
    await call('GET /charge?Reference=row-7');
  },

  'batch-stuck': async (call) => {
    const id = await sendBatch(call, 10);
    await advance(call, '10s');
    await call(`GET /batch/${id}/status`);
    await advance(call, '7d');
    await call(`GET /batch/${id}/status`);
  },

  'rate-limited': async (call) => {
    await orders(call, 6);
    await call('GET /charge?Reference=order-6');
    await advance(call, '1s');
    await card(call, 'order-6');
  },

  'refund-refused': async (call) => {
    const final = idOf(await card(call, 'final-sale-1'));
    await call(`DELETE /refund/${final}`);
    await call(`GET /charge/${final}`);
    const other = idOf(await card(call, 'order-1'));
    await call(`DELETE /refund/${other}`);
    await call(`DELETE /refund/${other}`);
  },

  'three-d-secure-above-100': async (call) => {
    const body = { ProviderId: STEADY, PaymentInformation: VISA };
    const Token = idOf(await call('POST /_sandbox/tokens', body), 'TokenId');
    await call('POST /charge/token', { Amount: '250.00', Token, Reference: 'order-1' });
    await call(`POST /3ds/preauth/token/${Token}`, {});
    const notificationURL = 'https://shop.test/3ds';
    const { acsURL } = await call(`POST /3ds/auth/token/${Token}`, { notificationURL });
    const Ref = String(acsURL).slice(-32);
    await call('POST /_sandbox/simulate', { Action: 'challenge.approve', Ref });
    await call('POST /3ds/postauth', { threeDSServerTransID: Ref });
    await call('POST /charge/token', { Amount: '250.00', Token, Reference: 'order-1' });
    await card(call, 'order-2');
  },

  'planned-maintenance': async (call) => {
    await card(call, 'before');
    await advance(call, '30m');
    await card(call, 'during');
    await call('GET /charge?Reference=before');
    await advance(call, '15m');
    await card(call, 'during');
  },

  'webhook-first': async (call) => {
    const Webhook = { Url: 'https://shop.test/hook' };
    await card(call, 'order-1', { Webhook });
    const id = idOf(await card(call, 'order-2', { Webhook, Capture: false }));
    await call(`POST /charge/${id}`, { Amount: '15.50' });
    await card(call, 'order-3', { Webhook, PaymentInformation: { ...VISA, CardNumber: '4000000000000002' } });
    await call(`DELETE /refund/${id}`);
  },

  'webhook-trouble': async (call) => {
    const Webhook = { Url: 'https://shop.test/hook' };
    for (let i = 1; i <= 8; i++) {
      await card(call, `order-${i}`, { Webhook });
      await call('POST /_sandbox/settle');
    }
    await advance(call, '10m');
    // What was lost, the shop asks for.
    await call('GET /charge?Reference=order-4');
  },

  'garbled-answers': async (call) => {
    await orders(call, 5);
    await call('GET /charge?Reference=order-1');
    await call('GET /charge?Reference=order-3');
  },
};
