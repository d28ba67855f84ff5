import type { StdioOptions } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { Bindings } from '../../../http/exchange.js';
import { type Child, runChild } from '../../exec/child.js';
import { OptionError } from '../../options/option.js';
import type { SweepCommandOptions } from '../../options/sweep-options.js';
import { CommandError } from '../../terminal/terminal.js';
import { findCaller } from './caller.js';
import { waitForExit } from './capture.js';

/** A rule ends the command once in each world. Worlds that are new after each start would end it again and again. */
const RESTARTS_MAX = 10;

type SupervisorOptions = Pick<SweepCommandOptions, 'crashOf' | 'restart'> & { readonly timeout: number };

/** Refuses crashes where processes cannot be ended like that. */
export function requireCrashes(crashOf: SweepCommandOptions['crashOf'], platform = process.platform): void {
  if (platform === 'win32')
    throw new OptionError(
      '--crash ends a command with all its processes at once, which Windows cannot do. Use sweep(flow, { crash: true }) in a test, or WSL',
    );
  if (crashOf === 'caller' && platform !== 'linux')
    throw new OptionError(
      `--crash-of caller looks up the process in /proc, which ${platform} does not have. Leave it out to end the whole command`,
    );
}

/** Runs the command of one run. Where a call of it hangs, it ends what made the call, and starts what a supervisor would start. */
export class Supervisor {
  readonly #sockets = new WeakMap<object, Socket>();
  #child: Child | null = null;
  /** Whether what runs is the command, and not a job. */
  #isCommand = true;
  /** The processes that `--restart` started beside the rest of the command. */
  readonly #besides: Promise<Child>[] = [];
  #crashes = 0;
  #problem: CommandError | null = null;

  constructor(
    private readonly env: NodeJS.ProcessEnv,
    private readonly options: SupervisorOptions,
  ) {}

  /** Notes by which connection a request comes. */
  noteSocket({ headers, socket }: IncomingMessage): void {
    this.#sockets.set(headers, socket);
  }

  /** Ends what made the call that hangs. */
  crash({ headers = {} }: Bindings): void {
    const { crashOf, restart } = this.options;
    this.#crashes++;
    if (crashOf !== 'caller') return this.#child?.kill();
    const socket = this.#sockets.get(headers);
    const caller = socket === undefined ? null : findCaller(socket);
    if (caller === null) {
      this.#problem = new CommandError(
        '--crash-of caller: the process that made the call was not found. Does it run in a container, or as another user?',
      );
      return this.#child?.kill();
    }
    process.kill(caller, 'SIGKILL');
    if (restart && this.#isCommand) this.#besides.push(runChild(restart, this.env, 'ignore'));
  }

  /** Runs the command to its end, and again after each crash. Null if it takes too long; 0 if nobody has to start it again. */
  async run(
    command: readonly string[] | string,
    output: StdioOptions,
    url = this.env['PLAYMONEY_URL'],
  ): Promise<number | null> {
    const { restart, timeout } = this.options;
    let next: readonly string[] | string = command;
    for (let restarts = 0; ; restarts++) {
      const before = this.#crashes;
      this.#child = await runChild(next, { ...this.env, PLAYMONEY_URL: url }, output);
      const exitCode = await waitForExit(this.#child, timeout);
      const besides = await Promise.all(this.#besides.splice(0));
      this.#requireCaller();
      if (this.#crashes === before) return exitCode;
      // The rest of the command did its work, so what was started for it may end.
      if (exitCode === 0) await Promise.all(besides.map((child) => child.clear()));
      if (exitCode === 0 || restart === '') return 0;
      if (besides.length > 0) return waitForAll(besides, timeout);
      if (restarts >= RESTARTS_MAX) return exitCode;
      next = restart ?? command;
    }
  }

  /** Runs a job, and again after each crash, as it would run the next time. */
  async runJob<T>(work: (watch: (child: Child) => void) => Promise<T>): Promise<T> {
    this.#isCommand = false;
    for (let restarts = 0; ; restarts++) {
      const before = this.#crashes;
      try {
        return await work((child) => void (this.#child = child));
      } catch (error) {
        this.#requireCaller();
        if (this.#crashes === before || restarts >= RESTARTS_MAX) throw error;
      }
    }
  }

  #requireCaller(): void {
    if (this.#problem !== null) throw this.#problem;
  }
}

/** The exit code of one that failed, or null if one takes too long. */
async function waitForAll(children: readonly Child[], timeout: number): Promise<number | null> {
  const exitCodes = await Promise.all(children.map((child) => waitForExit(child, timeout)));
  return exitCodes.find((exitCode) => exitCode !== 0) ?? (exitCodes.includes(null) ? null : 0);
}
