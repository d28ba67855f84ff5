import type * as z from 'zod';

import { didYouMean } from '../../core/text/nearest.js';
import { describeWrongValue } from '../file/field.js';
import type { SeedRecords } from './seed-data.js';

/** An invalid identifier in seed data, and its place. */
interface ReferenceIssue {
  readonly path: (string | number)[];
  readonly message: string;
  readonly input: string;
}

type ListName = keyof ReturnType<typeof seedIds>;

const ID_FIELDS: Readonly<Record<ListName, string>> = {
  customers: 'customerId',
  paymentMethods: 'paymentMethodId',
  vault: 'vaultId',
  tokens: 'tokenId',
  charges: 'chargeId',
};

/** In the order of the records; null for a record without an identifier. */
export function seedIds(data: SeedRecords) {
  return {
    customers: data.customers.map(({ customerId }) => customerId),
    paymentMethods: data.paymentMethods.map(({ paymentMethodId }) => paymentMethodId),
    vault: data.vault.map(({ vaultId }) => vaultId),
    tokens: data.tokens.map(({ tokenId }) => tokenId),
    charges: data.charges.map(({ chargeId }) => chargeId),
  };
}

/** Refuses identifiers that are used twice, and references to records that do not exist. */
export function requireReferences(data: SeedRecords, { issues }: z.RefinementCtx): void {
  const ids = seedIds(data);
  const ends = [
    ...(Object.keys(ids) as ListName[]).flatMap((list) => findDuplicateIds(list, ids[list])),
    ...findBrokenReferences(data),
  ];
  for (const end of ends) issues.push({ code: 'custom', ...end });
}

function findDuplicateIds(list: ListName, ids: readonly (string | null)[]): ReferenceIssue[] {
  return ids.flatMap((id, n) => {
    const first = ids.indexOf(id);
    if (id === null || first === n) return [];
    const message = `is already used by ${list}[${first}]; choose another one`;
    return [{ path: [list, n, ID_FIELDS[list]], message, input: id }];
  });
}

/** References to records that do not exist, or that belong to another customer. */
function findBrokenReferences(data: SeedRecords): ReferenceIssue[] {
  const ids = seedIds(data);
  const found: ReferenceIssue[] = [];
  const isThere = (path: ReferenceIssue['path'], id: string, list: ListName): boolean => {
    const known = ids[list].filter((seedId) => seedId !== null);
    if (known.includes(id)) return true;
    const accepted = `the ${ID_FIELDS[list]} of a record in seedData.${list}`;
    found.push({ path, message: describeWrongValue(id, accepted) + didYouMean(id, known), input: id });
    return false;
  };
  for (const [n, { customerId, defaultPaymentMethodId: id }] of data.customers.entries()) {
    const path = ['customers', n, 'defaultPaymentMethodId'];
    if (id === null || !isThere(path, id, 'paymentMethods')) continue;
    const owner = data.paymentMethods.find(({ paymentMethodId }) => paymentMethodId === id)?.customerId;
    if (owner === customerId && owner !== null) continue;
    const message = describeWrongValue(id, 'a payment method with the customerId of this customer');
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
