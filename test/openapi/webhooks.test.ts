import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { TOPIC_OF_EVENT, TOPICS } from '../../src/records/webhook-subscription.js';
import { bankCharge, storedAgreement } from '../support/instruments.js';
import { good } from '../support/sandbox.js';
import { cardOf, NO_FUNDS, storing, textIn } from '../support/stored.js';
import { charge, HOOK, sendBatch, settle, setup, subscribe } from '../webhooks/support.js';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Content {
  readonly schema: Schema;
  readonly example: { readonly meta: { readonly eventType: string } };
}

interface Document {
  readonly webhooks: Readonly<
    Record<
      string,
      { readonly post: { readonly requestBody: { readonly content: { 'application/json': Content } } } }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as Document;

const contentOf = (event: string): Content | undefined =>
  document.webhooks[event]?.post.requestBody.content['application/json'];

/** A schema without references, whose objects have no field beyond those that it names. */
function exactly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(exactly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as Schema;
  if ($ref !== undefined) return exactly(document.components.schemas[$ref.split('/').at(-1) ?? '']);
  const inner = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, exactly(one)]));
  return rest.properties === undefined ? inner : { ...inner, additionalProperties: false };
}

/** What a message of an event has otherwise than described; empty: nothing. */
function faults(event: string, message: unknown): unknown[] {
  const schema = exactly(contentOf(event)?.schema) as Parameters<typeof z.fromJSONSchema>[0];
  return z.fromJSONSchema(schema).safeParse(message).error?.issues ?? [];
}

describe('the webhooks of the description', () => {
  test('are the events that receivers are sent', () => {
    expect(Object.keys(document.webhooks).toSorted()).toEqual(Object.keys(TOPIC_OF_EVENT).toSorted());
  });

  test.each(Object.keys(TOPIC_OF_EVENT))('%s has an example that is as it is described', (event) => {
    const example = contentOf(event)?.example;
    expect(example?.meta.eventType).toBe(event);
    expect(faults(event, example)).toEqual([]);
  });

  test.each(['documented', 'sdk'] as const)('describe what is sent in the dialect %s', async (dialect) => {
    const { api, receiver } = setup({ dialect: 'documented' });
    const asked = { 'x-sandbox-dialect': dialect };
    await subscribe(api, ...TOPICS);
    await api.charge(charge({ Metadata: { Order_Id: '1' }, Capture: false }), asked);
    await api.charge(charge({ PaymentInformation: cardOf(NO_FUNDS) }), asked);
    const paid = textIn(await good(api.charge(charge({ Reference: 'a' }))), 'ChargeId');
    await good(api.del(`/refund/${paid}?Amount=4&Comment=broken`));
    await good(api.post('/charge/bank_account', bankCharge({ Webhook: { Url: HOOK } })));
    const stored = await api.post('/customer/card', {
      ...storing({ VaultCard: true }),
      Email: 'jo@example.com',
      Address: { City: 'Sydney' },
    });
    const customer = textIn(stored, 'CustomerId');
    await good(api.put(`/customer/${customer}`, { FirstName: 'Jo' }));
    const PaymentMethodId = textIn(stored, 'DefaultPaymentMethod', 'PaymentMethodId');
    await good(api.post('/charge/payment_method', { Amount: 5, Currency: 'AUD', PaymentMethodId }));
    const terms = { PaymentMethodId, Amount: 5, Currency: 'AUD', Interval: 'Month', EndAfter: { Count: 1 } };
    await good(api.post('/subscription/payment_method', terms));
    await good(api.put(`/payment_method/${PaymentMethodId}`, { Card: { Cardholder: 'Jo' } }));
    await storedAgreement(api);
    await sendBatch(api, 2);
    await api.advance('10d');
    await good(api.del(`/customer/${customer}`));
    await settle(api);
    const events = receiver.got.map(({ message }) => message.meta.eventType);
    expect(new Set(events)).toEqual(new Set(Object.keys(TOPIC_OF_EVENT)));
    for (const { message } of receiver.got) {
      expect(faults(message.meta.eventType, message), JSON.stringify(message)).toEqual([]);
    }
  });
});
