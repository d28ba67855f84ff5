import { CODE, refuse } from '../../core/errors.js';

/** A request of Node as an app passes it on. A body parser of the app may have read its body. */
export interface Incoming {
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly url?: string | undefined;
  /** The address before the app removed the path under which it mounts the sandbox. */
  readonly originalUrl?: string | undefined;
  readonly readableDidRead?: boolean | undefined;
  /** Parsers put the body here. */
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
/** Refuses a body that a parser has read, and that cannot be turned back into the same bytes. */
export function refuseParsed(contentType: string): never {
  const [type = ''] = contentType.toLowerCase().split(/\s*;/, 1);
  const detail = `A parser of ${type === '' ? 'bodies' : type}${PARSERS[type] ?? ''} read this body before the sandbox, and what it left cannot be turned back into the bytes that were sent. Mount the sandbox before the parser, or let it keep the bytes as rawBody of the request.`;
  return refuse(CODE.ValidationError, detail, { httpStatus: 500 });
}
