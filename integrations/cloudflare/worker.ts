import { createInnerSandbox, type InnerSandbox } from '../../src/app/sandbox.js';
import { ApiError } from '../../src/core/errors.js';
import { PUBLIC_PREFIX, deriveWorldName } from '../../src/core/keys.js';
import { requireSecretKey } from '../../src/http/auth.js';
import { CHALLENGE, findNameInPath, PAY } from '../../src/http/request-key.js';
import { HOST } from './host.js';
import { errorAnswer, failedAnswer, showToPage } from './lost.js';
import type { Bindings } from './platform.js';
import { keySettings, readVariables, requireCaller, requireReadable, type Variables } from './variables.js';
import { settingsOf } from './world.js';

export { PlaymoneyWorld } from './world.js';

/** The name of a world: what payment links, challenge pages and public keys have. */
const NAME = /^[\da-f]{12}$/;

/** Answers the calls that belong to no world: pages, lists, and refusals. There is one for each deployment. */
const KEYLESS = new WeakMap<Bindings, { readonly sandbox: InnerSandbox; readonly hosts: string[] }>();

function answerKeyless(request: Request, bindings: Bindings, variables: Variables): Promise<Response> {
  const { hostname } = new URL(request.url);
  const hosts: string[] = [];
  const made = KEYLESS.get(bindings) ?? {
    sandbox: createInnerSandbox(HOST, settingsOf(variables, hosts)),
    hosts,
  };
  KEYLESS.set(bindings, made);
  if (!made.hosts.includes(hostname)) made.hosts.push(hostname);
  return made.sandbox.fetch(request);
}

/** The name of the world that a request is for; undefined if it is for none, or if its key is refused. */
function worldOf({ headers, url }: Request, variables: Variables): string | undefined {
  const { pathname } = new URL(url);
  const publicKey = headers.get('x-publickey');
  const key = headers.get('x-secretkey');
  if (publicKey === null && key !== null) {
    try {
      return deriveWorldName(requireSecretKey(key, keySettings(variables)));
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }
  const name =
    publicKey === null
      ? (findNameInPath(pathname, PAY) ?? findNameInPath(pathname, CHALLENGE))
      : findNameInPath(publicKey, PUBLIC_PREFIX);
  return NAME.test(name ?? '') ? name : undefined;
}

/** A preflight belongs to no world. It is granted even if the call will be refused, or its page could not read why. */
async function answerCall(request: Request, bindings: Bindings, variables: Variables): Promise<Response> {
  if (request.method === 'OPTIONS') return answerKeyless(request, bindings, variables);
  requireReadable(variables);
  requireCaller(variables, request);
  const name = worldOf(request, variables);
  if (name === undefined) return answerKeyless(request, bindings, variables);
  const { WORLDS } = bindings;
  return WORLDS.get(WORLDS.idFromName(name)).fetch(request);
}

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const variables = readVariables(bindings);
    const answer = await answerCall(request, bindings, variables).catch((error: unknown) => {
      if (error instanceof ApiError) return errorAnswer(request, error);
      return failedAnswer(request, error instanceof Error ? error.message : String(error));
    });
    return showToPage(request, answer, variables.ALLOWED_ORIGINS ?? []);
  },
};
