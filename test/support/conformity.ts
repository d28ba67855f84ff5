import { whyOtherwise } from '../../src/openapi/conformity.js';

/** No answer of any test is otherwise than the interface is described; faults and the sdk dialect are not described. */
export function requireConformity(request: Request, response: Response, body: unknown): void {
  if (response.headers.has('x-sandbox-fault') || isSdk(body)) return;
  const { pathname: path } = new URL(request.url);
  const why = whyOtherwise({ method: request.method, path, status: response.status, body });
  if (why !== null) throw new Error(why);
}

/** The sdk dialect begins each name with a small letter. */
function isSdk(body: unknown): boolean {
  const one: unknown = Array.isArray(body) ? body[0] : body;
  const [name = 'A'] = Object.keys(one ?? {});
  return /^[a-z]/.test(name);
}
