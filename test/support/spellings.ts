/** The three spellings in which client libraries send what a program says. */

/** A date that each library writes in its own way. */
export class Moment {
  constructor(readonly iso: string) {}
}

/** A decimal that each library writes in its own way. */
export class Decimal {
  constructor(readonly text: string) {}
}

export interface Spelling {
  readonly headers: Readonly<Record<string, string>>;
  /** The text of a body. */
  readonly body: (value: object) => string;
  /** The value of a query's date. */
  readonly queryDate: (moment: Moment) => string;
  readonly queryName: (name: string) => string;
}

/** Maps whose keys are the caller's own. */
const OWN = new Set(['Metadata', 'ProviderTokenData', 'AuthenticationParameters']);
/** What a library writes as null where the caller said nothing. */
const OFTEN_NULL = [
  'reference',
  'descriptor',
  'customerCode',
  'invoiceNumber',
  'address',
  'order',
  'ip',
  'webhook',
];
const WORDS: Readonly<Record<string, readonly string[]>> = {
  Initiator: ['CUSTOMER', 'MERCHANT'],
  Status: ['Complete', 'Active', 'Cancelled', 'Suspended'],
  CallToAction: ['Pay', 'Donate'],
};
const ODD_NAMES: Readonly<Record<string, string>> = { Cardholder: 'cardHolder', Metadata: 'metaData' };

const camel = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

type Scalar = (value: Decimal | Moment | string | number | boolean, name: string) => string;

/** Writes a value as JSON, its names and its scalars by a library's own rules. */
function write(
  value: unknown,
  scalar: Scalar,
  rename: (name: string) => string,
  nulls: readonly string[],
): string {
  const inner = (one: unknown, name: string): string => {
    if (one instanceof Decimal || one instanceof Moment || typeof one !== 'object' || one === null) {
      return scalar(one as Parameters<Scalar>[0], name);
    }
    if (Array.isArray(one)) return `[${one.map((item) => inner(item, name)).join(',')}]`;
    const named = OWN.has(name) ? (key: string) => key : rename;
    return `{${Object.entries(one)
      .map(([key, member]) => `${JSON.stringify(named(key))}:${inner(member, key)}`)
      .join(',')}}`;
  };
  const text = inner(value, '');
  const given = new Set(Object.keys(value as object).map((name) => name.toLowerCase()));
  const added = nulls.filter((name) => !given.has(name.toLowerCase())).map((name) => `"${name}":null`);
  return added.length === 0 ? text : `${text.slice(0, -1)}${text === '{}' ? '' : ','}${added.join(',')}}`;
}

export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  'PascalCase, what is not set left out': {
    headers: { 'content-type': 'application/json' },
    body: (value) =>
      write(
        value,
        (one) => {
          if (one instanceof Decimal) return one.text;
          return JSON.stringify(one instanceof Moment ? one.iso : one).replaceAll('/', String.raw`\/`);
        },
        (name) => name,
        [],
      ),
    queryDate: ({ iso }) => iso,
    queryName: (name) => name,
  },
  'camelCase, explicit nulls, decimals as text, dates as milliseconds': {
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: (value) =>
      write(
        value,
        (one) => {
          if (one instanceof Decimal) return JSON.stringify(Number(one.text).toFixed(2));
          return one instanceof Moment ? String(Date.parse(one.iso)) : JSON.stringify(one);
        },
        (name) => ODD_NAMES[name] ?? camel(name),
        OFTEN_NULL,
      ),
    queryDate: ({ iso }) => {
      const [, day, date, month, year, time] =
        /^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/.exec(new Date(iso).toUTCString()) ?? [];
      return `${day} ${month} ${date} ${time} UTC ${year}`;
    },
    queryName: (name) => name,
  },
  'PascalCase, 20.0 and numbers for words': {
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: (value) =>
      write(
        value,
        (one, name) => {
          if (one instanceof Decimal) return one.text.includes('.') ? one.text : `${one.text}.0`;
          if (one instanceof Moment) return JSON.stringify(one.iso);
          if (name === 'Types') return JSON.stringify(camel(String(one)));
          const place = WORDS[name]?.indexOf(String(one)) ?? -1;
          return place < 0 ? JSON.stringify(one) : String(place);
        },
        (name) => name,
        [],
      ),
    queryDate: ({ iso }) =>
      iso
        .slice(0, 19)
        .replace('T', ' ')
        .replace(/ (\d\d):/, ' $1: '),
    queryName: camel,
  },
};
