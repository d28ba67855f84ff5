import { formatCount } from '../../core/text/text.js';
import { formatLines, print, type Printable, formatRedrawn } from './terminal.js';

/** Work that takes less time shows no progress. */
const QUIET_MS = 500;
const FRAME_MS = 100;
/** How often a line is printed if stderr is not a terminal. */
const LINE_MS = 5000;
const BAR_WIDTH = 24;

export interface Screen {
  readonly isTerminal: boolean;
  readonly print: (text: Printable) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Shows the progress of long work: a bar with rate and time left in a terminal, otherwise a line every few seconds. */
export class Progress {
  #work = '';
  #begun = 0;
  #doneAtFirst = 0;
  #shown = 0;
  #hasBar = false;

  constructor(private readonly screen: Screen) {}

  /** Shows how much of the work is done; removes the bar at the end. */
  note(work: string, done: number, total: number): void {
    const { isTerminal, print: show } = this.screen;
    const now = this.screen.now();
    if (work !== this.#work) this.#begin(work, done, now);
    if (done >= total) return this.#begin('', 0, now);
    const wait = isTerminal ? FRAME_MS : LINE_MS;
    if (now - this.#begun < QUIET_MS || now - this.#shown < wait) return;
    this.#shown = now;
    const perSecond = ((done - this.#doneAtFirst) / (now - this.#begun)) * 1000;
    const left =
      perSecond > 0 ? `, ${formatCount(Math.ceil((total - done) / perSecond), 'second')} left` : '';
    const percent = Math.floor((done / total) * 100);
    const state = `${done} of ${total} (${percent} %), ${Math.round(perSecond)} a second${left}`;
    if (!isTerminal) return show(formatLines([`playmoney: ${work}: ${state}`]));
    this.#hasBar = true;
    const bar = '#'.repeat(Math.floor((done / total) * BAR_WIDTH)).padEnd(BAR_WIDTH, '-');
    show(formatRedrawn(`${work} [${bar}] ${state}`));
  }

  /** Removes the bar, so that something else can be printed. */
  hide(): void {
    if (this.#hasBar) this.screen.print(formatRedrawn(''));
    this.#hasBar = false;
  }

  #begin(work: string, done: number, now: number): void {
    this.hide();
    this.#work = work;
    this.#begun = now;
    this.#doneAtFirst = done;
    // The first bar is shown at once, the first line after a few seconds.
    this.#shown = this.screen.isTerminal ? -Infinity : now;
  }
}

export function stderrProgress(): Progress {
  return new Progress({
    isTerminal: process.stderr.isTTY,
    print: (text) => print(process.stderr, text),
    now: () => performance.now(),
  });
}
