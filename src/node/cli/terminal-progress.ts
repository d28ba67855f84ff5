import { count } from '../../core/text.js';
import { print } from './terminal.js';

/** Work that is done sooner is not told of. */
const QUIET_MS = 500;
/** How often a bar is drawn anew. */
const FRAME_MS = 100;
/** How often a line is printed where nobody sees a bar. */
const LINE_MS = 5000;
const BAR_WIDTH = 24;
/** Puts the cursor to the beginning of the line, and clears it. */
const CLEAR_LINE = '\r\u001b[K';

/** Where progress is shown. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly print: (text: string) => void;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
}

/** Shows how far long work is: a bar with rate and time left in a terminal, else a line each few seconds. */
export class Progress {
  #work = '';
  #begun = 0;
  #doneAtFirst = 0;
  #shown = 0;
  #hasBar = false;

  constructor(private readonly screen: Screen) {}

  /** Says how much of a work is done; the end of it takes the bar away. */
  note(work: string, done: number, total: number): void {
    const now = this.screen.now();
    if (work !== this.#work) this.#begin(work, done, now);
    if (done >= total) return this.#end();
    const wait = this.screen.isTerminal ? FRAME_MS : LINE_MS;
    if (now - this.#begun < QUIET_MS || now - this.#shown < wait) return;
    this.#shown = now;
    const told = this.#told(done, total, now);
    if (!this.screen.isTerminal) return this.screen.print(`playmoney: ${work}: ${told}\n`);
    this.#hasBar = true;
    this.screen.print(`${CLEAR_LINE}${work} ${barOf(done / total)} ${told}`);
  }

  /** Takes the bar away, so that something else can be printed. */
  hide(): void {
    if (this.#hasBar) this.screen.print(CLEAR_LINE);
    this.#hasBar = false;
  }

  #begin(work: string, done: number, now: number): void {
    this.hide();
    this.#work = work;
    this.#begun = now;
    this.#doneAtFirst = done;
    // A first line comes with the first few seconds, a first bar at once.
    this.#shown = this.screen.isTerminal ? -Infinity : now;
  }

  #end(): void {
    this.hide();
    this.#work = '';
  }

  #told(done: number, total: number, now: number): string {
    const perSecond = ((done - this.#doneAtFirst) / (now - this.#begun)) * 1000;
    const left = perSecond > 0 ? `, ${count(Math.ceil((total - done) / perSecond), 'second')} left` : '';
    const percent = Math.floor((done / total) * 100);
    return `${done} of ${total} (${percent} %), ${Math.round(perSecond)} a second${left}`;
  }
}

function barOf(share: number): string {
  const filled = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
}

/** Progress on stderr. */
export function stderrProgress(): Progress {
  return new Progress({
    isTerminal: process.stderr.isTTY,
    print: (text) => print(process.stderr, text),
    now: () => performance.now(),
  });
}

let shared: Progress | undefined;

/** Shows on stderr how far the work of a server is. */
export function terminalProgress(work: string, done: number, total: number): void {
  shared ??= stderrProgress();
  shared.note(work, done, total);
}
