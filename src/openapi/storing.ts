import { CODE } from '../core/errors.js';
import type { Refused } from '../http/route.js';
import type { OperationRow } from './operation.js';

const VAULTED: readonly Refused[] = [
  CODE.CannotProvideBothVaultExpireDateAndVaultExpireSeconds,
  CODE.InvalidVaultExpiryDate,
];
/** What a call that stores a card is refused with. */
export const STORED: readonly Refused[] = [
  ...VAULTED,
  CODE.ExpiredCard,
  CODE.InvalidPaymentInformation,
  CODE.InvalidProviderId,
];
/** What a call that stores the card of a token is refused with. */
export const FROM_TOKEN: readonly Refused[] = [
  ...STORED,
  CODE.InvalidOrExpiredToken,
  CODE.PaymentMethodMustBeOfTypeCard,
];
/** A call that asks a provider to store what its body has. */
export const stores = (body: OperationRow['body'], errors: readonly Refused[]): Partial<OperationRow> =>
  body === undefined ? {} : { body, errors, asksProvider: true };
