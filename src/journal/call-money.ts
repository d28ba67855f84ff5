import { isObject, parseJson } from '../core/text/text.js';

/** The money that a call is about. */
export interface CallMoney {
  /** In major units, as in the call. */
  readonly amount: number | null;
  readonly currency: string | null;
}

/** Larger numbers are no money; one of them may be a card number. */
const AMOUNT_MAX = 1e11;

/** The amount that was asked for, or else that of the answer; for a refund of all that is left, that of the last refund. */
export function findMoney(request: string | null, query: string, answer: string | null): CallMoney {
  const asked = readBodyFields(request);
  const answered = readBodyFields(answer);
  const { refunds } = answered;
  const last: unknown = Array.isArray(refunds) ? refunds.at(-1) : undefined;
  const inQuery = new Map(
    [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]),
  );
  const amounts = [
    asked['amount'],
    inQuery.get('amount'),
    isObject(last) ? lowerNames(last)['amount'] : undefined,
    answered['amount'],
  ];
  const currencies = [asked['currency'], answered['currency']];
  return {
    amount: amounts.map(toAmount).find((amount) => amount !== null) ?? null,
    currency:
      currencies.find((one): one is string => typeof one === 'string' && /^[A-Za-z]{3}$/.test(one)) ?? null,
  };
}

function toAmount(value: unknown): number | null {
  const amount = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof amount === 'number' && amount > 0 && amount < AMOUNT_MAX ? amount : null;
}

/** The fields of a body, whose names have any letter case. */
function readBodyFields(text: string | null): Readonly<Record<string, unknown>> {
  const body = text === null ? undefined : parseJson(text);
  return isObject(body) ? lowerNames(body) : {};
}

const lowerNames = (fields: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
