import { AsyncLocalStorage } from 'node:async_hooks';

import type { CallableApp } from '../../http/request-steps.js';
import type { HttpListening } from '../../http/serve.js';
import type { Parties } from '../parties.js';

/**
 * Runs a command two times, as parties of `together`. Each has a port of its own, by which the server knows whose a call is. Returns
 * their exit codes.
 */
export async function runTwice(
  serve: (wrap: (app: CallableApp) => CallableApp) => Promise<HttpListening>,
  parties: Parties,
  run: (url: string) => Promise<number | null>,
): Promise<readonly (number | null)[]> {
  const press = async (): Promise<number | null> => {
    const asParty = AsyncLocalStorage.snapshot();
    const hold = (app: CallableApp): CallableApp => ({
      fetch: (request, bindings) =>
        isOfSandbox(request)
          ? app.fetch(request, bindings)
          : asParty(() => parties.hold(async () => app.fetch(request, bindings))),
    });
    const listening = await serve(hold);
    try {
      return await run(listening.url);
    } finally {
      await listening.close(0);
    }
  };
  return parties.together(press, press);
}

/** The sandbox's own calls, which runners make, are not held. */
function isOfSandbox({ url }: Request): boolean {
  return new URL(url).pathname.startsWith('/_sandbox');
}
