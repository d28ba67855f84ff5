import { maskAccount } from '../core/account.js';
import type { Override } from '../outcomes/header.js';
import { accountTrigger } from '../outcomes/magic-accounts.js';
import type { World } from '../world.js';
import type { BankAccount, BankAccountData, Metadata } from './record.js';
import { commitIfApproved, type MethodResult, prepare, type PreparedMethod } from './service.js';

/** What may be known of a bank account once its provider has it. */
export function bankAccountOf(world: World, data: BankAccountData): BankAccount {
  const { bankCode, accountNumber, accountName } = data;
  return world.bankAccounts.share({
    type: 'BANK_ACCOUNT',
    bankCode,
    masked: maskAccount(accountNumber),
    accountName,
    trigger: accountTrigger(accountNumber),
  });
}

/** Puts a bank account to its provider for storage. */
export function prepareBankAccount(
  world: World,
  command: { providerId: string; account: BankAccountData },
  override: Override | null,
): PreparedMethod {
  return prepare(world, command.providerId, bankAccountOf(world, command.account), null, override);
}

/** Creates a payment method that belongs to no customer from a bank account. */
export function createFromBankAccount(
  world: World,
  command: { providerId: string; account: BankAccountData; metadata: Metadata | null },
  override: Override | null,
): MethodResult {
  return commitIfApproved(world, prepareBankAccount(world, command, override), command.metadata);
}
