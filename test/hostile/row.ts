import { requireErrorRow } from '../../src/core/errors.js';
import { CLOSE, HOST, JSON_TYPE, requestText } from '../node/http/support.js';

export { CLOSE, HOST, JSON_TYPE } from '../node/http/support.js';

/** How the hostile cases are written: one row each, under what is wrong with it, the same members in every class. */

/** What must come back. */
export interface Expected {
  readonly status: number;
  /** The code of the error body, and the essential part of its message; else what must stand somewhere in the answer. */
  readonly code?: number;
  readonly says: readonly string[];
}

export interface Row {
  /** What goes over the wire, one character a byte; several texts go over connections of their own, at the same time. */
  readonly sends: string | readonly string[];
  /** All answers, in their order, or by status where there are several connections. None: closed without a word. */
  readonly gets: readonly Expected[];
  /** Requests that are sent one after the other before, and answered 200. */
  readonly after?: readonly string[];
  /** Sent when it is over, to show what became of the world. */
  readonly then?: readonly (readonly [sends: string, gets: Expected])[];
  /** The client ends its side of the connection once everything is sent. */
  readonly ends?: boolean;
  /** Which of the servers it is sent to; `open` unless told otherwise. */
  readonly to?: ServerName;
}

/** A class of cases, by what is wrong with each. */
export type Rows = Readonly<Record<string, Row>>;

/**
 * `open` is as a program starts it; `guarded` has small limits, an admin token, strict members, and test cards alone; the memory
 * of `full` is full.
 */
export type ServerName = 'open' | 'guarded' | 'full';

/** A row; what it gets may be one answer or several. */
export function row(
  sends: Row['sends'],
  gets: Expected | readonly Expected[],
  more: Pick<Row, 'after' | 'then' | 'ends' | 'to'> = {},
): Row {
  return { sends, gets: Array.isArray(gets) ? (gets as Expected[]) : [gets as Expected], ...more };
}

/** A refusal: its message begins with the code's own, and holds these words. */
export function refused(status: number, code: number, ...says: string[]): Expected {
  return { status, code, says };
}

/** A refusal of what cannot be read or is wrong in itself. */
export const bad = (...says: string[]): Expected => refused(400, 90, ...says);

/** An answer that is no refusal, somewhere in which these words stand. */
export function taken(...says: string[]): Expected {
  return { status: 200, says };
}

/** Nothing comes but the end of the connection. */
export const CLOSED: readonly Expected[] = [];

export function beginningOf(code: number): string {
  return requireErrorRow(code).message;
}

/** The key of all cases, and that of a world which none of them may touch. */
export const KEY = 'sk_test_hostile_7Qx2vLwZ';
export const NEIGHBOUR = 'sk_test_neighbour_9Rk4';
/** A card number that nobody published, and a Ccv: neither may come back. */
export const PAN = '4929123456781236';
export const CCV = '847';
export const ADMIN = 'admin-token-5Gt8';
/** What is in the world of each case before it begins. */
export const AUTHORISED = 'd0000000000000000000000000000001';
export const CAPTURED = 'd0000000000000000000000000000002';
export const CUSTOMER = 'c0000000000000000000000000000001';
export const METHOD = 'a0000000000000000000000000000001';
export const ENTRY = 'e0000000000000000000000000000001';
export const PROVIDER = '00000000000000000000000000000001';

export const SECRET = `x-secretkey: ${KEY}`;
export const KEEP = 'Connection: keep-alive';
/** What a row says more: to the other server. */
export const GUARDED = { to: 'guarded' } as const;
export const FULL = { to: 'full' } as const;
const ALL = [HOST, SECRET, CLOSE];

/** Bytes of a text in UTF-8, one character a byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** A request without a body; headers are added to, or put in the place of, those that every request has. */
export function ask(method: string, path: string, ...headers: string[]): string {
  return requestText(`${method} ${path}`, withHeaders(ALL, headers));
}

export const get = (path: string, ...headers: string[]): string => ask('GET', path, ...headers);
export const del = (path: string, ...headers: string[]): string => ask('DELETE', path, ...headers);

/** A request with a body: a text goes as it is, one character a byte, anything else as JSON. */
export function send(method: string, path: string, body: unknown, ...headers: string[]): string {
  const text = typeof body === 'string' ? body : utf8(JSON.stringify(body));
  return requestText(`${method} ${path}`, withHeaders([...ALL, JSON_TYPE], headers), text);
}

export const post = (path: string, body: unknown, ...headers: string[]): string =>
  send('POST', path, body, ...headers);
export const put = (path: string, body: unknown, ...headers: string[]): string =>
  send('PUT', path, body, ...headers);

/** A given header stands in the place of the one of its name; one that is a name alone takes it away. */
function withHeaders(base: readonly string[], given: readonly string[]): string[] {
  const nameOf = (header: string): string => header.split(':', 1)[0]?.toLowerCase() ?? '';
  const names = new Set(given.map(nameOf));
  const kept = base.filter((header) => !names.has(nameOf(header)));
  return [...given.filter((header) => header.includes(':')), ...kept];
}

/** A charge of the unpublished card. */
export const charge = (more: object = {}): object => ({
  Amount: '20.00',
  ProviderId: PROVIDER,
  PaymentInformation: card(),
  ...more,
});

export const card = (more: object = {}): object => ({
  CardNumber: PAN,
  ExpiryDate: '12/30',
  Ccv: CCV,
  ...more,
});

/** The text of a charge's body, with a member more that is no JSON of this program's making. */
export const chargeWith = (member: string): string => `${JSON.stringify(charge()).slice(0, -1)},${member}}`;

/** A charge of the unpublished card, sent. */
export const charging = (more: object = {}, ...headers: string[]): string =>
  post('/charge/card', charge(more), ...headers);
export const chargingWith = (member: string): string => post('/charge/card', chargeWith(member));

/** The unpublished card number in groups of four, by the replacement of what comes before the next group. */
export const grouped = (group: string): string => PAN.replaceAll(/\d{4}(?=\d)/g, group);

export const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** One chunk of a chunked body. */
export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
