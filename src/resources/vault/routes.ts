import { CODE } from '../../core/errors.js';
import { checkTestCard, requireWorld } from '../../http/exchange.js';
import { route, type Section } from '../../http/route.js';
import { buildReadRow } from '../../http/answers/rows.js';
import { presentVaultEntry, presentWholeVaultEntry } from './presenter.js';
import { CreateVaultEntry, VaultEntryResponse, WholeVaultEntryResponse } from './schema.js';
import { createVaultEntry, deleteVaultEntry, requireVaultEntry } from './service.js';

export const VAULT: Section = {
  tag: 'Vault',
  text: 'Stored card numbers.',
  rows: [
    route({
      method: 'post',
      path: '/vault',
      id: 'createVaultEntry',
      operation: 'vault.create',
      summary: 'Store a card number',
      text: 'The entry holds the card number and optionally the Ccv, but not the expiry date of the card. It is kept until ExpireDate, for ExpireSeconds, or until it is deleted. Send ExpireDate or ExpireSeconds, never both.',
      body: CreateVaultEntry,
      response: VaultEntryResponse,
      errors: [
        CODE.CannotProvideBothExpireDateAndExpireSeconds,
        CODE.InvalidExpireDateOrExpireSeconds,
        CODE.InvalidPaymentInformation,
      ],
      handle: (c, { body }) => {
        const world = requireWorld(c);
        checkTestCard(c, body.pan);
        return presentVaultEntry(world, createVaultEntry(world, body));
      },
    }),
    buildReadRow({
      path: '/vault/{id}',
      id: 'getVaultEntry',
      operation: 'vault.read',
      summary: 'Read a card number',
      text: 'Returns the full card number, and the Ccv until the first charge that uses it.',
      response: WholeVaultEntryResponse,
      errors: [CODE.InvalidVaultId],
      find: requireVaultEntry,
      present: presentWholeVaultEntry,
    }),
    route({
      method: 'delete',
      path: '/vault/{id}',
      id: 'deleteVaultEntry',
      operation: 'vault.delete',
      summary: 'Delete a card number',
      text: 'Payment methods created from it stay, and can be charged through their own provider.',
      response: VaultEntryResponse,
      errors: [CODE.InvalidVaultId],
      find: requireVaultEntry,
      handle: (c, { params }) =>
        presentVaultEntry(requireWorld(c), deleteVaultEntry(requireWorld(c), params.id)),
    }),
  ],
};
