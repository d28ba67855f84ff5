import { bankAccountOf } from '../payment-methods/bank-accounts.js';
import type { BankAccountData } from '../payment-methods/record.js';
import type { Override } from '../outcomes/header.js';
import type { World } from '../world.js';
import { charge, type ChargeDetails, type ChargeResult } from './service.js';

/** Charges a bank account: PENDING until its bank has settled, some days later. */
export function chargeBankAccount(
  world: World,
  command: { providerId: string; account: BankAccountData; amount: string; details: ChargeDetails },
  override: Override | null,
): ChargeResult {
  const instrument = {
    providerId: command.providerId,
    source: bankAccountOf(world, command.account),
    ccv: false,
    customer: null,
    paymentMethod: null,
    token: null,
    batch: null,
  };
  return charge(world, instrument, command.amount, command.details, override);
}
