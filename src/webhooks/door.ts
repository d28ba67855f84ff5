import type { Webhook } from '../charges/record.js';
import type { EventType, WebhookSubscriptionTable } from '../webhook-subscriptions/record.js';
import type { Dispatch } from './dispatch.js';
import type { Outbox } from './outbox.js';

/** What tells the receivers of a world: what there is to tell, and what of it is under way. */
export interface Webhooks {
  readonly outbox: Outbox;
  readonly dispatch: Dispatch;
}

/** What tells receivers is loaded when the first one is named, so that no start pays for it. */
export class WebhookDoor<W> {
  #make: ((world: W) => Webhooks) | null = null;

  constructor(private readonly load: () => Promise<(world: W) => Webhooks>) {}

  /** For a world of its own; null as long as the door was never opened. */
  of(world: W): Webhooks | null {
    return this.#make?.(world) ?? null;
  }

  async open(): Promise<void> {
    this.#make ??= await this.load();
  }
}

const NOTHING: readonly string[] = [];

/** The webhooks of one world. Most worlds have none, and pay nothing for those that do. */
export class WorldWebhooks<W extends { readonly webhookSubscriptions: WebhookSubscriptionTable }> {
  #made: Webhooks | null = null;

  constructor(
    private readonly world: W,
    private readonly door: WebhookDoor<W>,
  ) {}

  /** Null as long as no receiver was named in this sandbox. */
  get made(): Webhooks | null {
    return (this.#made ??= this.door.of(this.world));
  }

  /** Resolves when receivers can be told: whoever names one waits for this first. */
  open(): Promise<void> {
    return this.door.open();
  }

  /** Tells of something that happened to a record: its own webhook, and the subscriptions to its topic. */
  tell(type: EventType, id: string, webhook: Webhook | null): void {
    if (webhook === null && this.world.webhookSubscriptions.live === 0) return;
    const { made } = this;
    if (made === null) throw new Error('A receiver was named before the door to webhooks was opened');
    made.outbox.emit(type, id, webhook);
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
