import { createSender } from '../../src/node/webhooks/send.js';
import { NODE_HOST } from '../../src/node/machine/host.js';
import { folderLibrary } from '../../src/node/library.js';
import { createRequestLog } from '../../src/node/http/request-log.js';
import { type HttpListening, serveHttp } from '../../src/node/http/serve.js';
import { createInnerSandbox, type InnerSandbox, type InnerSandboxOptions } from '../../src/app/sandbox.js';
import { restoreSnapshot, type Snapshot, takeSnapshot } from '../../src/world/snapshot.js';
import { openWire } from '../node/http/support.js';
import { scenarioOf } from '../scenarios/support.js';
import {
  expectAnswered,
  expectNothingLeaks,
  expectProtected,
  expectReplies,
  expectUnchanged,
  isRefusal,
} from './expectations.js';
import { repliesOf, type Reply } from './reply.js';
import { ADMIN, get, KEEP, KEY, NEIGHBOUR, type Row, type ServerName } from './row.js';
import { SEED } from './seed.js';
import { stateText } from './state-text.js';

/** A server that is still waiting after this long waits for something that the case did not send; a busy machine is slow. */
const PATIENCE_MS = 60_000;

const FULL_BYTES = 1024 * 1024;

const OPTIONS: Readonly<Record<ServerName, InnerSandboxOptions>> = {
  open: {},
  full: { memoryMax: FULL_BYTES },
  guarded: { adminToken: ADMIN, strict: true, testCardsOnly: true, bodyLimit: 2048, batchBodyLimit: 4096 },
};

/** Names that lead where no webhook may go, and one that leads to this machine. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'metadata.test': ['169.254.169.254'],
  'half.test': ['127.0.0.1', '169.254.169.254'],
  'mapped.test': ['::ffff:169.254.169.254'],
  'link-local.test': ['fe80::1'],
  'multicast.test': ['224.0.0.1'],
  'public.test': ['203.0.113.5'],
  'nowhere.test': [],
};

interface Served {
  readonly sandbox: InnerSandbox;
  readonly listening: HttpListening;
  /** Both worlds as they are before each case, and as texts. */
  readonly base: readonly { readonly key: string; readonly snapshot: Snapshot; readonly text: string }[];
  readonly log: string[];
  /** Whoever waits for a request to arrive. */
  readonly arrivals: (() => void)[];
}

/** The servers that the cases are sent to, and what must be true after each of them. */
export class Stage {
  readonly #served = new Map<ServerName, Served>();
  #held: (() => void)[] = [];

  async open(): Promise<void> {
    for (const name of ['open', 'guarded', 'full'] as const)
      this.#served.set(name, await this.#serve(OPTIONS[name]));
  }

  async close(): Promise<void> {
    for (const { listening, sandbox } of this.#served.values()) {
      await listening.close(0);
      sandbox.close();
    }
  }

  /** Sends a row, and checks its answers and all that must be true after any of them. */
  async play(row: Row): Promise<void> {
    const { to = 'open', after = [], then = [], ends = false } = row;
    const served = this.#of(to);
    const { listening } = served;
    this.#restore(served);
    const texts: string[] = [];
    const exchange = async (sends: string, isEnding = false): Promise<Reply[]> => {
      const came = await talk(listening.port, sends.replaceAll('@PORT', String(listening.port)), isEnding);
      texts.push(came);
      const replies = repliesOf(came, sends.startsWith('HEAD '));
      replies.forEach(expectProtected);
      return replies;
    };
    for (const text of after) {
      const [reply] = await exchange(text);
      expectAnswered(reply?.text ?? '', 'what is sent before');
    }
    const isRefused = row.gets.every(isRefusal);
    const before = isRefused && after.length > 0 ? stateOf(served, KEY) : baseOf(served, KEY);
    const sends = typeof row.sends === 'string' ? [row.sends] : row.sends;
    const replies = (await this.#together(served, sends, (text) => exchange(text, ends))).flat();
    if (sends.length > 1) replies.sort((a, b) => a.status - b.status);
    expectReplies(replies, row.gets);
    if (isRefused) expectUnchanged(stateOf(served, KEY), before, 'the world of a refusal');
    for (const [text, expected] of then) expectReplies(await exchange(text), [expected]);
    this.#release();
    await this.#expectWell(served, texts);
  }

  /** Sends several texts on connections of their own: each when the one before it has arrived, and none waits for an answer. */
  async #together(
    { arrivals }: Served,
    sends: readonly string[],
    exchange: (text: string) => Promise<Reply[]>,
  ): Promise<Reply[][]> {
    const underWay: Promise<Reply[]>[] = [];
    for (const text of sends) {
      const arrived = isWhole(text) ? new Promise<void>((resolve) => arrivals.push(resolve)) : null;
      underWay.push(exchange(text));
      if (sends.length > 1) await arrived;
    }
    // What holds all of them up would hold up the test.
    if (sends.length > 1) void Promise.race(underWay).then(() => this.#release());
    return Promise.all(underWay);
  }

  #of(name: ServerName): Served {
    const served = this.#served.get(name);
    if (served === undefined) throw new Error('The stage is not open');
    return served;
  }

