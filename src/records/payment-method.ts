import { isMaskedAccount } from '../core/cards/account.js';
import { findCardScheme } from '../core/cards/card-scheme.js';
import { cardFunding, iinOf, maskPan } from '../core/cards/card.js';
import {
  CARD_TYPES,
  type CardSourceType,
  WALLET_TYPES,
  type WalletType,
} from '../core/cards/payment-type.js';
import type { Table } from '../core/store/store.js';
import { isExpiry } from '../core/time/time.js';
import * as field from '../core/store/field.js';

export const MASKED_CARD = /^\d{4}\*{4,11}\d{4}$/;

const cardFields = {
  /** The first and last four digits. An unmasked number would be in the response of every charge. */
  masked: field.text(19, (value) => MASKED_CARD.test(value), 'a masked card number'),
  iin: field.text(6, (value) => /^\d{6}$/.test(value), 'six digits'),
  expiry: field.text(5, isExpiry, 'MM/YY'),
  cardholder: field.maybeText,
  scheme: field.anyText,
  funding: field.word('CREDIT', 'DEBIT'),
  /** The trigger of a magic card; null for an ordinary card. */
  trigger: field.maybeText,
};

/** A card outside the vault, without its full number. A wallet may have passed it on. */
export interface Card extends field.ValuesOf<typeof cardFields> {
  readonly type: CardSourceType;
}

const bankAccountFields = {
  bankCode: field.anyText,
  /** Only the last three digits are shown. */
  masked: field.text(34, isMaskedAccount, 'a masked account number'),
  accountName: field.anyText,
  trigger: field.maybeText,
};

/** A bank account. Its full number is never stored. */
export interface BankAccount extends field.ValuesOf<typeof bankAccountFields> {
  readonly type: 'BANK_ACCOUNT';
}

const payToDataFields = {
  payerName: field.anyText,
  payId: field.anyText,
  payIdType: field.anyText,
  description: field.maybeText,
  /** The maximum of one charge, in units of 0.0001, because an agreement has no currency. */
  maximumUnits: field.whole(1, field.COUNT_MAX),
};

export interface PayToData extends field.ValuesOf<typeof payToDataFields> {}

const payToFields = {
  payToId: field.anyText,
  /** Only an active agreement can be charged. */
  status: field.word('PENDING', 'ACTIVE'),
  ...payToDataFields,
  trigger: field.maybeText,
};

/** An agreement: a payer's permission to charge their account. */
export interface PayTo extends field.ValuesOf<typeof payToFields> {
  readonly type: 'PAYTO';
}

export type PayToStatus = PayTo['status'];

const walletFields = { trigger: field.maybeText };

/** A wallet or a transfer of which the service sees only the type. */
export interface Wallet extends field.ValuesOf<typeof walletFields> {
  readonly type: WalletType;
}

/** The source of a charge's money. Charges of the same source share one object. */
export type Source = Card | BankAccount | PayTo | Wallet;

/** Describes several types that have the same fields. */
function describeTypes<T extends string, F>(types: readonly T[], fields: F): Readonly<Record<T, F>> {
  return Object.fromEntries(types.map((type) => [type, fields])) as Readonly<Record<T, F>>;
}

export const sourceCodec: field.Codec<Source> = field.variants('type', {
  ...describeTypes(CARD_TYPES, cardFields),
  BANK_ACCOUNT: bankAccountFields,
  PAYTO: payToFields,
  ...describeTypes(WALLET_TYPES, walletFields),
});

export interface SourceLinks extends field.Links {
  /** A document lists each source once, and writes its position in that list instead. */
  readonly source: field.Codec<Source>;
}

/** Whether a source has the fields of a card: a card, or what Google Pay and Apple Pay pass on. */
export function isCard(source: Source): source is Card {
  return 'iin' in source;
}

export function findCard(source: Source): Card | null {
  return isCard(source) ? source : null;
}

/** A card in a request. Only providers and the vault receive it. */
export interface CardData {
  readonly pan: string;
  /** MM/YY. */
  readonly expiry: string;
  readonly ccv: string | null;
  readonly cardholder: string | null;
}

/** A bank account in a request. Only providers receive it. */
export interface BankAccountData {
  readonly bankCode: string;
  /** Letters and digits only. */
  readonly accountNumber: string;
  readonly accountName: string;
}

export type Metadata = NonNullable<field.ValueOf<typeof field.metadata>>;

const providerTokenCodec = field.record({
  token: field.anyText,
  data: field.metadata,
  /** Whether making this method used up the token. */
  singleUse: field.flag,
  /** The payer's address, for a method without a customer. */
  email: field.maybeText,
});

/** The provider's own token for a source. */
export interface ProviderToken extends field.ValueOf<typeof providerTokenCodec> {}

export const methodFields = (links: SourceLinks) => ({
  customer: field.orNull(links.to('customers')),
  source: links.source,
  providerId: field.shared(field.anyProviderId),
  /** The vault entry, which may have been deleted since; null if the card was never vaulted. */
  vault: field.orNull(links.to('vault')),
  dateAdded: field.instant,
  dateRemoved: field.maybeInstant,
  metadata: field.metadata,
  /** Null unless the method was made from a token of the provider. */
  origin: field.orNull<ProviderToken>(providerTokenCodec),
});

export interface PaymentMethod extends field.RecordOf<typeof methodFields> {}

/** Replaces an e-mail address or a phone number when its customer or payment method is removed. */
export const DELETED = 'deleted';

export const PAYMENT_METHOD_KEYS = {
  customer: ({ customer }: PaymentMethod) => customer,
  providerToken: ({ origin }: PaymentMethod) => origin && origin.token,
};

export type PaymentMethodTable = Table<PaymentMethod, keyof typeof PAYMENT_METHOD_KEYS>;

const POOL_MAX = 1024;
/** How many cards with the same number, but another expiry or holder, a pool remembers. */
const VARIANTS_MAX = 8;

/** Returns the same object for equal cards: an object for each charge would be a third of its memory. */
export class CardPool {
  readonly #cards = new Map<string, Card[]>();

  cardFor(
    pan: string,
    expiry: string,
    cardholder: string | null,
    trigger: string | null,
    type: CardSourceType = 'CARD',
  ): Card {
    const known = this.#cards.get(pan);
    if (known)
      for (const card of known)
        if (
          card.expiry === expiry &&
          card.cardholder === cardholder &&
          card.trigger === trigger &&
          card.type === type
        )
          return card;
    const card = buildCard(pan, expiry, cardholder, trigger, type);
    if (known && known.length < VARIANTS_MAX) known.push(card);
    else {
      if (this.#cards.size >= POOL_MAX) this.#cards.clear();
      this.#cards.set(pan, [card]);
    }
    return card;
  }
}

function buildCard(
  pan: string,
  expiry: string,
  cardholder: string | null,
  trigger: string | null,
  type: CardSourceType,
): Card {
  const iin = iinOf(pan);
  return {
    type,
    masked: maskPan(pan),
    iin,
    expiry,
    cardholder,
    scheme: findCardScheme(pan),
    funding: cardFunding(iin),
    trigger,
  };
}
