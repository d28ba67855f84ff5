import { didYouMean, shown } from './field.js';
import type { SeedData } from './seed-data.js';

/** An identifier of seed data that is not good, and where it stands. */
export interface LooseEnd {
  readonly path: (string | number)[];
  readonly message: string;
  readonly input: string;
}

type ListName = keyof ReturnType<typeof seedIds>;

/** The field that holds the identifier of a record. */
const ID_FIELDS: Readonly<Record<ListName, string>> = {
  customers: 'customerId',
  paymentMethods: 'paymentMethodId',
  vault: 'vaultId',
  tokens: 'tokenId',
  charges: 'chargeId',
};

/** The identifiers that the author chose, in the order of the records; null: none was chosen. */
export function seedIds(data: SeedData) {
  return {
    customers: data.customers.map(({ customerId }) => customerId),
    paymentMethods: data.paymentMethods.map(({ paymentMethodId }) => paymentMethodId),
    vault: data.vault.map(({ vaultId }) => vaultId),
    tokens: data.tokens.map(({ tokenId }) => tokenId),
    charges: data.charges.map(({ chargeId }) => chargeId),
  };
}

/** Identifiers that two records have, and those by which no record is named. */
export function looseEnds(data: SeedData): LooseEnd[] {
  const ids = seedIds(data);
  return [...(Object.keys(ids) as ListName[]).flatMap((list) => twins(list, ids[list])), ...strays(data)];
}

/** The identifiers of a list that stood in it before. */
function twins(list: ListName, ids: readonly (string | null)[]): LooseEnd[] {
  return ids.flatMap((id, n) => {
    const first = ids.indexOf(id);
    if (id === null || first === n) return [];
    const message = `is that of ${list}[${first}] as well; each takes one of its own`;
    return [{ path: [list, n, ID_FIELDS[list]], message, input: id }];
  });
}

/** The identifiers that name no record, or one that does not fit. */
function strays(data: SeedData): LooseEnd[] {
  const ids = seedIds(data);
  const found: LooseEnd[] = [];
  const isThere = (path: LooseEnd['path'], id: string, list: ListName): boolean => {
    const known = ids[list].filter((one) => one !== null);
    if (known.includes(id)) return true;
    const takes = `a ${ID_FIELDS[list]} that stands in the ${list} of seedData`;
    found.push({ path, message: `is ${shown(id)}; it takes ${takes}${didYouMean(id, known)}`, input: id });
    return false;
  };
  for (const [n, { customerId, defaultPaymentMethodId: id }] of data.customers.entries()) {
    const path = ['customers', n, 'defaultPaymentMethodId'];
    if (id === null || !isThere(path, id, 'paymentMethods')) continue;
    const owner = data.paymentMethods.find(({ paymentMethodId }) => paymentMethodId === id)?.customerId;
    if (owner === customerId && owner !== null) continue;
    const message = `is ${shown(id)}, whose customerId is another; it takes a payment method of this customer`;
    found.push({ path, message, input: id });
  }
  for (const [n, { customerId, vaultId }] of data.paymentMethods.entries()) {
    if (customerId !== null) isThere(['paymentMethods', n, 'customerId'], customerId, 'customers');
    if (vaultId !== null) isThere(['paymentMethods', n, 'vaultId'], vaultId, 'vault');
  }
  for (const [n, { instrument }] of data.charges.entries()) {
    if (typeof instrument === 'string')
      isThere(['charges', n, 'paymentMethodId'], instrument, 'paymentMethods');
  }
  return found;
}
