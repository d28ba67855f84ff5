import type { Delivery } from './answers.js';
import type { DeliveryMatch, DeliveryStatus, WebhookEvent } from './asked.js';
import type { ControlCalls } from './call.js';

/** The webhooks of a world, and what became of them. */
export class WorldDeliveries {
  readonly #calls: ControlCalls;

  /** @internal */
  constructor(calls: ControlCalls) {
    this.#calls = calls;
  }

  /** The deliveries, the oldest first. */
  async list(filter: { readonly status?: DeliveryStatus } = {}): Promise<readonly Delivery[]> {
    return (await this.#calls.list<Delivery>('/webhooks', 'deliveries', filter)).toReversed();
  }

  /** Sends one again; gives back the new delivery. Rejects with status 404 where there is none of that id. */
  resend(deliveryId: string): Promise<Delivery> {
    return this.#calls.call('POST', `/webhooks/${encodeURIComponent(deliveryId)}/resend`);
  }

  /**
   * Waits until so many webhooks of an event arrived, those that did already among them. Rejects with code 94 after the time-out,
   * and says in what the nearest ones differ.
   *
   * @example
   * const [delivery] = await world.deliveries.await('batch.status.changed', { timeout: '2s' });
   */
  async await(event: WebhookEvent, asked: DeliveryMatch = {}): Promise<readonly Delivery[]> {
    const { count, timeout, ...match } = asked;
    const body = { match: { event, ...match }, count, timeout };
    return (await this.#calls.call<Found>('POST', '/journal/await', body)).deliveries;
  }
}

interface Found {
  readonly deliveries: readonly Delivery[];
}
