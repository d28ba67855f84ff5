import type { InnerSandbox } from '../../../app/sandbox.js';
import { CallInFlight } from '../../../sweep/in-flight.js';
import { createHandle } from '../rooms.js';

/** The app of a run, which lets a call of each world arrive after its client has given up on it. */
export class CallsInFlight {
  readonly #calls = new Map<string, CallInFlight>();

  constructor(private readonly sandbox: InnerSandbox) {}

  async fetch(...[request, env]: Parameters<InnerSandbox['app']['fetch']>): Promise<Response> {
    const response = await this.sandbox.app.fetch(request, env);
    await this.arrive(false);
    return response;
  }

  async arrive(isOver: boolean): Promise<void> {
    for (const { key } of this.sandbox.worlds.all()) {
      const call = this.#calls.get(key) ?? new CallInFlight(createHandle(this.sandbox, key));
      this.#calls.set(key, call);
      await call.arrive(isOver);
    }
  }
}
