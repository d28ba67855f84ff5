import * as z from 'zod';

import { currencyExponent, parseAmount } from '../core/money.js';
import { vaultMembers, vaultWishOf } from '../vault/schema.js';
import { paymentInformation } from '../http/card-fields.js';
import { refuseValue } from '../http/field.js';
import { amount, amountFault, optionalCurrency, optionalMetadata, optionalText } from '../http/fields.js';
import type { TokeniseCommand } from './tokenise.js';

/** What becomes a token; which provider makes it is said elsewhere. */
type Tokenised = Omit<TokeniseCommand, 'providerId'>;

/** The members of every call that makes a token of a card. */
const cardMembers = {
  PaymentInformation: paymentInformation(),
  ...vaultMembers,
  Ip: optionalText().describe('The payer’s address.'),
  Metadata: optionalMetadata(),
};

const FromCard = z.object(cardMembers);

function tokenisedOf(body: z.output<typeof FromCard>): Tokenised {
  return {
    card: body.PaymentInformation,
    vault: vaultWishOf(body),
    ip: body.Ip,
    metadata: body.Metadata,
  };
}

/** The provider stands in a header. */
export const TokeniseCard = FromCard.transform(tokenisedOf);

/** A card whose token shall be charged with an amount: the provider is chosen by what it takes for that. */
export const TokeniseLeastCost = z
  .object({ Amount: amount(), Currency: optionalCurrency(), ...cardMembers })
  .transform((body, context): Tokenised & { amount: string } => {
    requireFittingAmount(body, context);
    return { amount: body.Amount, ...tokenisedOf(body) };
  });

/** How many decimals an amount may have depends on its currency; without one, the charge will tell. */
function requireFittingAmount(
  { Amount, Currency }: { Amount: string; Currency: string | null },
  context: z.RefinementCtx,
): void {
  if (Currency === null) return;
  const minor = parseAmount(Amount, currencyExponent(Currency) ?? 0);
  if (typeof minor === 'number') return;
  const { message, code } = amountFault(minor, Amount);
  refuseValue(context, message, { code, path: ['Amount'] });
}
