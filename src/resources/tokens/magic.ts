import { isCardType, type PaymentType } from '../../core/cards/payment-type.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { AMOUNT_MAX_MAJOR, UNIT_DECIMALS } from '../../core/money.js';
import { findApprovingCard, MAGIC_ACCOUNTS } from '../../outcomes/magic.js';
import {
  MAGIC_TOKEN_NAMES,
  MAGIC_TOKEN_PAN,
  ORDINARY_TOKEN,
  readMagicToken,
} from '../../outcomes/magic-tokens.js';
import type { BankAccountData, PayToData, Source } from '../../records/payment-method.js';
import type { World } from '../../world/world.js';
import type { Token } from '../../records/token.js';
import { buildPayTo, toBankAccount } from './rules.js';

export const MAGIC_EXPIRY = '12/99';

/** The date of magic tokens: before every other record. */
const MAGIC_DATE = 0;

const INVENTED_ACCOUNT: BankAccountData = {
  bankCode: '000-000',
  accountNumber: MAGIC_ACCOUNTS[0]?.number ?? '',
  accountName: 'Jo Example',
};

const INVENTED_AGREEMENT: PayToData = {
  payerName: 'Jo Example',
  payId: 'jo@example.com',
  payIdType: 'EMAIL',
  description: null,
  maximumUnits: AMOUNT_MAX_MAJOR * 10 ** UNIT_DECIMALS,
};

/** All that is known of a payment by a wallet, or by a magic token. */
export interface WalletPayment {
  readonly type: PaymentType;
  readonly trigger: string | null;
  /** The scheme of the card that a wallet passes on; by default Visa. */
  readonly network?: string | null;
}

/** An invented card, account, agreement or wallet, for a payment whose call does not describe one. */
export function inventSource(world: World, { type, trigger, network = null }: WalletPayment): Source {
  if (isCardType(type)) {
    const pan = (network === null ? undefined : findApprovingCard(network)) ?? MAGIC_TOKEN_PAN;
    return world.cards.cardFor(pan, MAGIC_EXPIRY, null, trigger, type);
  }
  if (type === 'BANK_ACCOUNT') return { ...toBankAccount(world, INVENTED_ACCOUNT), trigger };
  if (type === 'PAYTO') return { ...buildPayTo(world, INVENTED_AGREEMENT, 'magicToken', 0), trigger };
  return { type, trigger };
}

/** A magic token for reading. It is not stored and never expires. Undefined for any other token. */
export function findMagicToken(world: World, text: string): Token | undefined {
  const magic = readMagicToken(text);
  if (magic === undefined || magic.kind === 'fault') return undefined;
  const isUsed = magic.kind === 'refused' && magic.reason === 'used';
  const usable = magic.kind === 'token' ? magic.token : null;
  const { type } = usable ?? ORDINARY_TOKEN;
  return {
    id: text,
    index: -1,
    providerId: DEFAULT_PROVIDER_ID,
    source: inventSource(world, { type, trigger: null }),
    secret: usable && { pan: usable.pan, ccv: null },
    vault: null,
    ip: null,
    metadata: null,
    dateAdded: MAGIC_DATE,
    expires: Infinity,
    dateUsed: isUsed ? MAGIC_DATE : null,
    networkToken: null,
    clickToPay: null,
  };
}

/** The magic tokens of a search, in reverse order, because searches return the newest first. */
export function listMagicTokens(world: World): Token[] {
  return MAGIC_TOKEN_NAMES.flatMap((name) => findMagicToken(world, name) ?? []).toReversed();
}
