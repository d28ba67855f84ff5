import { rmSync, utimesSync, writeFileSync } from 'node:fs';

import { codeOf, FileError, refuseWrite } from '../files/file-error.js';
import { OWNER_ONLY } from '../files/whole-file.js';

/** How often a process touches its claim. */
const TOUCH_MS = 1_000;
/** A process that has not touched its claim for so long counts as ended, if it cannot be looked up. */
export const SILENT_MS = 10_000;

/** The claim of this process: an empty file, which it touches until it ends. */
export class OwnClaim {
  #touchedAt = Date.now();
  #isLost = false;
  readonly #timer: NodeJS.Timeout;

  /** Creates the file; throws a FileError if it cannot. */
  constructor(
    private readonly file: string,
    private readonly what: string,
    /** Whether no other process has a claim. */
    private readonly isAlone: () => boolean,
  ) {
    try {
      this.#write();
    } catch (error) {
      refuseWrite(file, error);
    }
    this.#timer = setInterval(() => this.#touch(), TOUCH_MS).unref();
    process.once('exit', this.release);
  }

  /** Throws a FileError if others may have taken the claim for that of an ended process. */
  requireHeld(): void {
    this.#touch();
    if (!this.#isLost) return;
    throw new FileError(
      `${this.what} may be in use by another server, because this one was suspended or its claim ${this.file} was deleted. It saves nothing there any more: stop it, and start it again`,
    );
  }

  readonly release = (): void => {
    clearInterval(this.#timer);
    process.off('exit', this.release);
    try {
      rmSync(this.file, { force: true });
    } catch {
      // A file that cannot be deleted does no harm: its process has ended.
    }
  };

  #write(): void {
    writeFileSync(this.file, '', { flag: 'wx', mode: OWNER_ONLY });
  }

  #touch(): void {
    const now = Date.now();
    try {
      utimesSync(this.file, now / 1000, now / 1000);
    } catch (error) {
      if (this.#isLost || codeOf(error) !== 'ENOENT') return;
      this.#isLost = now - this.#touchedAt >= SILENT_MS || !this.#isMadeAgain();
      if (this.#isLost) this.release();
    }
    this.#touchedAt = now;
  }

  /** A user has deleted the file, or has moved the folder, which another process may then have claimed. */
  #isMadeAgain(): boolean {
    try {
      this.#write();
      return this.isAlone();
    } catch {
      // There is no folder at present.
      return true;
    }
  }
}
