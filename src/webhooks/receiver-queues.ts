import type { Host } from '../core/host.js';
import type { DeliveryPlace, DeliveryPlaces } from '../core/limits/places.js';

/** The maximum number of running attempts to a slow receiver. A prompt one gets one at a time. */
const SLOW_MAX = 64;
/** After this time without an answer, in real milliseconds, a slow receiver no longer delays others. */
const PATIENCE_MS = 250;

interface ReceiverQueue {
  readonly receiver: string;
  readonly waiting: string[];
  running: number;
  isSlow: boolean;
  isWaitingForPlace: boolean;
}

/**
 * Runs attempts in order. A receiver that responds promptly gets one at a time, in the order in which they were due. A slow
 * one gets several at once, started in that order, so that a dead receiver costs little time.
 */
export class ReceiverQueues {
  readonly #queues = new Map<string, ReceiverQueue>();

  constructor(
    private readonly timer: Host['timer'],
    private readonly places: DeliveryPlaces,
    /** Makes an attempt, and returns whether the receiver did not answer in time. */
    private readonly attempt: (id: string) => Promise<boolean>,
  ) {}

  /** Queues an attempt to a receiver. */
  add(receiver: string, id: string): void {
    const queue = this.#queues.get(receiver) ?? {
      receiver,
      waiting: [],
      running: 0,
      isSlow: false,
      isWaitingForPlace: false,
    };
    this.#queues.set(receiver, queue);
    queue.waiting.push(id);
    this.#startNext(queue);
  }

  #startNext(queue: ReceiverQueue): void {
    const { receiver, waiting, running, isSlow, isWaitingForPlace } = queue;
    if (waiting.length === 0 && running === 0) this.#queues.delete(receiver);
    if (waiting.length === 0 || isWaitingForPlace || running >= (isSlow ? SLOW_MAX : 1)) return;
    queue.isWaitingForPlace = true;
    const enter = (place: DeliveryPlace): void => {
      queue.isWaitingForPlace = false;
      const [id = ''] = waiting.splice(0, 1);
      void this.#run(queue, id, place);
      this.#startNext(queue);
    };
    this.places.request({ world: this, receiver, isSlow, enter });
  }

  async #run(queue: ReceiverQueue, id: string, place: DeliveryPlace): Promise<void> {
    queue.running++;
    let isLate = false;
    let cancelTimer = (): void => {};
    try {
      cancelTimer = this.timer(() => {
        isLate = true;
        queue.isSlow = true;
        place.wait();
        this.#startNext(queue);
      }, PATIENCE_MS);
    } catch {
      // A host that starts no more timers: the attempt says so.
    }
    const isSilent = await this.attempt(id);
    cancelTimer();
    if (!isLate) queue.isSlow = isSilent;
    queue.running--;
    place.leave();
    this.#startNext(queue);
  }

  /** Removes all waiting attempts. */
  clear(): void {
    this.places.forget(this);
    for (const { waiting } of this.#queues.values()) waiting.length = 0;
  }
}
