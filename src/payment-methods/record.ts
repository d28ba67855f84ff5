import { cardFunding, iinOf, maskPan, type CardType } from '../core/card.js';
import { cardScheme } from '../core/card-scheme.js';
import type { Table } from '../core/store.js';

/** What may be known of a card outside the vault: never its whole number. */
export interface Card {
  readonly type: 'CARD';
  /** First and last four digits, stars between. */
  readonly masked: string;
  /** The first six digits. */
  readonly iin: string;
  readonly expiry: string;
  readonly cardholder: string | null;
  readonly scheme: string;
  readonly funding: CardType;
  /** The row of the published trigger table that the card stands for; null for an ordinary card. */
  readonly trigger: string | null;
}

/** What may be known of a bank account: its whole number goes to a provider and is kept nowhere. */
export interface BankAccount {
  readonly type: 'BANK_ACCOUNT';
  readonly bankCode: string;
  /** The last three digits, stars before. */
  readonly masked: string;
  readonly accountName: string;
  /** The row of the published trigger table that the account stands for; null for an ordinary one. */
  readonly trigger: string | null;
}

/** An agreement by which a payer lets charges be taken from their account. */
export interface PayTo extends PayToData {
  readonly type: 'PAYTO';
  readonly payToId: string;
  /** Only an active one can be charged: its payer has agreed. */
  readonly status: PayToStatus;
  readonly trigger: string | null;
}

export type PayToStatus = 'PENDING' | 'ACTIVE';

/** An agreement as a client asks for it. */
export interface PayToData {
  readonly payerName: string;
  readonly payId: string;
  readonly payIdType: string;
  readonly description: string | null;
  /** The most that one charge may take, in units of 0.0001: an agreement names no currency. */
  readonly maximumUnits: number;
}

/** What the money of a charge comes from; its type is that of the wire. Charges of one source share one object. */
export type Source = Card | BankAccount | PayTo;

/** A source as a card; null: it is none. */
export function cardIn(source: Source): Card | null {
  return source.type === 'CARD' ? source : null;
}

/** A whole card as a client sends it; it goes to a provider and the vault, nowhere else. */
export interface CardData {
  readonly pan: string;
  /** MM/YY. */
  readonly expiry: string;
  readonly ccv: string | null;
  readonly cardholder: string | null;
}

/** A bank account as a client sends it; it goes to a provider, nowhere else. */
export interface BankAccountData {
  readonly bankCode: string;
  /** Bare letters and digits. */
  readonly accountNumber: string;
  readonly accountName: string;
}

export type Metadata = Readonly<Record<string, string>>;

export interface PaymentMethod {
  readonly id: string;
  readonly index: number;
  readonly customer: string | null;
  readonly source: Source;
  readonly providerId: string;
  /** The identifier of its vault entry, which may be gone by now; null when it was never vaulted. */
  readonly vault: string | null;
  readonly dateAdded: number;
  readonly dateRemoved: number | null;
  readonly metadata: Metadata | null;
  /** Where the provider had the source already; null for most. */
  readonly origin: ProviderToken | null;
}

/** What a provider calls a source that it took by itself. */
export interface ProviderToken {
  readonly token: string;
  readonly data: Metadata | null;
  /** Whether the token was used up with this. */
  readonly singleUse: boolean;
  /** The payer's address, for a method of no customer. */
  readonly email: string | null;
}

/** What an e-mail address or a phone number reads once its customer or payment method was removed. */
export const DELETED = 'deleted';

/** By what payment methods are found beside their identifiers. */
export const PAYMENT_METHOD_KEYS = {
  customer: ({ customer }: PaymentMethod) => customer,
  providerToken: ({ origin }: PaymentMethod) => origin && origin.token,
};

export type PaymentMethodTable = Table<PaymentMethod, keyof typeof PAYMENT_METHOD_KEYS>;

/** How many card numbers a pool remembers before it starts anew. */
const POOL_MAX = 1024;
/** How many descriptions of one card number (other expiry, other holder) a pool remembers. */
const VARIANTS_MAX = 8;

/**
 * Hands out one description for equal cards. Tests charge the same few cards over and over, and a
 * description of its own for each charge would be a third of the charge's memory.
 */
export class CardPool {
  readonly #cards = new Map<string, Card[]>();

  describe(pan: string, expiry: string, cardholder: string | null, trigger: string | null): Card {
    const known = this.#cards.get(pan);
    if (known)
      for (const card of known)
        if (card.expiry === expiry && card.cardholder === cardholder && card.trigger === trigger) return card;
    const card = describeCard(pan, expiry, cardholder, trigger);
    if (known && known.length < VARIANTS_MAX) known.push(card);
    else {
      if (this.#cards.size >= POOL_MAX) this.#cards.clear();
      this.#cards.set(pan, [card]);
    }
    return card;
  }
}

/** Hands out one object for equal bank accounts, as the pool of cards does. */
export class BankAccountPool {
  readonly #accounts = new Map<string, BankAccount>();

  share(account: BankAccount): BankAccount {
    const said = JSON.stringify(account);
    const known = this.#accounts.get(said);
    if (known !== undefined) return known;
    if (this.#accounts.size >= POOL_MAX) this.#accounts.clear();
    this.#accounts.set(said, account);
    return account;
  }
}

function describeCard(pan: string, expiry: string, cardholder: string | null, trigger: string | null): Card {
  const iin = iinOf(pan);
  return {
    type: 'CARD',
    masked: maskPan(pan),
    iin,
    expiry,
    cardholder,
    scheme: cardScheme(pan),
    funding: cardFunding(iin),
    trigger,
  };
}
