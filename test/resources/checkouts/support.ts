import type { InnerSandboxOptions } from '../../../src/app/sandbox.js';
import { STEADY } from '../../support/bodies.js';
import { type Client, client, good } from '../../support/sandbox.js';
import { events, HOOK, settle, setup as withReceiver } from '../../webhooks/support.js';

export const BACK = 'https://shop.example/back?order=7';
export const BEGIN = { Amount: '15.50', ProviderId: STEADY, ProviderType: 'paypal', RedirectUrl: BACK };

/** A begun check-out, as its answers name it. */
export interface Begun {
  readonly id: string;
  readonly externalId: string;
  readonly url: string;
}

const readBegun = (checkout: unknown): Begun => {
  const { CheckoutId, ExternalId, Url } = checkout as Readonly<Record<string, string>>;
  return { id: CheckoutId ?? '', externalId: ExternalId ?? '', url: Url ?? '' };
};

/** Begins a check-out without a charge. */
export const begin = async (api: Client, more: object = {}): Promise<Begun> =>
  readBegun((await good(api.post('/checkout', { ...BEGIN, ...more }))).body);

/** Begins a check-out with a charge that waits for its payer. */
export async function beginCharged(api: Client, more: object = {}, headers = {}) {
  const { body } = await good(api.post('/charge/checkout', { ...BEGIN, ...more }, headers));
  return { ...readBegun(body['Checkout'] ?? {}), charge: String(body['ChargeId'] ?? body['chargeId']), body };
}

export type Ending = 'approve' | 'decline' | 'expire';

export const end = (api: Client, how: Ending, Ref: string) =>
  api.post('/_sandbox/simulate', { Action: `checkout.${how}`, Ref });

/** A shop whose webhooks a receiver gets. */
export function setup(options: InnerSandboxOptions = {}) {
  const { sandbox, api, receiver } = withReceiver(options);
  const told = async (): Promise<readonly unknown[]> => {
    await settle(api);
    return events(receiver);
  };
  return {
    sandbox,
    api,
    receiver,
    told,
    keyless: client(sandbox, null),
    world: sandbox.worlds.open('sk_test_a'),
  };
}

export const changed = (...statuses: readonly string[]) =>
  statuses.map((status) => `transaction.status.changed ${status}`);

export const TOLD = { Webhook: { Url: HOOK } };
