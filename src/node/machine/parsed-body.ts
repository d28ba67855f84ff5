import { type Incoming, refuseParsed } from '../../http/body/parsed-body.js';

/** More digits may be those of another number, which the parser has rounded. */
const EXACT = /^-?(?:\.?\d){1,15}$/;

/** The bytes of a body that a parser has read; null if none has. Refuses a body that cannot be turned back into the same bytes. */
export function bytesOfParsed({ headers = {}, readableDidRead, rawBody, body }: Incoming): Uint8Array | null {
  if (rawBody instanceof Uint8Array) return rawBody;
  if (readableDidRead !== true) return null;
  if (body instanceof Uint8Array) return body;
  const { 'content-length': stated, 'transfer-encoding': coding, 'content-type': type } = headers;
  if (coding === undefined && !(Number(stated) > 0)) return new Uint8Array();
  for (const text of textsOf(rawBody, body)) {
    const bytes = new TextEncoder().encode(text);
    // Only equal lengths show that nothing was lost, such as a repeated field.
    if (bytes.length === Number(stated)) return bytes;
  }
  return refuseParsed(String(type ?? ''));
}

/** The texts that may have been sent: JSON as most programs format it. */
function* textsOf(rawBody: unknown, body: unknown): Generator<string> {
  for (const text of [rawBody, body]) if (typeof text === 'string') yield text;
  if (body === undefined || !isExact(body)) return;
  yield JSON.stringify(body);
  // As Python formats it, and people.
  yield JSON.stringify(body, null, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '');
  yield JSON.stringify(body, null, 2);
}

/** Whether no number can have been rounded, nor anything be nested too deeply. */
function isExact(body: unknown): boolean {
  let all = true;
  try {
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value === 'number') all &&= EXACT.test(String(value));
      return value;
    });
  } catch {
    return false;
  }
  return all;
}
