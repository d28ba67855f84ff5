import type { InnerSandbox } from '../../src/app/sandbox.js';
import type { DialectSetting } from '../../src/core/dialect/dialect.js';
import { ApiError, CODE } from '../../src/core/errors.js';
import { ConnectionLost } from '../../src/http/answers/respond.js';
import { HOST } from './host.js';
import { lostAnswer } from './lost.js';

/** How long a call may take, so that one that hangs ends with an error that says so. */
const ANSWER_MS_MAX = 60_000;
const LATE =
  'This call has taken longer than a minute, the maximum on Cloudflare. It goes on while its object stays in memory, and its progress is saved: GET /_sandbox/clock and GET /_sandbox/journal show it. To get an answer, advance the clock in smaller steps.';
/** How often a call that takes long saves what it has done. */
const SAVE_EVERY_MS = 10_000;
/** How long a live stream lasts. Its reader then opens another one. */
const LIVE_MS_MAX = 600_000;

/** A call, with the one timer that it may leave: an object has at most 10,000, and stays in memory as long as it has one. */
export class CallUnderWay {
  readonly #limit = new AbortController();

  constructor(
    private readonly sandbox: InnerSandbox,
    private readonly request: Request,
    private readonly save: () => Promise<void>,
  ) {}

  /** The answer, or what stands for it if it is lost or takes too long. The setting is that of the world. */
  async answer(dialect: DialectSetting | undefined): Promise<Response> {
    const { request } = this;
    try {
      const response = await this.#inTime();
      const fault = response.headers.get('x-sandbox-fault');
      if (fault === 'truncate') {
        // The platform would end it as if it were whole.
        await response.body?.cancel();
        return lostAnswer(request, fault, dialect);
      }
      const isLive = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      return isLive || fault === 'dribble'
        ? this.#limited(response, isLive ? LIVE_MS_MAX : ANSWER_MS_MAX)
        : response;
    } catch (error) {
      if (error instanceof ConnectionLost) {
        return lostAnswer(request, this.#limit.signal.aborted ? 'hang' : error.how, dialect);
      }
      throw error;
    }
  }

  async #inTime(): Promise<Response> {
    const { sandbox, request, save } = this;
    const { signal } = this.#limit;
    const answered = Promise.resolve(sandbox.app.fetch(new Request(request, { signal }), {}));
    let timer: ReturnType<typeof setInterval> | undefined;
    const late = new Promise<never>((_, reject) => {
      let ms = 0;
      timer = setInterval(() => {
        ms += SAVE_EVERY_MS;
        void save().catch(HOST.reportBug);
        // What waits on purpose ends now. Anything else goes on, and has had its time at the next turn.
        if (signal.aborted) reject(new ApiError({ code: CODE.Timeout, detail: LATE, retryable: false }));
        if (ms >= ANSWER_MS_MAX) this.#limit.abort();
      }, SAVE_EVERY_MS);
    });
    const end = (): void => clearInterval(timer);
    // After the answer to a call that took too long, the timer saves what it still does.
    void answered
      .then(end, end)
      .then(() => (signal.aborted ? save() : undefined))
      .catch(HOST.reportBug);
    return Promise.race([answered, late]);
  }

  /** An answer whose body ends after a time. */
  #limited(response: Response, ms: number): Response {
    const timer = setTimeout(() => this.#limit.abort(), ms);
    const end = (): void => clearTimeout(timer);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    // Also if its reader leaves, or the stream breaks off.
    void response.body?.pipeTo(writable).then(end, end);
    return new Response(readable, response);
  }
}
