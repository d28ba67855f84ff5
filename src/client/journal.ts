import type { JournalCountResponse } from '../control/journal/entry-schema.js';
import type { Delivery, DeliveryStatus, JournalEntry } from './answers.js';
import type { DeliveryMatch, EntryMatch, EntrySearch, WaitOptions } from './asked.js';
import { ControlCalls } from './call.js';
import { requireOptions, requireText } from './sendable.js';
import type { ClientAnswer } from './spelling.js';
import type { WebhookEvent } from './words.js';

/** The calls to a world, with their answers. */
export class WorldJournal extends ControlCalls {
  /**
   * The calls that match, oldest first. The journal holds the last 10,000, also those that a restored snapshot has undone.
   *
   * @example
   * const [first] = await world.journal.entries({ operation: 'charge.create', status: 400 });
   * const refused = await world.journal.entries({ search: 'insufficient' });
   */
  async entries(filter: EntrySearch = {}): Promise<readonly JournalEntry[]> {
    const listed = await this.listAll<JournalEntry>('/journal', 'Entries', filter);
    // A call that arrives between two pages shifts the second page, which then repeats an entry.
    return [...new Map(listed.map((entry) => [entry.entryId, entry])).values()].toReversed();
  }

  /**
   * How many calls match, without those that a restored snapshot has undone; with `undone: true`, how many of those. Rejects if the
   * journal has dropped older entries that might match, because a test could pass with a wrong number.
   */
  async count(match: EntryMatch = {}): Promise<number> {
    const { count, incomplete } = await this.call<ClientAnswer<JournalCountResponse>>(
      'POST',
      '/journal/count',
      {
        match,
      },
    );
    if (!incomplete) return count;
    throw new Error(
      `Failed to count the calls: the journal has dropped older entries. ${count} of the remaining ones match. Count only recent calls with since, or clear the journal earlier.`,
    );
  }

  /**
   * Waits until enough calls match, including earlier ones that were not undone. Rejects with code 94 after the time-out. The message
   * lists the closest calls and what differed.
   *
   * @example
   * await world.journal.await({ operation: 'charge.refund' }, { count: 2, timeout: '3s' });
   */
  async await(match: EntryMatch, options: WaitOptions = {}): Promise<readonly JournalEntry[]> {
    requireOptions(options, 'The second argument');
    const found = await this.call<FoundCalls>('POST', '/journal/await', { match, ...options });
    return found.entries;
  }

  /** Deletes all calls from the journal, and returns how many there were. Records are unchanged. */
  async clear(): Promise<number> {
    return (await this.call<{ readonly cleared: number }>('DELETE', '/journal')).cleared;
  }
}

/** The calls or deliveries that a wait found. */
interface FoundCalls {
  readonly entries: readonly JournalEntry[];
  readonly deliveries: readonly Delivery[];
}

/** The webhooks of a world, with the results of their delivery. */
export class WorldDeliveries extends ControlCalls {
  /** The deliveries, oldest first. */
  async list(filter: { readonly status?: DeliveryStatus } = {}): Promise<readonly Delivery[]> {
    return (await this.listAll<Delivery>('/webhooks', 'Deliveries', filter)).toReversed();
  }

  /** Sends a delivery again, and returns the new one. Rejects with status 404 if there is no delivery with that id. */
  async resend(deliveryId: string): Promise<Delivery> {
    const id = requireText(deliveryId, 'The identifier of the delivery');
    return this.call('POST', `/webhooks/${encodeURIComponent(id)}/resend`);
  }

  /**
   * Waits until enough webhooks of an event have arrived, including earlier ones. Rejects with code 94 after the time-out. The
   * message lists the closest webhooks and what differed.
   *
   * @example
   * const [delivery] = await world.deliveries.await('batch.status.changed', { timeout: '2s' });
   */
  async await(event: WebhookEvent, options: DeliveryMatch = {}): Promise<readonly Delivery[]> {
    const { count, timeout, ...match } = requireOptions(options, 'The second argument');
    const body = { match: { event, ...match }, count, timeout };
    return (await this.call<FoundCalls>('POST', '/journal/await', body)).deliveries;
  }
}
