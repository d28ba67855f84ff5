import { shortHash } from '../../core/ids/random.js';
import { formatInstant } from '../../core/time/time.js';
import { builtInOrSteady } from '../../outcomes/built-in.js';
import { presentAmount } from '../../http/fields/summaries.js';
import type { World } from '../../world/world.js';
import type { Settlement } from '../../records/settlement.js';
import type { SettlementResponse } from './schema.js';

const ID_LENGTH = 32;

export function presentSettlement(world: World, settlement: Settlement): SettlementResponse {
  const { providerId, part } = settlement;
  const chargeId = settlement.charge.id;
  return {
    // No record has this identifier, so it only has to be the same each time.
    SettlementId: shortHash(`settlement:${chargeId}:${part}`, ID_LENGTH),
    SettlementDate: formatInstant(settlement.date),
    CreatedDate: formatInstant(settlement.created),
    ProviderId: providerId,
    ProviderName: (world.providers.findByProviderId(providerId) ?? builtInOrSteady(providerId)).name,
    ChargeId: chargeId,
    Amount: presentAmount(settlement.amountMinor, settlement.currency),
  };
}
