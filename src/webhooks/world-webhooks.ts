import type { Webhook } from '../core/field.js';
import type { EventType, WebhookSubscriptionTable } from '../webhook-subscriptions/record.js';
import type { Dispatch } from './dispatch.js';
import type { Outbox } from './outbox.js';

/** What tells the receivers of a world: what there is to tell, and what of it is under way. */
export interface Webhooks {
  readonly outbox: Outbox;
  readonly dispatch: Dispatch;
}

/** Makes the webhooks of a world, which knows no presenter itself. */
export type MakeWebhooks<W> = (world: W) => Webhooks;

const NOTHING: readonly string[] = [];

/** The webhooks of one world, made at the first need: most worlds have none. */
export class WorldWebhooks<W extends { readonly webhookSubscriptions: WebhookSubscriptionTable }> {
  #made: Webhooks | null = null;

  constructor(
    private readonly world: W,
    private readonly make: MakeWebhooks<W>,
  ) {}

  get outbox(): Outbox {
    return this.#all.outbox;
  }

  get dispatch(): Dispatch {
    return this.#all.dispatch;
  }

  get #all(): Webhooks {
    return (this.#made ??= this.make(this.world));
  }

  /** Tells of something that happened to a record: its own webhook, and the subscriptions to its topic. */
  tell(type: EventType, id: string, webhook: Webhook | null): void {
    if (webhook === null && this.world.webhookSubscriptions.live === 0) return;
    this.outbox.emit(type, id, webhook);
  }

  /** The deliveries that the work at hand caused, for who answers for them. */
  takeCaused(): readonly string[] {
    return this.#made?.outbox.takeCaused() ?? NOTHING;
  }

  /** How many attempts have begun and not ended. */
  get underWay(): number {
    return this.#made?.dispatch.busy ?? 0;
  }

  /** How many attempts have ended. */
  get ended(): number {
    return this.#made?.dispatch.ended ?? 0;
  }

  /** Gives the attempts under way no more time than an advance has for them. */
  hurry(): void {
    this.#made?.dispatch.hurry();
  }

  /** Resolves when no attempt is under way any more, or when the world ends. */
  async drained(): Promise<void> {
    while (this.underWay > 0) await this.#made?.dispatch.change();
  }

  close(): void {
    this.#made?.dispatch.close();
  }
}
