import fc from 'fast-check';
import { words } from '../../support/tables.js';
import { weighted } from './weighted.js';

/** A request as text. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** One character a byte. */
  readonly body: string | null;
}

/** What is done to a request; `at` chooses among the places where it can be done. */
export type Mutation =
  | { readonly kind: 'drop' | 'double' | 'wrap'; readonly at: number }
  | { readonly kind: 'add'; readonly at: number; readonly member: string }
  | { readonly kind: 'encode'; readonly encoding: Encoding }
  | { readonly kind: 'retype'; readonly at: number; readonly value: string }
  | { readonly kind: 'splice'; readonly at: number; readonly cut: number; readonly bytes: string }
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  | { readonly kind: 'path'; readonly at: number; readonly text: string }
  | { readonly kind: 'query'; readonly text: string }
  | { readonly kind: 'method'; readonly method: string };

/** Ways to write a body that is not what its type says. */
const ENCODINGS = ['utf-16', 'byte order mark', 'latin-1', 'form', 'list'] as const;
type Encoding = (typeof ENCODINGS)[number];

const at = fc.nat({ max: 100_000 });

/** Texts of JSON that stand where another kind of value should. */
const VALUES = [
  ...words`
    null true false 0 -1 -0 1e999 1e-999 9007199254740993 0.1 "" [] {} [[]] [null] {"a":1} "__proto__"
    "constructor" "toString" "\u0000" "\ud83d\ude00" "2026-02-30T00:00:00Z" "9999-12-31T23:59:59.999Z"
    "1970-01-01T00:00:00Z" "99999999d" "0s" "*" "../.." 4111111111111111 "4000000000000002" "JPY" "BHD"
    "0000000000000000000000000000dead" 999999999.99 "999999999.99" 2147483648 1000000000 "tok_used"
    "tok_insufficient_funds" 1e308 -999999999999.99 5e-324 "\u202eevil" "\ud800" "<script>alert(1)</script>"
    "%s%n%00" "\r\nset-cookie: a=b" "İıẞﬁ"
  `,
  '" "',
  `"' OR 1=1; --"`,
  '"$${jndi:ldap://x}"',
  `"${'x'.repeat(1024)}"`,
  `"${'x'.repeat(1025)}"`,
  `[${'1,'.repeat(200)}1]`,
  `1${'0'.repeat(399)}`,
  `"${'9'.repeat(400)}"`,
];
/** Members that no contract has. */
const ADDED = words`
  "Colour":"red" "amount":1 "":0 "a":{"b":[null]} "toString":"x" "__proto__":{}
`;
const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  [
    'x-sandbox-outcome',
    [
      'insufficient_funds',
      'approve, delay=1s',
      'nothing',
      '',
      ',',
      'provider_unavailable',
      'gateway_timeout',
    ],
  ],
  ['x-sandbox-fault', ['status=503', 'status=204', 'malformed', 'status=999', 'hang; phase=never', '']],
  ['x-sandbox-dialect', ['sdk', 'documented', 'SDK', '', 'klingon']],
  [
    'content-type',
    ['text/plain', 'application/json; charset=utf-16', '', 'application/json;', 'multipart/form-data'],
  ],
  ['content-encoding', ['gzip', 'identity', 'br']],
  ['x-secretkey', ['', 'sk_live_x', 'pk_test_x', 'a,b', 'sk_test_invalid']],
  ['x-publickey', ['pk_test_x', '']],
  ['host', ['evil.com', 'localhost:1', '[::1]', 'a b']],
  ['origin', ['null', 'https://evil.com', 'http://localhost:1']],
  ['providerid', ['x', '0000000000000000000000000000dead', '']],
  ['accept', ['text/html', '*/*;q=0']],
  ['content-length', ['99999999', '-1', 'x']],
];
const PATHS = ['/', '//', '/..', '%2f', '%00', '%', '%ff', ';a=b', 'x', '__proto__', 'A', '.json', '~'];
const QUERIES = words`
  Limit=0 Limit=501 limit=1&Limit=2 Skip=-1 Skip=9007199254740993 SortBy=x SortBy=-Amount a=1 && = % Amount=1
  Amount=0 AddedAfter=x AddedBefore=9999-12-31T23:59:59Z CardNumber=4 Status=constructor IncludeRemoved=maybe
  Currency=XXX __proto__=1 Comment=%00
`;

const SPLICED = ['', '"', '}', '{', ',', '\\', '\\u', '\0', '\xff', '\xc3', '\ufeff', '/*', '1'];
const METHODS = words`GET POST PUT DELETE PATCH OPTIONS`;
const splicedBytes = fc.oneof(fc.constantFrom(...SPLICED), fc.string({ maxLength: 6 }));

/** The kind of a change, or one of several. */
const of = <const K extends Mutation['kind']>(...kinds: readonly K[]) => fc.constantFrom(...kinds);

const header = fc
  .constantFrom(...HEADERS)
  .chain(([name, values]) =>
    fc.record({ kind: of('header'), name: fc.constant(name), value: fc.constantFrom(...values) }),
  );

