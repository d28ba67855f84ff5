import { World } from '../../client/world.js';
import { createInnerSandbox, type InnerSandbox } from '../../app/sandbox.js';
import type { Post, Posted } from '../../core/post.js';
import type { LiveReceiver } from './life.js';
import type { CallableApp } from '../http/request-steps.js';
import { serveHttp } from '../http/serve.js';
import { folderLibrary } from '../library.js';
import { NODE_HOST } from '../machine/host.js';
import { WITHIN, type WorldConnection } from '../../client/call.js';
import { ProgramEnded } from './life.js';

/** Webhooks to addresses below this are passed to the flow. */
export const SHOP = 'http://shop.test/';

/** A world and how to reach it: in process, on a port, or on a server. */
export interface Room {
  readonly connection: WorldConnection;
  readonly answer: (request: Request) => Promise<Response>;
  readonly receive: (handler: LiveReceiver | null) => void;
  /** Called by the room after each answer, before it is sent. */
  answered: () => Promise<void>;
  /** Calls back when a call hangs. Null if nobody can tell, as on another server. */
  readonly watchHangs: ((callback: (() => void) | null) => void) | null;
  /** Whether its world does something at once, such as send a webhook. False if nobody can tell. */
  readonly hasDueJobs: () => boolean;
  close(): void;
}

/** A room in this process. */
export async function openRoomInProcess(key: string): Promise<Room> {
  const { sandbox, ...shop } = createShopSandbox();
  const room: Room = {
    ...shop,
    connection: createConnection(sandbox, key),
    answer: async (request) => {
      const response = await sandbox.fetch(request);
      await room.answered();
      return response;
    },
    answered: async () => {},
    close: () => sandbox.close(),
  };
  return room;
}

/** A room in this process with its own port. */
export async function openRoomOnPort(key: string): Promise<Room> {
  const { sandbox, ...shop } = createShopSandbox();
  const app: CallableApp = {
    fetch: async (request, env) => {
      const response = await sandbox.app.fetch(request, env);
      await room.answered();
      return response;
    },
  };
  const server = await serveHttp({ ...sandbox, app }, { port: 0, host: '127.0.0.1' });
  const close = (): void => {
    sandbox.close();
    // Clients may keep connections open.
    void server.close(0);
  };
  const room: Room = {
    ...shop,
    connection: { ...createConnection(sandbox, key), url: server.url },
    answer: (request) => fetch(request, { redirect: 'manual' }),
    answered: async () => {},
    close,
  };
  return room;
}

/** The handle of a world in this process. */
export function createHandle(sandbox: InnerSandbox, key: string): World {
  return new World(createConnection(sandbox, key));
}

function createConnection(sandbox: InnerSandbox, key: string): WorldConnection {
  return { url: WITHIN, key, adminToken: null, fetch: (request) => sandbox.fetch(request) };
}

/** A sandbox that passes webhooks to the flow if they are for the shop, and sends all others. */
function createShopSandbox(): { readonly sandbox: InnerSandbox } & Pick<
  Room,
  'receive' | 'watchHangs' | 'hasDueJobs'
> {
  let receiver: LiveReceiver | null = null;
  let noticeHang: (() => void) | null = null;
  const deliver = async (post: Post): Promise<Posted> => {
    if (!post.url.startsWith(SHOP)) return (await NODE_HOST.deliver?.(post)) ?? { failed: 'not sent' };
    if (receiver === null) return { failed: 'the flow has not called receive' };
    const { url, headers, body } = post;
    return callReceiver(receiver, new Request(url, { method: 'POST', headers, body }), post.signal);
  };
  const sandbox = createInnerSandbox(NODE_HOST, {
    clock: { mode: 'manual' },
    library: folderLibrary(),
    deliver,
    onHang: () => noticeHang?.(),
  });
  return {
    sandbox,
    receive: (handler) => void (receiver = handler),
    watchHangs: (callback) => void (noticeHang = callback),
    hasDueJobs: () =>
      [...sandbox.worlds.all()].some(({ jobs, clock }) => clock.realDelay(jobs.nextDue) === 0),
  };
}

/** The result of a receiver, which may be slow or throw. */
async function callReceiver(receiver: LiveReceiver, request: Request, signal: AbortSignal): Promise<Posted> {
  const given = new Promise<Posted>((resolve) => {
    signal.addEventListener('abort', () => resolve({ failed: 'no answer in time', cause: 'time' }));
  });
  const answer = (async (): Promise<Posted> => {
    try {
      const { status, headers } = await receiver(request);
      return { status, headers: Object.fromEntries(headers) };
    } catch (error) {
      return {
        failed: error instanceof ProgramEnded ? error.message : `the receiver threw: ${String(error)}`,
      };
    }
  })();
  return Promise.race([answer, given]);
}
