import { CODE, refuse } from '../core/errors.js';

const FILE = new URL('texts.json', import.meta.url);

/** The long texts, from the file beside this one. The build puts this in place of the constant, so that only those who need them load them. */
export const __TEXTS__: Promise<string> = load();

async function load(): Promise<string> {
  const response = await fetch(FILE).catch(() => null);
  if (response?.ok === true) return response.text();
  const status = response?.status ?? 'no answer';
  return refuse(
    CODE.RetryLater,
    `${FILE.href} cannot be read (${status}). Copy texts.json from the folder dist of playmoney, beside its script.`,
  );
}
