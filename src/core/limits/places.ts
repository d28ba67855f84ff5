import type { Host } from '../host.js';

/** The maximum number of deliveries under way at slow receivers, and at all others. Together 512, a quarter of them kept for the others. */
const SLOW_PLACES_MAX = 384;
const PROMPT_PLACES_MAX = 128;
/** The maximum in all, since a receiver is found to be slow only after it has got a place of the others. */
const PLACES_MAX = 1024;

/** A request for a place. */
export interface PlaceRequest {
  /** Worlds get places in turn, and so do the receivers of a world. */
  readonly world: object;
  readonly receiver: string;
  readonly isSlow: boolean;
  readonly enter: (place: DeliveryPlace) => void;
}

/** Held while a delivery is under way. */
export interface DeliveryPlace {
  /** Notes that the receiver is slow. */
  wait(): void;
  leave(): void;
}

const PLACES_ON = new WeakMap<Host, DeliveryPlaces>();

/** The places for deliveries that all sandboxes on a host share. */
export function sharedPlaces(host: Host): DeliveryPlaces {
  const places = PLACES_ON.get(host) ?? new DeliveryPlaces();
  PLACES_ON.set(host, places);
  return places;
}

/** Places for deliveries, which worlds and receivers get in turn. */
export class DeliveryPlaces {
  readonly #slow = new RequestRota();
  readonly #prompt = new RequestRota();
  /** By receiver, how many deliveries have waited for it for a while. */
  readonly #waits = new Map<string, number>();
  #slowUnderWay = 0;
  #promptUnderWay = 0;

  /** Calls `enter` when a place is free, at once if one is. */
  request(request: PlaceRequest): void {
    (this.#isSlow(request) ? this.#slow : this.#prompt).add(request);
    this.#assign();
  }

  /** Forgets the requests of a world. */
  forget(world: object): void {
    this.#slow.drop(world);
    this.#prompt.drop(world);
  }

  #isSlow({ receiver, isSlow }: PlaceRequest): boolean {
    return isSlow || this.#waits.has(receiver);
  }

  #assign(): void {
    for (;;) {
      const isFull = this.#promptUnderWay + this.#slowUnderWay >= PLACES_MAX;
      const prompt = isFull || this.#promptUnderWay >= PROMPT_PLACES_MAX ? undefined : this.#prompt.take();
      if (prompt !== undefined && this.#isSlow(prompt)) {
        // The receiver was found to be slow, in another world, while this request waited.
        this.#slow.add(prompt);
        continue;
      }
      const next =
        prompt ?? (isFull || this.#slowUnderWay >= SLOW_PLACES_MAX ? undefined : this.#slow.take());
      if (next === undefined) return;
      next.enter(this.#place(next.receiver, prompt === undefined));
    }
  }

  #place(receiver: string, isSlow: boolean): DeliveryPlace {
    let isWaiting = false;
    this.#count(isSlow, 1);
    return {
      wait: () => {
        isWaiting = true;
        this.#waits.set(receiver, (this.#waits.get(receiver) ?? 0) + 1);
        this.#count(isSlow, -1);
        isSlow = true;
        this.#count(isSlow, 1);
        this.#assign();
      },
      leave: () => {
        this.#count(isSlow, -1);
        const others = (this.#waits.get(receiver) ?? 0) - 1;
        if (isWaiting && others > 0) this.#waits.set(receiver, others);
        else if (isWaiting) this.#waits.delete(receiver);
        this.#assign();
      },
    };
  }

  #count(isSlow: boolean, more: 1 | -1): void {
    if (isSlow) this.#slowUnderWay += more;
    else this.#promptUnderWay += more;
  }
}

/** Requests in line, of which each world has one before another has its second. */
class RequestRota {
  readonly #lines = new Map<object, PlaceRequest[]>();

  add(request: PlaceRequest): void {
    const line = this.#lines.get(request.world);
    if (line === undefined) this.#lines.set(request.world, [request]);
    else line.push(request);
  }

  take(): PlaceRequest | undefined {
    for (const [world, line] of this.#lines) {
      const [first] = line.splice(0, 1);
      this.#lines.delete(world);
      // The world goes to the end.
      if (line.length > 0) this.#lines.set(world, line);
      return first;
    }
    return undefined;
  }

  drop(world: object): void {
    this.#lines.delete(world);
  }
}
