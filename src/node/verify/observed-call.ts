import { isObject, parseJson } from '../../core/text/text.js';
import type { PassedCall } from '../record/proxy.js';
import { type Contract, findDescribedCall, guessDialect, nameUnknownCall } from './contract.js';
import { type AnswerShape, readFieldShapes } from './shape.js';
import { readBodyField } from './stand-in-records.js';

/** A call of the suite, and what the service answered. */
export interface ObservedCall {
  /** When its answer had arrived, in milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** The path and query. */
  readonly target: string;
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  readonly code: number | null;
  /** Undefined if it is not JSON. */
  readonly answer: unknown;
  readonly answerHeaders: readonly (readonly [name: string, value: string])[];
  /** Why the answer cannot be read; null if it can. */
  readonly lost: string | null;
}

/** Headers that a proxy passes on as they are. */
const PRESENT_ONLY = /^(?:retry-after|x-payfurl-[a-z-]+)$/;

const OWN_PREFIX = 'x-payfurl-';
const CHARSET_PARAMETER = /^charset="?[a-z\d_-]{1,20}"?$/;

export function observeCall(passed: PassedCall, at: number): ObservedCall {
  const { method, target, status, failure } = passed;
  const [sent, answered] = [passed.sent.content, passed.answered.content];
  const answer = parseJson(answered.text);
  return {
    at,
    method,
    target,
    path: target.split('?')[0] ?? '',
    headers: Object.fromEntries(pairHeaders(passed.headers)),
    body: sent.text === '' ? null : sent.text,
    status,
    code: readCode(answer),
    answer,
    answerHeaders: pairHeaders(passed.answerHeaders),
    lost: failure ?? answered.lost ?? sent.lost,
  };
}

function pairHeaders(raw: readonly string[]): (readonly [string, string])[] {
  return raw.flatMap((name, n) => (n % 2 === 0 ? [[name.toLowerCase(), raw[n + 1] ?? ''] as const] : []));
}

export function readCode(answer: unknown): number | null {
  const code = isObject(answer) ? readBodyField(answer, 'Code') : null;
  return typeof code === 'number' && Number.isInteger(code) ? code : null;
}

/** An answer without its values. */
export function describeAnswer(call: ObservedCall, contract: Contract): AnswerShape {
  const { method, path, status, code, answer, answerHeaders } = call;
  const described = findDescribedCall(method, path);
  const known = contract.findFields(described?.row, status < 400, guessDialect(listNames(answer)));
  return {
    operation: described?.name ?? nameUnknownCall(method, path),
    status,
    code: status < 400 ? null : code,
    headers: answerHeaders.flatMap(([name, value]) => {
      if (name === 'content-type') return [`${name}: ${shortenMediaType(value)}`];
      if (PRESENT_ONLY.test(name)) return [name];
      // A name with digits may have an identifier.
      return name.startsWith(OWN_PREFIX) ? [`${OWN_PREFIX}…`] : [];
    }),
    fields: readFieldShapes(typeof answer === 'object' && answer !== null ? answer : undefined, known),
  };
}

/** Without parameters, except the charset: others may be somebody's text. */
function shortenMediaType(text: string): string {
  const [type, ...parameters] = text.toLowerCase().split(/\s*;\s*/);
  return [type, ...parameters.filter((parameter) => CHARSET_PARAMETER.test(parameter))].join('; ');
}

/** The names of the outermost fields of an answer. */
export function listNames(answer: unknown): readonly string[] {
  return [answer].flat().flatMap((item) => (isObject(item) ? Object.keys(item) : []));
}
