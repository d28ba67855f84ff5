import type { Host } from '../core/host.js';
import type { DeliveryPlace, DeliveryPlaces } from '../core/limits/places.js';

/** The maximum number of running attempts to a slow receiver. A prompt one gets one at a time. */
const SLOW_MAX = 64;
/** After this time without an answer, in real milliseconds, a slow receiver no longer delays others. */
const PATIENCE_MS = 250;

interface ReceiverQueue {
  readonly receiver: string;
  readonly waiting: string[];
  underWay: number;
  isSlow: boolean;
  /** Whether it waits for a place. */
  isInLine: boolean;
}

/**
 * Runs attempts in order. A receiver that responds promptly gets one at a time, in the order in which they were due. A slow
 * one gets several at once, started in that order, so that a dead receiver costs little time.
 */
export class ReceiverQueues {
  readonly #lanes = new Map<string, ReceiverQueue>();

  constructor(
    private readonly timer: Host['timer'],
    private readonly places: DeliveryPlaces,
    /** Makes an attempt, and returns whether the receiver did not answer in time. */
    private readonly run: (id: string) => Promise<boolean>,
  ) {}

  /** Queues an attempt to a receiver. */
  add(receiver: string, id: string): void {
    const lane = this.#lanes.get(receiver) ?? {
      receiver,
      waiting: [],
      underWay: 0,
      isSlow: false,
      isInLine: false,
    };
    this.#lanes.set(receiver, lane);
    lane.waiting.push(id);
    this.#goOn(lane);
  }

  #goOn(lane: ReceiverQueue): void {
    const { receiver, waiting, underWay, isSlow, isInLine } = lane;
    if (waiting.length === 0 && underWay === 0) this.#lanes.delete(receiver);
    if (waiting.length === 0 || isInLine || underWay >= (isSlow ? SLOW_MAX : 1)) return;
    lane.isInLine = true;
    const enter = (place: DeliveryPlace): void => {
      lane.isInLine = false;
      const [id = ''] = waiting.splice(0, 1);
      void this.#attempt(lane, id, place);
      this.#goOn(lane);
    };
    this.places.request({ world: this, receiver, isSlow, enter });
  }

  async #attempt(lane: ReceiverQueue, id: string, place: DeliveryPlace): Promise<void> {
    lane.underWay++;
    let isLate = false;
    let cancel = (): void => {};
    try {
      cancel = this.timer(() => {
        isLate = true;
        lane.isSlow = true;
        place.wait();
        this.#goOn(lane);
      }, PATIENCE_MS);
    } catch {
      // A host that starts no more timers: the attempt says so.
    }
    const isSilent = await this.run(id);
    cancel();
    if (!isLate) lane.isSlow = isSilent;
    lane.underWay--;
    place.leave();
    this.#goOn(lane);
  }

  /** Removes all waiting attempts. */
  clear(): void {
    this.places.forget(this);
    for (const lane of this.#lanes.values()) lane.waiting.length = 0;
  }
}
