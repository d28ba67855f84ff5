import { didYouMean, shown } from './members.js';
import { type SeedData, seedIds } from './seed-model.js';

/** An identifier of seed data that is not good, and where it stands. */
export interface LooseEnd {
  readonly path: (string | number)[];
  readonly message: string;
  readonly input: string;
}

type ListName = keyof ReturnType<typeof seedIds>;

/** The member that holds the identifier of a record. */
const ID_MEMBERS: Readonly<Record<ListName, string>> = {
  customers: 'customerId',
  paymentMethods: 'paymentMethodId',
  vault: 'vaultId',
  tokens: 'tokenId',
  charges: 'chargeId',
};

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
    return [{ path: [list, n, ID_MEMBERS[list]], message, input: id }];
  });
}

/** The identifiers that name no record, or one that does not fit. */
function strays(data: SeedData): LooseEnd[] {
  const ids = seedIds(data);
  const found: LooseEnd[] = [];
  const isThere = (path: LooseEnd['path'], id: string, list: ListName): boolean => {
    const known = ids[list].filter((one) => one !== null);
    if (known.includes(id)) return true;
    const takes = `a ${ID_MEMBERS[list]} that stands in the ${list} of seedData`;
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
