/** A limited number of places; callers that find none wait in line. */
export class Places {
  readonly #waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Takes a place; rejects when the caller gives up waiting. */
  async take(signal: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(new Error('there was no room for it among the deliveries under way'));
      };
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives a place to the first in line. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}
