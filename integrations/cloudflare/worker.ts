import { createSandbox, type Sandbox } from '../../src/app/sandbox.js';
import { ApiError } from '../../src/core/errors.js';
import { worldName } from '../../src/world/name.js';
import { authenticate, secretOf } from '../../src/http/auth.js';
import { CHALLENGE, nameIn, PAY } from '../../src/http/key-of.js';
import { HOST } from './host.js';
import { failedAnswer } from './lost.js';
import type { Bindings } from './platform.js';
import { KEY_SETTINGS, settingsOf } from './world.js';

export { PlaymoneyWorld } from './world.js';

/** The name of a world: what payment links and challenge pages have in their path. */
const NAME = /^[\da-f]{12}$/;

/** Answers the calls that belong to no world: pages, lists, and refusals. */
let keyless: Sandbox | null = null;
const hosts: string[] = [];

function answerKeyless(request: Request, bindings: Bindings): Promise<Response> {
  const { hostname } = new URL(request.url);
  if (!hosts.includes(hostname)) hosts.push(hostname);
  keyless ??= createSandbox(HOST, settingsOf(bindings, hosts));
  return keyless.fetch(request);
}

/** The name of the world that a request is for; undefined if it is for none, or if its key is refused. */
function worldOf({ headers, url }: Request): string | undefined {
  const publicKey = headers.get('x-publickey');
  try {
    const key = publicKey === null ? headers.get('x-secretkey') : secretOf(publicKey, true);
    if (key !== null) return worldName(authenticate(key, KEY_SETTINGS));
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
  const { pathname } = new URL(url);
  const name = nameIn(pathname, PAY) ?? nameIn(pathname, CHALLENGE) ?? '';
  return NAME.test(name) ? name : undefined;
}

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const name = worldOf(request);
    if (name === undefined) return answerKeyless(request, bindings);
    const { WORLDS } = bindings;
    try {
      return await WORLDS.get(WORLDS.idFromName(name)).fetch(request);
    } catch (error) {
      return failedAnswer(request, error instanceof Error ? error.message : String(error));
    }
  },
};
