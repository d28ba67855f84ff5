import { statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { CallSite } from '../../sweep/report/code-line.js';
import type { CodeLine } from '../../sweep/public.js';
import { PROGRAM_FOLDER } from '../machine/program-folder.js';

/** How many frames are looked at: client libraries may have many of their own. */
const FRAMES_MAX = 50;
/** `dist/` of the package, or `src/` of the source tree. */
const OWN_FOLDER = PROGRAM_FOLDER.replace(/(?<=\/src\/)node\/machine\/$/, '');
/** `at pay (file:///shop/src/shop.js:41:20)`, `at async /shop/src/shop.js:41:20`. */
const FRAME = /^ +at (?:.*\()?(?:async )?(.+?):(\d+):\d+\)?$/;

/** The place of findings in a report if nothing better is known. */
export const DEFAULT_SCRIPT: CodeLine = { file: 'package.json', line: 1 };

/** The script that a command names: its first word that is a file of this project. */
export function findScript(command: readonly string[]): CodeLine {
  const files = command.flatMap((word) => toProjectFile(resolve(word)) ?? []);
  const file = files.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  return file === undefined ? DEFAULT_SCRIPT : { file, line: 1 };
}

/** The path from the working directory; null for a file outside of it, or of an installed package. */
export function toProjectFile(path: string): string | null {
  const file = relative(process.cwd(), path).replaceAll(sep, '/');
  return /^(?:\.\.|\/|\w:)|(?:^|\/)node_modules\//.test(file) ? null : file;
}

/** Notes where a call is made. Only the frames are kept: their text takes longer than the call, so it is made on demand. */
export function captureCallSite(request: Request): CallSite {
  const stack = captureStack();
  const { method, url } = request;
  return { method, path: new URL(url).pathname, locate: () => findOwnFrame(stack.stack ?? '') };
}

/** The line of the program that called the function that calls this. */
export function locateCaller(): CodeLine | null {
  return findOwnFrame(captureStack().stack ?? '');
}

function captureStack(): Error {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES_MAX;
  const stack = new Error();
  Error.stackTraceLimit = before;
  return stack;
}

/** The first frame that belongs to the project: neither to this package nor to an installed one. */
function findOwnFrame(stack: string): CodeLine | null {
  for (const frame of stack.split('\n')) {
    const [, place = '', line] = FRAME.exec(frame) ?? [];
    const path = place.startsWith('file://') ? fileURLToPath(place) : place;
    if (!isAbsolute(path) || pathToFileURL(path).href.startsWith(OWN_FOLDER)) continue;
    const file = toProjectFile(path);
    if (file !== null) return { file, line: Number(line) };
  }
  return null;
}
