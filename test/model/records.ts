import type { Ask, Body } from './calls.js';
import type { Shown } from './money.js';
import { DAY } from './spec.js';

/** All records of a world as its answers show them, each list oldest first. */

export interface Records extends Shown {
  readonly customers: readonly Body[];
  readonly methods: readonly Body[];
  readonly entries: readonly Body[];
  readonly tokens: readonly Body[];
}

export type Table = Exclude<keyof Records, 'now' | 'settlements'>;

/** Where each table is listed, and what identifies its records. */
const TABLES: Readonly<Record<Table, readonly [path: string, id: string]>> = {
  charges: ['/_sandbox/records/charges', 'ChargeId'],
  customers: ['/_sandbox/records/customers', 'CustomerId'],
  methods: ['/_sandbox/records/payment-methods', 'PaymentMethodId'],
  entries: ['/_sandbox/records/vault', 'VaultId'],
  tokens: ['/token', 'TokenId'],
  batches: ['/_sandbox/records/batches', 'BatchId'],
  subscriptions: ['/_sandbox/records/subscriptions', 'SubscriptionId'],
  transfers: ['/_sandbox/records/transfers', 'TransferId'],
  links: ['/_sandbox/records/payment-links', 'PaymentLinkId'],
  transactions: ['/_sandbox/records/authentications', 'ThreeDSServerTransID'],
};

/** The most that a list shows at once, and the most settlements. */
const PAGE = 500;
const SETTLEMENTS = 1000;
const START = Date.UTC(2026, 0, 1);

export const idOf = (table: Table, record: Body): string => String(record[TABLES[table][1]]);

export const listIds = (records: Records): string[] =>
  (Object.keys(TABLES) as Table[]).flatMap((table) => records[table].map((record) => idOf(table, record)));

export async function readRecords(ask: Ask): Promise<Records> {
  const read = async (path: string): Promise<Body> => (await ask({ method: 'GET', path })).body;
  const now = Date.parse(String((await read('/_sandbox/clock'))['Now']));
  const tables: Partial<Record<Table, readonly Body[]>> = {};
  for (const table of Object.keys(TABLES) as Table[]) tables[table] = await listAll(read, table);
  const { batches = [], tokens = [] } = tables;
  return {
    ...(tables as Omit<Records, 'now' | 'settlements'>),
    // Only this answer has their rows.
    batches: await Promise.all(batches.map((batch) => read(`/batch/${idOf('batches', batch)}`))),
    tokens: tokens.filter((token) => !idOf('tokens', token).startsWith('tok_')),
    settlements: await listSettlements(read, START, now),
    now,
  };
}

async function listAll(read: (path: string) => Promise<Body>, table: Table): Promise<readonly Body[]> {
  const [path] = TABLES[table];
  const more = table === 'customers' ? '&IncludeRemoved=true' : '';
  const all: Body[] = [];
  for (;;) {
    const body = await read(`${path}?Limit=${PAGE}&Skip=${all.length}${more}`);
    const page = (body['Records'] ?? body['Tokens']) as Body[];
    all.push(...page);
    if (page.length < PAGE) return all.toReversed();
  }
}

/** All settlements of some days: a list that is cut short is asked for by halves. */
async function listSettlements(
  read: (path: string) => Promise<Body>,
  first: number,
  last: number,
): Promise<Body[]> {
  const [start, end] = [first, last].map((day) => new Date(day).toISOString().slice(0, 10));
  const found = (await read(`/settlements?StartDate=${start}&EndDate=${end}`)) as unknown as Body[];
  if (found.length < SETTLEMENTS) return found;
  const middle = first + Math.floor((last - first) / DAY / 2) * DAY;
  const before = await listSettlements(read, first, middle);
  return [...before, ...(await listSettlements(read, middle + DAY, last))];
}
