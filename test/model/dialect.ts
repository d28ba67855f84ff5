import type { Body, Call } from './calls.js';

/** The same call as client libraries send it, and what they are answered as the documented dialect writes it. */

export type Dialect = 'documented' | 'sdk';

/** Members whose own members are somebody's keys. */
const MAPS = new Set(['Metadata', 'Details', 'ProviderTokenData', 'ProviderPaymentMethodData']);

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const isMap = MAPS.has(name) || MAPS.has(name.charAt(0).toUpperCase() + name.slice(1));
      return [rename(name), isMap ? one : renamed(one, rename)];
    }),
  );
}

/** The calls of the sandbox itself, and those of 3-D Secure, have one spelling. */
const isControl = ({ path }: Call): boolean => path.startsWith('/_sandbox') || path.startsWith('/3ds');

export function inDialect(call: Call, dialect: Dialect): Call {
  if (dialect === 'documented' || isControl(call)) return call;
  const { body, headers } = call;
  const small = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
  return {
    ...call,
    ...(body === undefined ? {} : { body: renamed(body, small) as object }),
    headers: { ...headers, 'x-sandbox-dialect': 'sdk' },
  };
}

export function read(body: Body, call: Call, dialect: Dialect): Body {
  if (dialect === 'documented' || isControl(call)) return body;
  const wrong = Object.keys(body).find((name) => /^[A-Z]/.test(name));
  if (wrong !== undefined) throw new Error(`The sdk dialect answers ${wrong}`);
  return renamed(body, (name) => name.charAt(0).toUpperCase() + name.slice(1)) as Body;
}
