import type { ChargeHistory } from '../../../src/pages/dashboard/text/charge.js';
import { findCallToExplain } from '../../../src/pages/dashboard/text/charge.js';
import type { FullCall, RecordDetail } from '../../../src/pages/dashboard/state/wire.js';
import type { DecisionContext } from '../../../src/pages/dashboard/text/why.js';
import type { Client } from '../../support/sandbox.js';
import { cardOf, STEADY, storing, textIn } from '../../support/stored.js';
import { setup, type Setup } from '../../webhooks/support.js';

/** What the page of a charge is given. */
export interface Look extends ChargeHistory {
  readonly jobs: readonly { readonly At: string; readonly Kind: string; readonly Ref: string }[];
  readonly known: DecisionContext;
  readonly explained: FullCall | null;
}

const readAs = async <T>(api: Client, path: string): Promise<T> => (await api.read(path)) as T;

/** A charge as the page sees it, from a world's own answers. */
export async function lookAt(api: Client, id: string): Promise<Look> {
  const { Record, Timeline, Decisions } = await readAs<RecordDetail & { Decisions: Look['decisions'] }>(
    api,
    `/_sandbox/records/charges/${id}`,
  );
  const { Clock } = await readAs<{ Clock: { Now: string } }>(api, '/_sandbox/world');
  const { Jobs } = await readAs<{ Jobs: Look['jobs'] }>(api, '/_sandbox/jobs');
  const entry = findCallToExplain(Timeline);
  return {
    record: Record,
    timeline: Timeline,
    decisions: Decisions,
    now: Date.parse(Clock.Now),
    jobs: Jobs,
    known: await knownOf(api),
    explained: entry === null ? null : await callOf(api, entry),
  };
}

export async function knownOf(api: Client): Promise<DecisionContext> {
  return {
    triggers: await readAs<DecisionContext['triggers']>(api, '/_sandbox/triggers'),
    scenario: await readAs<DecisionContext['scenario']>(api, '/_sandbox/scenario'),
  };
}

export const callOf = (api: Client, entry: number): Promise<FullCall> =>
  readAs<FullCall>(api, `/_sandbox/journal/${entry}`);

export const HOOKS = 'http://127.0.0.1:9999/hooks/pay';

export const THIRD_CAPTURE = {
  name: 'flaky-captures',
  rules: [
    {
      name: 'every third',
      when: { operation: 'charge.capture', every: 3 },
      then: { outcome: 'provider_unavailable' },
    },
  ],
};

/** A hotel that does not hear of its charge, in a world in process. */
export async function hotel(): Promise<Setup & { readonly id: string }> {
  const world = setup();
  world.receiver.answer = () => ({ status: 503, body: 'down for repair' });
  return { ...world, id: await checkIn(world.api) };
}

/** A hotel authorises AUD 240.00; the capture is declined by a rule three minutes later. Returns the identifier of the charge. */
export async function checkIn(api: Client, hooks = HOOKS): Promise<string> {
  await api.play(THIRD_CAPTURE);
  for (const Reference of ['order-1', 'order-2']) {
    const made = await api.charge(storing({ Amount: 20, Capture: false, Reference }));
    await api.post(`/charge/${textIn(made, 'ChargeId')}`, { Amount: 20 });
  }
  const customer = await api.post('/customer/card', {
    ProviderId: STEADY,
    FirstName: 'Ada',
    LastName: 'Byron',
    PaymentInformation: cardOf('4242424242424242'),
  });
  await api.advance('691m');
  const made = await api.post('/charge/customer', {
    CustomerId: textIn(customer, 'CustomerId'),
    ProviderId: STEADY,
    Amount: 240,
    Capture: false,
    Reference: 'hotel-77',
    Webhook: { Url: hooks },
  });
  const id = textIn(made, 'ChargeId');
  await api.advance('3m');
  await api.post(`/charge/${id}`, { Amount: 200 });
  await api.advance('5s');
  return id;
}
