import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { WorldConnection } from '../../client/call.js';
import { World } from '../../client/world.js';
import type { SweepContext } from '../../sweep/public.js';
import type { RunningProgram } from '../../sweep/run.js';
import { Life, type LiveReceiver } from './life.js';

/** How a program reaches its world. */
interface ProgramRoom {
  readonly connection: WorldConnection;
  readonly receive: (handler: LiveReceiver | null) => void;
}

/** A program in one run. After a crash it has another life, in the same world and with the same disk. */
export class SweptProgram {
  /** Made when the program first asks for it, because making a folder takes as long as a call. */
  #disk: string | null = null;
  #life = new Life();
  #context: RunningProgram['context'];

  constructor(
    private readonly room: ProgramRoom,
    private readonly given: Pick<SweepContext, 'fetch' | 'webhookSecret' | 'together'>,
  ) {
    this.#context = this.#createContext(this.#life, false);
  }

  get context(): RunningProgram['context'] {
    return this.#context;
  }

  get isDown(): boolean {
    return this.#life.isOver;
  }

  /** Has the program do something. Resolves with null if its life ends first. */
  live<T>(work: () => Promise<T>): Promise<T | null> {
    return this.#life.live(work);
  }

  /** Answers a call of the program, unless its life is over. */
  call<T>(answer: () => Promise<T>): Promise<T> {
    return this.#life.call(answer);
  }

  /** Ends its life: nobody receives webhooks any more. */
  end(): void {
    this.#life.end();
    this.room.receive(null);
  }

  async restart(): Promise<void> {
    await this.#life.clockMoved;
    this.#life = new Life();
    this.#context = this.#createContext(this.#life, true);
  }

  /** Ends the program with its run, and removes the disk. */
  close(): void {
    this.end();
    if (this.#disk !== null) rmSync(this.#disk, { recursive: true, force: true });
  }

  #createContext(life: Life, restarted: boolean): RunningProgram['context'] {
    const { connection, receive } = this.room;
    const openDisk = (): string => (this.#disk ??= mkdtempSync(join(tmpdir(), 'playmoney-disk-')));
    const fetch = (request: Request): Promise<Response> => life.control(request, connection.fetch);
    return {
      ...this.given,
      url: connection.url,
      key: connection.key,
      world: new World({ ...connection, fetch }),
      receive: (handler) => {
        if (!life.isOver) receive((request) => life.receive(handler, request));
      },
      get disk() {
        return openDisk();
      },
      restarted,
    };
  }
}
