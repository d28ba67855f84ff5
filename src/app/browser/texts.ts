import { CODE, refuse } from '../../core/errors.js';
import { fetchNatively } from './host.js';

/** The long texts, from the file beside this one. The build puts this in place of the constant, so that only those who need them load them. */
export async function __TEXTS__(): Promise<string> {
  const address = findTextsAddress();
  const response = await requestTexts(address).catch(() => null);
  const text = response?.ok === true ? await response.text() : '';
  // Servers of single-page applications answer any path with a page.
  if (text.startsWith('{')) return text;
  const found = text === '' ? (response?.status ?? 'no answer') : 'it is not JSON';
  return refuse(
    CODE.RetryLater,
    `${address} cannot be read (${found}). Copy it from the folder dist of playmoney, or let vite dev leave the package as it is: optimizeDeps: { exclude: ['playmoney'] }.`,
  );
}

/** A test runner that has a DOM, such as vitest with jsdom, runs on Node, where no fetch reads files. */
async function requestTexts(address: string): Promise<Response> {
  const { process } = globalThis as Partial<typeof globalThis>;
  const files = address.startsWith('file:') ? process?.getBuiltinModule?.('node:fs/promises') : undefined;
  if (files === undefined) return fetchNatively(address);
  return new Response(await files.readFile(new URL(address), 'utf8'));
}

/** In this form bundlers take the file along. A classic script does not know its address, and a blob has none: then the file is beside the page. */
function findTextsAddress(): string {
  const { url } = import.meta as { readonly url?: string };
  const isPlaced = url !== undefined && URL.canParse('./texts.json', url);
  return isPlaced ? new URL('./texts.json', import.meta.url).href : 'texts.json';
}
