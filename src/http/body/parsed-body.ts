import { CODE, refuse } from '../../core/errors.js';

/** A request of Node as an app passes it on. A body parser of the app may have read its body. */
export interface Incoming {
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly url?: string | undefined;
  /** The address before the app removed the path under which it mounts the sandbox. */
  readonly originalUrl?: string | undefined;
  readonly readableDidRead?: boolean | undefined;
  /** What parsers leave. */
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/** By media type, the parsers that are often to blame. */
const PARSERS: Readonly<Record<string, string>> = {
  'application/json': ' (express.json(), bodyParser() of Koa, or the own one of Fastify)',
  'application/x-www-form-urlencoded': ' (express.urlencoded(), or bodyParser() of Koa)',
  'multipart/form-data': ' (such as multer)',
  'text/plain': ' (express.text(), or the own one of Fastify)',
};
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

export function refuseParsed(contentType: string): never {
  const [type = ''] = contentType.toLowerCase().split(/\s*;/, 1);
  const detail = `A parser of ${type === '' ? 'bodies' : type}${PARSERS[type] ?? ''} read this body before the sandbox, and what it left cannot be turned back into the bytes that were sent. Mount the sandbox before the parser, or let it keep the bytes as rawBody of the request.`;
  return refuse(CODE.ValidationError, detail, { httpStatus: 500 });
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
