import { type Access, reasonOf, Refused, send } from './api.js';
import { eventsOf, type StreamEvent } from './stream.js';

/** How the stream of the world stands. */
export type LineState = 'connecting' | 'open' | 'lost' | 'refused';

/** Who hears what comes. */
export interface Listener {
  state(state: LineState, why: string | null): void;
  event(event: StreamEvent): void;
  refused(error: Refused): void;
}

/** How long nothing is tried after the line was lost, in milliseconds: longer each time, up to a bound. */
const WAITS_MS = [500, 1_000, 2_000, 5_000];

/** The stream of what happens in a world: opened again whenever it is lost, until it is closed. */
export class Line {
  readonly #end = new AbortController();

  constructor(
    private readonly access: Access,
    private readonly listener: Listener,
  ) {
    void this.#run();
  }

  close(): void {
    this.#end.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    for (let failures = 0; !signal.aborted; failures++) {
      const why = await this.#listen(() => (failures = 0));
      if (signal.aborted || why === null) return;
      this.listener.state('lost', why);
      await pause(WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0);
    }
  }

  /** Hears all until the line is lost, and says why it was; null: it was refused, and will be again. */
  async #listen(opened: () => void): Promise<string | null> {
    const { signal } = this.#end;
    try {
      const response = await send(this.access, 'GET', '/live', undefined, signal);
      opened();
      this.listener.state('open', null);
      for await (const event of eventsOf(response)) {
        if (signal.aborted) return null;
        this.listener.event(event);
      }
      return 'The server closed the line.';
    } catch (error) {
      if (signal.aborted) return null;
      // Too many readers, or a world that was reset meanwhile: worth another try.
      if (!(error instanceof Refused) || error.status >= 500) return reasonOf(error);
      this.listener.state('refused', error.message);
      this.listener.refused(error);
      return null;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
