import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = process.env['SOAK_ROOT'] ?? '';
const PRELOAD = join(ROOT, 'test/soak/preload.mjs');
const CLI = join(ROOT, 'dist/cli.js');
const STDERR_MAX = 20_000;
/** The first connections are gone this long after they were closed. */
const EXIT_MAX_MS = 4_000;

/** What the process held at one moment, after a collection of garbage. */
export interface Sample {
  /** Bytes. */
  readonly rss: number;
  /** Bytes of the heap in use, and of what hangs on it outside. */
  readonly heap: number;
  /** What Node keeps the process alive for, by its type. */
  readonly resources: Readonly<Record<string, number>>;
  /** Timers that do not keep it alive, such as those of worlds. */
  readonly unheld: number;
  /** Open files and sockets; null where the system does not tell. */
  readonly files: number | null;
}

/** The program under soak, in a process of its own. */
export class Program {
  readonly #waiting = new Map<number, (sample: Omit<Sample, 'files'>) => void>();
  #samples = 0;
  #stderr = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    child.on('message', (message: Omit<Sample, 'files'> & { number: number }) => {
      this.#waiting.get(message.number)?.(message);
      this.#waiting.delete(message.number);
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      if (this.#stderr.length < STDERR_MAX) this.#stderr += bytes.toString();
    });
  }

  /** Starts it on a free port and waits until it is ready. */
  static async start(options: readonly string[]): Promise<Program> {
    const args = ['--expose-gc', '--import', PRELOAD, CLI, '--port', '0', ...options];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: {} });
    // A soak that is broken off leaves no program behind.
    process.once('exit', () => child.kill('SIGKILL'));
    const ready = new Promise<number>((resolve, reject) => {
      let printed = '';
      child.stdout?.on('data', (bytes: Buffer) => {
        printed += bytes.toString();
        const [, port] = /^playmoney listening on http:\/\/.*:(\d+)\n/.exec(printed) ?? [];
        if (port !== undefined) resolve(Number(port));
      });
      child.once('exit', (code) => reject(new Error(`The program ended with ${code} before it was ready.`)));
    });
    return new Program(child, await ready);
  }

  /** Whether it still runs. */
  get runs(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** What it printed on stderr, from its beginning. */
  get stderr(): string {
    return this.#stderr;
  }

  async sample(): Promise<Sample> {
    const number = ++this.#samples;
    const told = new Promise<Omit<Sample, 'files'>>((resolve, reject) => {
      this.#waiting.set(number, resolve);
      if (!this.runs) reject(new Error('The program has ended.'));
    });
    this.child.send(number);
    const sample = await told;
    const files = await readdir(`/proc/${this.child.pid}/fd`).then(
      ({ length }) => length,
      () => null,
    );
    return { ...sample, files };
  }

  /** The most memory that it ever had, in MiB; 0 where the system does not say. */
  async peak(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8').catch(() => '');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  }

  /** Ends it as a process manager does; gives back its exit code, null where it had to be killed. */
  async stop(): Promise<number | null> {
    if (!this.runs) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), EXIT_MAX_MS);
    const [code] = (await ended) as [number | null];
    clearTimeout(timer);
    return code;
  }
}
