import { type Access, explainFailure, ControlError, sendControlCall } from './api.js';

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface LiveListener {
  state(state: ConnectionState, why: string | null): void;
  event(event: StreamEvent): void;
  refused(error: ControlError): void;
}

/** How long to wait before each reconnect, in milliseconds; the last value repeats. */
const WAITS_MS = [500, 1_000, 2_000, 5_000];

/** How long a stream may take to begin, in milliseconds. Something before the server may hold it back until it ends. */
const BEGIN_MS = 10_000;
/** How often to ask for the last events where no stream begins, in milliseconds. */
const POLL_MS = 2_000;
/** Why a stream ends that nobody sees. On Cloudflare an open one costs money. */
const HIDDEN = 'The page is hidden.';
const LATE = 'Nothing came in time.';

/** The live events of a world. */
export class LiveEvents {
  readonly #end = new AbortController();
  /** Whether events arrive only with the end of their answer. */
  #isHeldBack = false;

  constructor(
    private readonly access: Access,
    private readonly listener: LiveListener,
  ) {
    void this.#run();
  }

  close(): void {
    this.#end.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    for (let failures = 0; !signal.aborted; failures++) {
      if (document.hidden) await untilShown();
      const why = await this.#listen(() => (failures = 0));
      if (why === HIDDEN) continue;
      if (signal.aborted || why === null) return;
      if (why !== '') this.listener.state('lost', why);
      await waitMs(why === '' ? POLL_MS : (WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0));
    }
  }

  /** Reads events until the connection is lost, and returns why; empty after a poll, null if reconnecting would not help. */
  async #listen(opened: () => void): Promise<string | null> {
    const isPoll = this.#isHeldBack;
    const reading = new AbortController();
    const { signal } = reading;
    const timer = setTimeout(() => reading.abort(LATE), BEGIN_MS);
    this.#end.signal.addEventListener('abort', () => reading.abort(null), { signal });
    document.addEventListener('visibilitychange', () => reading.abort(HIDDEN), { signal });
    try {
      const response = await sendControlCall(
        this.access,
        'GET',
        isPoll ? '/live?Once=true' : '/live',
        undefined,
        signal,
      );
      opened();
      let hasBegun = false;
      for await (const event of readEvents(response)) {
        if (signal.aborted) return this.#whyEnded(signal, isPoll);
        clearTimeout(timer);
        if (!hasBegun) this.listener.state('open', null);
        hasBegun = true;
        this.listener.event(event);
      }
      return isPoll ? '' : 'The server closed the connection.';
    } catch (error) {
      if (signal.aborted) return this.#whyEnded(signal, isPoll);
      // Another try may succeed: the world may have too many readers, or was just reset.
      if (!(error instanceof ControlError) || error.status >= 500) return explainFailure(error);
      this.listener.state('refused', error.message);
      this.listener.refused(error);
      return null;
    } finally {
      clearTimeout(timer);
      reading.abort();
    }
  }

  #whyEnded({ reason }: AbortSignal, isPoll: boolean): string | null {
    if (reason !== LATE) return reason as string | null;
    this.#isHeldBack = true;
    return isPoll ? LATE : '';
  }
}

function untilShown(): Promise<void> {
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** An event of the stream. Its data are parsed when they are read: of 500 calls a second, a view shows few or none. */
export class StreamEvent {
  #data: unknown;

  constructor(
    readonly name: string,
    private readonly text: string,
  ) {}

  get data(): unknown {
    return (this.#data ??= JSON.parse(this.text));
  }
}

/** The events of a response, without comments. Ends with the response, and throws if that breaks off. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent, void> {
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
      const event = parseEvent(block);
      if (event !== null) yield event;
    }
  }
}

function parseEvent(block: string): StreamEvent | null {
  const [, name] = /^event: (.*)$/m.exec(block) ?? [];
  return name === undefined ? null : new StreamEvent(name, /^data: (.*)$/m.exec(block)?.[1] ?? 'null');
}
