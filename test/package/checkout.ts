import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
/** The stages of the Dockerfile: one builds, one runs. */
export const [BUILD = '', RUN = ''] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  .split(/^(?=FROM )/m)
  .filter((stage) => stage.startsWith('FROM '));

/** The names that the image's build copies from the checkout, each with what it stands for there. */
export function copiedByBuild(): { pattern: string; names: string[] }[] {
  const patterns = [...BUILD.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, words = '']) =>
    words.split(' '),
  );
  return patterns.map((pattern) => ({
    pattern,
    names: pattern.startsWith('*')
      ? readdirSync(ROOT).filter((name) => name.endsWith(pattern.slice(1)))
      : [pattern],
  }));
}

/** A new folder with what the image's build copies, and the dependencies of the checkout. */
export function copyOfCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playmoney-checkout-'));
  for (const { names } of copiedByBuild()) {
    for (const name of names) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
