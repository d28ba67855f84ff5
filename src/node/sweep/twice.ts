import { AsyncLocalStorage } from 'node:async_hooks';

import type { InnerSandbox } from '../../app/sandbox.js';
import { serveHttp } from '../http/serve.js';
import type { Parties } from './parties.js';

/**
 * Runs a command two times, as parties of `together`. Each has a port of its own, by which the server knows whose a call is. Returns
 * their exit codes.
 */
export async function runTwice(
  sandbox: InnerSandbox,
  parties: Parties,
  run: (url: string) => Promise<number | null>,
): Promise<readonly (number | null)[]> {
  const press = async (): Promise<number | null> => {
    const asParty = AsyncLocalStorage.snapshot();
    const fetch: typeof sandbox.app.fetch = (request, bindings) =>
      isOfSandbox(request)
        ? sandbox.app.fetch(request, bindings)
        : asParty(() => parties.hold(async () => sandbox.app.fetch(request, bindings)));
    const served = { app: { fetch }, worlds: sandbox.worlds };
    const listening = await serveHttp(served, { port: 0, host: '127.0.0.1' });
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
