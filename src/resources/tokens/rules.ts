import { maskAccount } from '../../core/cards/account.js';
import { CODE, refuse, refuseField } from '../../core/errors.js';
import { toMajor, toUnits, UNIT_DECIMALS } from '../../core/money.js';
import { isExpiryPassed } from '../../core/time/time.js';
import { findAccountTrigger, findCardTrigger, agreementStatus } from '../../outcomes/magic.js';
import type {
  BankAccount,
  BankAccountData,
  Card,
  CardData,
  PayTo,
  PayToData,
  Source,
} from '../../records/payment-method.js';
import type { World } from '../../world/world.js';

export function toCard(world: World, data: CardData): Card {
  return world.cards.cardFor(data.pan, data.expiry, data.cardholder, findCardTrigger(data.pan));
}

/** A bank account without its whole number, as it is stored. */
export function toBankAccount(world: World, data: BankAccountData): BankAccount {
  const { bankCode, accountNumber, accountName } = data;
  const account: BankAccount = {
    type: 'BANK_ACCOUNT',
    bankCode,
    masked: maskAccount(accountNumber),
    accountName,
    trigger: findAccountTrigger(accountNumber),
  };
  return world.bankAccounts.share(JSON.stringify(account), account);
}

/** Refuses an expired card, by the world's clock: 400 with code 14. */
export function requireUnexpired(world: World, expiry: string, field: string): void {
  if (!isExpiryPassed(expiry, world.now)) return;
  const detail = `The card expired at the end of ${expiry}. Use a later ExpiryDate.`;
  refuseField(CODE.ExpiredCard, field, 'is in the past', detail);
}

/** A new PayTo agreement, for the n-th token or payment method. */
export function buildPayTo(
  world: World,
  data: PayToData,
  owner: 'token' | 'paymentMethod' | 'magicToken',
  n: number,
): PayTo {
  return {
    type: 'PAYTO',
    payToId: world.chance.identifiers(`payTo:${owner}`).at(n),
    ...data,
    status: agreementStatus(data.payId),
    trigger: null,
  };
}

/** The parts of a charge that its source may not allow. */
interface ChargeDemand {
  readonly amountMinor: number;
  readonly currency: string;
  readonly capture: boolean;
}

/** Refuses what an account or agreement does not allow, before its provider is asked. */
export function requireChargeable(source: Exclude<Source, Card>, demand: ChargeDemand): void {
  if (!demand.capture) {
    const detail = `The type ${source.type} is always captured at once. Leave Capture out.`;
    const reason = `must not be false for the type ${source.type}`;
    refuseField(CODE.FeatureAuthoriseAndCaptureIsNotSupported, 'Capture', reason, detail);
  }
  if (source.type === 'PAYTO') requireActiveAgreement(source, demand);
}

/** Refuses an agreement that is not active (code 33) and an amount above its maximum (code 24). */
function requireActiveAgreement(
  { status, maximumUnits }: PayTo,
  { amountMinor, currency }: ChargeDemand,
): void {
  if (status !== 'ACTIVE') {
    refuse(CODE.PayToAgreementIsNotActive, `The agreement is ${status}; the payer has not approved it yet.`);
  }
  if (toUnits(amountMinor, currency) <= maximumUnits) return;
  const reason = `must be at most ${toMajor(maximumUnits, UNIT_DECIMALS)}, the maximum of the agreement`;
  refuseField(CODE.AmountExceedsMaxAmountForPayToAgreement, 'Amount', reason);
}
