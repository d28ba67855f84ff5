/** Refuses arguments that JSON does not have: sent as `{}` or left out, they would make a call mean something else. */

/** Refuses a promise, a regular expression, a Map and the like, also inside of objects and arrays. `name` says where it stands. */
export function requireSendable(value: unknown, name: string): void {
  const why = explainUnsendable(value, name);
  if (why !== null) throw new TypeError(`${name} is ${why}.`);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return;
  for (const [field, inner] of Object.entries(value) as [string, unknown][]) {
    requireSendable(inner, name === THE_BODY ? field : `${name}.${field}`);
  }
}

/** The name of an argument that is the whole body of a call. */
export const THE_BODY = 'The argument';

/** Returns an object of named options. Refuses everything else. */
export function requireOptions<T>(value: T, name: string): T {
  requireSendable(value, name);
  if (isPlainObject(value)) return value;
  throw new TypeError(`${name} must be an object, not ${describeKind(value)}.`);
}

/** Returns a text. Refuses everything else. */
export function requireText(value: unknown, name: string): string {
  requireSendable(value, name);
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} must be a string, not ${describeKind(value)}.`);
}

/** Whether a value is an object of fields, also one of another realm or of a class; not an array, a promise and the like. */
export function isPlainObject(value: unknown): value is object {
  return typeTag(value) === 'Object';
}

/** `RegExp` for any regular expression, also one of another realm, such as a test file of Jest; `Promise` also for a query that waits. */
function typeTag(value: unknown): string {
  const { then = null } = (value ?? {}) as { readonly then?: unknown };
  if (typeof then === 'function') return 'Promise';
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

/** Refuses a promise, which would be sent as the text "[object Promise]". */
export function requireAwaited(...values: readonly unknown[]): void {
  if (values.some((value) => typeTag(value) === 'Promise'))
    throw new TypeError(`The argument is ${AWAIT_IT}.`);
}

const AWAIT_IT = 'a promise. Await it first';

function explainUnsendable(value: unknown, name: string): string | null {
  const kind = typeTag(value);
  switch (kind) {
    case 'Object':
      return 'asymmetricMatch' in (value as object)
        ? 'a matcher of a test runner. Pass the value itself'
        : null;
    case 'Promise':
      return AWAIT_IT;
    case 'RegExp':
      return `the regular expression ${String(value)}. Pass a text: in a path, * stands for any characters. For more, filter what journal.entries() returns`;
    case 'Number':
      return Number.isFinite(value) ? null : `${String(value)}. Pass a finite number`;
    case 'Undefined':
      return name.includes('Body.') ? 'undefined. Leave it out, or pass null if it has no value' : null;
    case 'Array':
    case 'Boolean':
    case 'Date':
    case 'Null':
    case 'String':
      return null;
    default:
      return `a ${kind}, which JSON does not have. Pass a plain object, an array, a text or a number`;
  }
}

function describeKind(value: unknown): string {
  const kind = typeTag(value).toLowerCase();
  if (kind === 'null' || kind === 'undefined') return kind;
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