const mutation: fc.Arbitrary<Mutation> = weighted<Mutation>(
  [4, fc.record({ kind: of('drop', 'double', 'wrap'), at })],
  [1, fc.record({ kind: of('add'), at, member: fc.constantFrom(...ADDED) })],
  [1, fc.record({ kind: of('encode'), encoding: fc.constantFrom(...ENCODINGS) })],
  [6, fc.record({ kind: of('retype'), at, value: fc.constantFrom(...VALUES) })],
  [2, fc.record({ kind: of('splice'), at, cut: fc.nat({ max: 8 }), bytes: splicedBytes })],
  [2, header],
  [1, fc.record({ kind: of('path'), at, text: fc.constantFrom(...PATHS) })],
  [1, fc.record({ kind: of('query'), text: fc.constantFrom(...QUERIES) })],
  [1, fc.record({ kind: of('method'), method: fc.constantFrom(...METHODS) })],
);

/** One to three changes: more of them are refused for the first alone. */
export const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

interface Draft {
  method: string;
  path: string;
  headers: Map<string, string>;
  body: string | null;
}

/** A request as it is sent; its body as bytes, of which some may be no UTF-8. */
export interface Changed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** A request after its changes. */
export function mutated(sent: Sent, changes: readonly Mutation[]): Changed {
  const draft: Draft = {
    ...sent,
    headers: new Map(sent.headers.map(([name, value]) => [name.toLowerCase(), value])),
  };
  for (const change of changes) apply(draft, change);
  const { method, path, headers } = draft;
  const isBare = method === 'GET' || method === 'HEAD' || draft.body === null;
  const body = isBare ? null : new Uint8Array(Buffer.from(draft.body ?? '', 'latin1'));
  return { method, path, headers: Object.fromEntries(headers), body };
}

function apply(draft: Draft, change: Mutation): void {
  switch (change.kind) {
    case 'encode':
      if (draft.body !== null) draft.body = encoded(draft.body, change.encoding);
      break;
    case 'drop':
    case 'double':
    case 'wrap':
    case 'add':
    case 'retype':
      if (draft.body !== null) draft.body = changedMember(draft.body, change);
      break;
    case 'splice':
      if (draft.body !== null) draft.body = spliced(draft.body, change.at, change.cut, change.bytes);
      break;
    case 'header':
      draft.headers.set(change.name, change.value);
      break;
    case 'path': {
      const [path = '', ...query] = draft.path.split('?');
      const place = 1 + (change.at % path.length);
      draft.path = [path.slice(0, place) + change.text + path.slice(place), ...query].join('?');
      break;
    }
    case 'query':
      draft.path += (draft.path.includes('?') ? '&' : '?') + change.text;
      break;
    case 'method':
      draft.method = change.method;
  }
}

function spliced(text: string, place: number, cut: number, bytes: string): string {
  const start = place % (text.length + 1);
  return text.slice(0, start) + bytes + text.slice(start + cut);
}

/** A member of a JSON text whose value holds no other: its name and its value. */
const MEMBER =
  /"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-\d.eE+]+|true|false|null)|"(?:[^"\\]|\\.)*"\s*:\s*(?=[[{])/g;

/** Leaves out, doubles, or gives another value to one of the members, however deep it stands. */
function changedMember(text: string, change: Mutation & { readonly at: number }): string {
  const found = [...text.matchAll(MEMBER)];
  const one = found[change.at % Math.max(1, found.length)];
  if (one === undefined) return text;
  const [member] = one;
  const before = text.slice(0, one.index);
  const after = text.slice(one.index + member.length);
  if (change.kind === 'double')
    return `${before}${member.endsWith(':') ? '' : `${member},`}${member}${after}`;
  if (change.kind === 'add') return `${before}${change.member},${member}${after}`;
  if (change.kind === 'wrap') return before + wrapped(member, after);
  if (change.kind === 'retype') return before + retyped(member, after, change.value);
  // A comma more or less is a case of its own, which a splice makes.
  return after.startsWith(',') ? before + after.slice(1) : before.replace(/,$/, '') + after;
}

function encoded(text: string, encoding: Encoding): string {
  switch (encoding) {
    case 'utf-16':
      return Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');
    case 'byte order mark':
      return `\xef\xbb\xbf${text}`;
    case 'latin-1':
      return text.replace(/"([^"]*)$/, '\xe9"$1');
    case 'form':
      return `Body=${encodeURIComponent(text)}`;
    case 'list':
      return `[${text}]`;
  }
}

/** The value of a member as the only element of a list. */
function wrapped(member: string, after: string): string {
  const [, name = '', value = ''] = /^("(?:[^"\\]|\\.)*"\s*:)([^]*)$/.exec(member) ?? [];
  return value === '' ? `${name}[],"Formerly":${after}` : `${name}[${value}]${after}`;
}

function retyped(member: string, after: string, value: string): string {
  const name = /^"(?:[^"\\]|\\.)*"/.exec(member)?.[0] ?? '""';
  if (!member.endsWith(':')) return `${name}:${value}${after}`;
  // The object or list that stood there goes to a member that nobody knows.
  return `${name}:${value},"Formerly":${after}`;
}
