import { type Access, reasonOf, Refused, send } from './api.js';

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

/** An event of a stream: its name and its data. */
export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

/** The events of an answer, as they come; comments are left out. It ends with the answer, and throws where that breaks off. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

function eventOf(block: string): StreamEvent | null {
  const members = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const name = members.get('event');
  return name === undefined ? null : { name, data: JSON.parse(members.get('data') ?? 'null') as unknown };
}
