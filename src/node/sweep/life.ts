import { AsyncLocalStorage } from 'node:async_hooks';

import type { Receive } from '../../sweep/public.js';

/** The life to which a piece of a program belongs, however many turns later. */
const LIVES = new AsyncLocalStorage<Life>();

/** Calls of the control API that move the clock. */
const MOVES_CLOCK = /\/_sandbox\/clock\b/;

/**
 * The life of a program in this process, from its start to a crash, or to the end of its run. A process that has ended runs no `catch`
 * and no `finally`, so calls of a life that is over are never answered.
 */
export class Life {
  #isOver = false;
  #end = (): void => {};
  readonly #ended = new Promise<null>((resolve) => {
    this.#end = () => resolve(null);
  });
  #clockMoved: Promise<unknown> = Promise.resolve();

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the clock has stopped. A crash does not stop it, and it can be moved only once at a time. */
  get clockMoved(): Promise<unknown> {
    return this.#clockMoved;
  }

  end(): void {
    this.#isOver = true;
    this.#end();
  }

  /** Has the program do something. Resolves with null if its life ends first. */
  live<T>(work: () => Promise<T>): Promise<T | null> {
    return Promise.race([LIVES.run(this, work), this.#ended]);
  }

  /** Answers a call of the program. */
  async call<T>(answer: () => Promise<T>): Promise<T> {
    // A program that has lost its context is taken for the one that lives.
    const life = LIVES.getStore() ?? this;
    if (life.#isOver) return new Promise(() => {});
    try {
      return await answer();
    } finally {
      if (life.#isOver) await new Promise(() => {});
    }
  }

  /** Answers a call of the program's handle of its world. */
  control(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
    return this.call(() => {
      const sent = send(request);
      if (MOVES_CLOCK.test(request.url)) this.#clockMoved = sent.catch(() => {});
      return sent;
    });
  }

  /** Has a receiver of the program answer a webhook. Its connection breaks if the program ends first. */
  async receive(receiver: Receive, request: Request): Promise<Response> {
    const answer = await this.live(async () => (await receiver(request)) ?? new Response());
    if (answer === null) throw new ProgramEnded('the program ended');
    return answer;
  }
}

/** A receiver of the program that is running, which always answers. */
export type LiveReceiver = (request: Request) => Promise<Response>;

export class ProgramEnded extends Error {
  override readonly name = 'ProgramEnded';
}
