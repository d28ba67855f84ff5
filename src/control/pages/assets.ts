import { decodeBase64 } from '../../core/text/base64.js';
import { type StoredAsset, readTexts } from '../../core/texts.js';

/** A text that pages and programs load. */
interface Asset extends Omit<StoredAsset, 'gzip'> {
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly plain: () => ReadableStream<Uint8Array>;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** The asset of a name such as `sdk.js`. */
export async function requireAsset(name: string): Promise<Asset> {
  const found = (await readTexts()).assets[name];
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (found === undefined || type === undefined) {
    throw new Error(`There is no asset ${name}. Add it to build/texts.mjs.`);
  }
  const gzipped = decodeBase64(found.gzip) as Uint8Array<ArrayBuffer>;
  const plain = (): ReadableStream<Uint8Array> =>
    new Blob([gzipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  return { gzipped, plain, bytes: found.bytes, tag: found.tag, type };
}

export async function readAsset(name: string): Promise<string> {
  return new Response((await requireAsset(name)).plain()).text();
}
