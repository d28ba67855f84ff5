import type { SandboxOptions, World } from '../index.js';
import { reportFailure } from './failure.js';
import { type ServerEnvironment, type TestGateway, openGateway } from './gateway.js';
import type { TestIdentity } from './identity.js';
import { openReceiver, type OpenReceiver, type Receiver } from './receiver.js';

/** The fixtures of a test. */
export interface SandboxFixtures {
  /** The test's own world. Its clock stands still. Call it at `sandbox.url` with `sandbox.key`, or with `sandbox.fetch`. */
  readonly sandbox: World;
  /** A port for the webhooks of the test's own world. It is opened for tests that name it in their parameters. */
  readonly receiver: Receiver;
}

/** Opens the receiver of a world, which checks signatures if the key is known. */
export function openWorldReceiver(
  world: World,
  { webhookSecret }: TestGateway,
  { webhookHeaderPrefix }: SandboxOptions,
): Promise<OpenReceiver> {
  return openReceiver(world, { secret: webhookSecret, headerPrefix: webhookHeaderPrefix });
}

/** Runners, too, read the parameters of a test to see which fixtures it uses. */
const NAMES_RECEIVER = /\breceiver\b/;

/** A test that is running. */
interface RunningTest {
  /** Identifies the test, if the runner runs several at a time. */
  readonly owner: unknown;
  /** Ends the test, unless it has ended before. */
  end(hasFailed: boolean): Promise<void>;
}

/** Passes fixtures to tests, for runners that have no fixtures of their own. */
export class FixtureRuns {
  #gateway: TestGateway | null = null;
  readonly #running = new Set<RunningTest>();

  constructor(
    private readonly options: SandboxOptions,
    private readonly environment: ServerEnvironment,
  ) {}

  /** Runs the body of a test. If the runner stops waiting for it, the caller ends it with `endAll`. */
  async run<F extends SandboxFixtures>(
    test: TestIdentity,
    body: (fixtures: F) => unknown,
    more: Omit<F, keyof SandboxFixtures>,
    text = String(body),
    owner?: unknown,
  ): Promise<void> {
    this.#gateway ??= openGateway(this.options, this.environment);
    const sandbox = await this.#gateway.open(test);
    const receiver = NAMES_RECEIVER.test(text)
      ? await openWorldReceiver(sandbox, this.#gateway, this.options)
      : null;
    const running = this.#begin(test.name, sandbox, receiver, owner);
    try {
      await body({ ...more, sandbox, receiver: receiver ?? unopenedReceiver() } as F);
    } catch (error) {
      await running.end(true);
      throw error;
    }
    await running.end(false);
  }

  #begin(name: string, sandbox: World, receiver: OpenReceiver | null, owner: unknown): RunningTest {
    const running: RunningTest = {
      owner,
      end: async (hasFailed) => {
        if (!this.#running.delete(running)) return;
        if (hasFailed) await reportFailure(name, sandbox);
        await receiver?.close();
      },
    };
    this.#running.add(running);
    return running;
  }

  /** Ends the tests of an owner that are still running, because they timed out. */
  async endAll(owner?: unknown): Promise<void> {
    const late = [...this.#running].filter((running) => running.owner === owner);
    await Promise.all(late.map((running) => running.end(true)));
  }

  close(): void {
    this.#gateway?.close();
    this.#gateway = null;
  }
}

/** Stands in for the receiver in tests that do not name it. */
function unopenedReceiver(): Receiver {
  return new Proxy({} as Receiver, {
    get: () => {
      throw new TypeError(
        'The receiver is not open. Name it in the parameters of the test: ({ sandbox, receiver }) => …',
      );
    },
  });
}
