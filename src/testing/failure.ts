import { join } from 'node:path';

import { formatCount, escapeUnseen, quoteForShell } from '../core/text/text.js';
import { writeBundleFile } from '../node/bundles/bundle-file.js';
import { createFolder } from '../node/files/whole-file.js';
import { WITHIN } from '../client/call.js';
import type { JournalEntry, World } from '../index.js';

/** How many calls of a failed test are shown. */
const SHOWN_MAX = 50;

/** Shows the calls of a failed test. If PLAYMONEY_BUNDLES names a folder, also writes a bundle there. */
export async function reportFailure(name: string, world: World): Promise<void> {
  const folder = process.env['PLAYMONEY_BUNDLES'] ?? '';
  const lines = [listCalls(name, world), ...(folder === '' ? [] : [writeBundle(world, folder)])];
  const shown = lines.map((line) => line.catch((error: unknown) => escapeUnseen(String(error))));
  // Runners show it with the failure.
  console.error((await Promise.all(shown)).join('\n'));
}

/** Writes the bundle of a world into a folder, and says how to open it. */
async function writeBundle(world: World, folder: string): Promise<string> {
  createFolder(folder);
  const file = join(folder, `${world.key.replace(/^sk_test_/, '')}.json`);
  await writeBundleFile(world, file);
  return `  The whole failure: ${escapeUnseen(file)}. Open it with: playmoney open ${escapeUnseen(quoteForShell(file))}`;
}

/** The last calls of a failed test, one per line. */
async function listCalls(name: string, world: World): Promise<string> {
  const entries = await world.journal.entries();
  if (entries.length === 0)
    return `${escapeUnseen(name)}: no call reached the sandbox with the key ${shownKey(world.key)}. ${hintForWorld(world)}`;
  const left = entries.length - SHOWN_MAX;
  const lines = entries.slice(-SHOWN_MAX).map(formatEntry);
  const head = `${name}: ${formatCount(entries.length, 'call')} reached the sandbox${left > 0 ? `; the last ${SHOWN_MAX}` : ''}:`;
  return [head, ...lines].map(escapeUnseen).join('\n');
}

/** Without a port, only calls of `fetch` arrive: for others the name of the sandbox does not exist. */
function hintForWorld({ url }: World): string {
  const check = 'Check the address and the key that your program uses.';
  return url === WITHIN
    ? `${check} A client that does not use fetch, such as node:http or axios, needs a port: open one with serve(sandbox).`
    : check;
}

/** The time, the call, its status, its reference, what decided it, and the error message. */
function formatEntry(entry: JournalEntry): string {
  const { at, method, path, query, status, trigger, fault, undone, requestBody, responseBody } = entry;
  const address = query === '' ? path : `${path}?${query}`;
  const answer = status === 0 ? 'no answer' : String(status);
  const reference = readFirstText(requestBody, 'Reference', 'reference');
  const cells = [
    `  ${at.slice(11, 23)}`,
    method.padEnd(6),
    address,
    answer,
    reference,
    trigger ?? '',
    fault ?? '',
    undone ? '(undone)' : '',
  ];
  const message = status >= 400 ? readFirstText(responseBody, 'Message', 'message') : '';
  return [...cells.filter((cell) => cell !== ''), message].join('  ').trimEnd();
}

/** A text field of a body, by its name in either dialect. */
function readFirstText(body: unknown, ...names: readonly string[]): string {
  if (typeof body !== 'object' || body === null) return '';
  const texts = names.map((name) => (body as Readonly<Record<string, unknown>>)[name]);
  return texts.find((text) => typeof text === 'string') ?? '';
}

/** A key without its last part: even a test's key is secret. */
function shownKey(key: string): string {
  return `${key.slice(0, key.lastIndexOf('_'))}_…`;
}
