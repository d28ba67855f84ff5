import { CODE, refuse } from '../core/errors.js';
import { toMajor, toUnits, UNIT_DECIMALS } from '../core/money.js';
import type { BankAccount, PayTo } from '../payment-methods/record.js';

/** What a charge asks of its source. */
interface Demand {
  readonly amountMinor: number;
  readonly currency: string;
  readonly capture: boolean;
}

/** Refuses what a source that is no card does not allow, before its provider is asked: nothing is stored. */
export function requireChargeable(source: BankAccount | PayTo, demand: Demand): void {
  if (!demand.capture) {
    refuse(
      CODE.FeatureAuthoriseAndCaptureIsNotSupported,
      `A source of the type ${source.type} is charged at once; leave Capture out.`,
      { details: { Capture: `must not be false for the type ${source.type}` } },
    );
  }
  if (source.type === 'PAYTO') requireAgreed(source, demand);
}

/** What the payer has not agreed to is refused with code 33, or with code 24 where it is too much. */
function requireAgreed({ status, maximumUnits }: PayTo, { amountMinor, currency }: Demand): void {
  if (status !== 'ACTIVE') {
    refuse(CODE.PayToAgreementIsNotActive, `The agreement is ${status}: its payer has not agreed yet.`);
  }
  if (toUnits(amountMinor, currency) <= maximumUnits) return;
  const details = { Amount: `at most ${toMajor(maximumUnits, UNIT_DECIMALS)} a charge was agreed to` };
  refuse(CODE.AmountExceedsMaxAmountForPayToAgreement, `Of this agreement ${details.Amount}.`, { details });
}
