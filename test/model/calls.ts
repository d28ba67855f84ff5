/** The requests of the model and of races, and how their answers are read. */

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The JSON object of an answer. */
export type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export type Ask = (call: Call) => Promise<Answer>;

const calling =
  (method: Call['method']) =>
  (path: string, body?: object, outcome: string | null = null): Call => ({
    method,
    path,
    ...(body && { body }),
    headers: outcome === null ? {} : { 'x-sandbox-outcome': outcome },
  });

/** Requests by their path, their body, and the outcome that their own header asks for. */
export const post = calling('POST');
export const put = calling('PUT');
export const del = calling('DELETE');
export const get = (path: string): Call => ({ method: 'GET', path });

/** The fields of a body that are given: null stands for one that is left out. */
export const given = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** A value deep in an answer; undefined if it is not there. */
export function valueIn(body: unknown, ...path: string[]): unknown {
  let value = body;
  for (const name of path) value = (value as Body | null | undefined)?.[name];
  return value;
}

/** A text deep in an answer. */
export function textIn(body: Body, ...path: string[]): string {
  const value = valueIn(body, ...path);
  if (typeof value === 'string') return value;
  throw new Error(`The answer has no text ${path.join('.')}`);
}

/** Throws unless both are the same as JSON. */
export function requireSame(what: string, shown: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(shown), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what} differs.\n  shown:    ${a}\n  expected: ${b}`);
}
