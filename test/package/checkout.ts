import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
/** The stages of the Dockerfile: one builds, one runs. */
export const [BUILD = '', RUN = ''] = DOCKERFILE.split(/^(?=FROM )/m).filter((stage) =>
  stage.startsWith('FROM '),
);

/** The names that the image's build copies from the checkout. */
export function copiedByBuild(): string[] {
  return [...BUILD.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, words = '']) => words.split(' '));
}

/** A new folder with what the image's build copies, and the dependencies of the checkout. */
export function copyOfCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'playmoney-checkout-'));
  for (const name of copiedByBuild()) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
