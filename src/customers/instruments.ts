import { prepareBankAccount } from '../payment-methods/bank-accounts.js';
import { preparePayTo } from '../payment-methods/pay-to.js';
import type { BankAccountData, PayToData } from '../payment-methods/record.js';
import { prepareProviderToken, type ProviderTokenCommand } from '../payment-methods/provider-tokens.js';
import type { MethodResult } from '../payment-methods/service.js';
import type { Override } from '../outcomes/header.js';
import type { World } from '../world.js';
import { type AddedMethod, addMethod } from './methods.js';
import { createCustomer, type CustomerDetails, type CustomerResult } from './service.js';

/** Customers whose payment methods are no cards. */

export function createFromBankAccount(
  world: World,
  command: { providerId: string; account: BankAccountData; details: CustomerDetails },
  override: Override | null,
): CustomerResult {
  return createCustomer(world, command.details, () => prepareBankAccount(world, command, override));
}

export function addBankAccount(
  world: World,
  customerId: string,
  command: AddedMethod & { providerId: string; account: BankAccountData },
  override: Override | null,
): MethodResult {
  return addMethod(world, customerId, command, () => prepareBankAccount(world, command, override));
}

export function createFromPayTo(
  world: World,
  command: { providerId: string; agreement: PayToData; details: CustomerDetails },
  override: Override | null,
): CustomerResult {
  return createCustomer(world, command.details, () => preparePayTo(world, command, override));
}

export function addPayTo(
  world: World,
  customerId: string,
  command: AddedMethod & { providerId: string; agreement: PayToData },
  override: Override | null,
): MethodResult {
  return addMethod(world, customerId, command, () => preparePayTo(world, command, override));
}

export function createFromProviderToken(
  world: World,
  command: ProviderTokenCommand & { readonly details: CustomerDetails },
  override: Override | null,
): CustomerResult {
  return createCustomer(world, command.details, () => prepareProviderToken(world, command, override));
}