  async #serve(options: InnerSandboxOptions): Promise<Served> {
    const log: string[] = [];
    const network = createSender({
      resolve: (name) =>
        Promise.resolve((NAMES[name] ?? ['127.0.0.1']).map((address) => ({ address, family: 4 }))),
      isAnswered: () => Promise.resolve(true),
      request: () => Promise.reject(new Error('nobody is connected to here')),
    });
    const sandbox = createInnerSandbox(
      { ...NODE_HOST, memoryUsed: () => FULL_BYTES },
      {
        clock: { mode: 'manual' },
        scenario: await scenarioOf(SEED),
        library: folderLibrary(),
        deliver: async (posting) => {
          if (!posting.url.includes('held.test')) return network(posting);
          await new Promise<void>((resolve) => this.#held.push(resolve));
          return { status: 204 };
        },
        ...options,
      },
    );
    await sandbox.worlds.load();
    const arrivals: (() => void)[] = [];
    const logged = createRequestLog('json', (line) => log.push(line));
    const observe: typeof logged = (request, response) => {
      logged(request, response);
      arrivals.shift()?.();
    };
    const listening = await serveHttp(sandbox, {
      port: 0,
      host: '127.0.0.1',
      observe,
      overrideGlobalObjects: true,
    });
    const base = [KEY, NEIGHBOUR].map((key) => {
      const snapshot = takeSnapshot(sandbox.worlds.open(key));
      return { key, snapshot, text: stateText(snapshot) };
    });
    return { sandbox, listening, base, log, arrivals };
  }

  #restore({ sandbox, base, arrivals }: Served): void {
    arrivals.length = 0;
    for (const { key, snapshot } of base) {
      // What a world was switched to begins anew after a reset.
      sandbox.worlds.switchTo(sandbox.worlds.open(key), null);
      restoreSnapshot(sandbox.worlds, key, snapshot);
      sandbox.worlds.open(key).journal.clear();
    }
  }

  #release(): void {
    for (const resolve of this.#held.splice(0)) resolve();
  }

  /** What must be true after each case, whatever it was. */
  async #expectWell(served: Served, texts: readonly string[]): Promise<void> {
    const { listening, log } = served;
    const wanted = get('/_sandbox/journal?Limit=500', `x-sandbox-admin: ${ADMIN}`);
    const came = await talk(listening.port, get('/_sandbox/health', KEEP) + wanted);
    const [health, journal] = repliesOf(came);
    expectAnswered(health?.text ?? '', 'health');
    expectAnswered(journal?.text ?? '', 'the journal');
    for (const text of [...texts, ...log.splice(0)]) expectNothingLeaks(text);
    expectNothingLeaks(came);
    expectUnchanged(stateOf(served, NEIGHBOUR), baseOf(served, NEIGHBOUR), 'another world');
  }
}

/** Sends bytes on a connection of their own, and reads until the server closes it. */
async function talk(port: number, text: string, ends = false): Promise<string> {
  const wire = await openWire(port);
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the server keeps the connection open')), PATIENCE_MS);
  });
  try {
    wire.send(text);
    if (ends) wire.socket.end();
    return await Promise.race([wire.closed(), tooLong]);
  } finally {
    clearTimeout(timer);
    wire.socket.destroy();
  }
}

/** Whether a text is a request to its end, so that the server tells of it. */
function isWhole(text: string): boolean {
  return text.includes('\r\n\r\n');
}

function stateOf({ sandbox }: Served, key: string): string {
  return stateText(takeSnapshot(sandbox.worlds.open(key)));
}

function baseOf({ base }: Served, key: string): string {
  return base.find((one) => one.key === key)?.text ?? '';
}
