import type { JournalCountResponse } from '../control/journal/schema.js';
import type { Delivery, DeliveryStatus, JournalEntry } from './answers.js';
import type { DeliveryMatch, EntryFilter, EntryMatch, Patience, WebhookEvent } from './asked.js';
import { ControlCalls } from './call.js';
import type { Answer } from './spelling.js';

/** What a program sent to a world, and what it was answered. */
export class WorldJournal extends ControlCalls {
  /**
   * The calls that fit, in the order in which they came; of the last 1,000.
   *
   * @example
   * const [first] = await world.journal.entries({ operation: 'charge.create', status: 400 });
   */
  async entries(filter: EntryFilter = {}): Promise<readonly JournalEntry[]> {
    const listed = await this.listAll<JournalEntry>('/journal', 'Entries', filter);
    // A call that came between two pages shifts the second one.
    return [...new Map(listed.map((entry) => [entry.entryId, entry])).values()].toReversed();
  }

  /**
   * How many calls fit. Rejects where older entries, which are gone, could have fitted: a wrong number would let a test pass
   * that tests nothing.
   */
  async count(match: EntryMatch = {}): Promise<number> {
    const { count, incomplete } = await this.call<Answer<JournalCountResponse>>('POST', '/journal/count', {
      match,
    });
    if (!incomplete) return count;
    throw new Error(
      `Failed to count the calls: older entries of the journal are gone, and ${count} of those that are left fit. Narrow it down with since, or clear the journal in time.`,
    );
  }

  /**
   * Waits until enough calls match, including earlier ones. Rejects with code 94 after the time-out; the message shows how
   * the nearest calls differ.
   *
   * @example
   * await world.journal.await({ operation: 'charge.refund' }, { count: 2, timeout: '3s' });
   */
  async await(match: EntryMatch, patience: Patience = {}): Promise<readonly JournalEntry[]> {
    const found = await this.call<Found>('POST', '/journal/await', { match, ...patience });
    return found.entries;
  }

  /** Forgets all calls, and nothing else; gives back how many there were. */
  async clear(): Promise<number> {
    return (await this.call<{ readonly cleared: number }>('DELETE', '/journal')).cleared;
  }
}

/** What a wait ended with: calls, or deliveries. */
interface Found {
  readonly entries: readonly JournalEntry[];
  readonly deliveries: readonly Delivery[];
}

/** The webhooks of a world, and what became of them. */
export class WorldDeliveries extends ControlCalls {
  /** The deliveries, the oldest first. */
  async list(filter: { readonly status?: DeliveryStatus } = {}): Promise<readonly Delivery[]> {
    return (await this.listAll<Delivery>('/webhooks', 'Deliveries', filter)).toReversed();
  }

  /** Sends a delivery again, and returns the new one. Rejects with status 404 if there is no delivery with that id. */
  resend(deliveryId: string): Promise<Delivery> {
    return this.call('POST', `/webhooks/${encodeURIComponent(deliveryId)}/resend`);
  }

  /**
   * Waits until enough webhooks of an event have arrived, including earlier ones. Rejects with code 94 after the time-out; the
   * message shows how the nearest ones differ.
   *
   * @example
   * const [delivery] = await world.deliveries.await('batch.status.changed', { timeout: '2s' });
   */
  async await(event: WebhookEvent, asked: DeliveryMatch = {}): Promise<readonly Delivery[]> {
    const { count, timeout, ...match } = asked;
    const body = { match: { event, ...match }, count, timeout };
    return (await this.call<Found>('POST', '/journal/await', body)).deliveries;
  }
}
