import { isCardType, type PaymentType } from '../../core/cards/payment-type.js';
import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { AMOUNT_MAX_MAJOR, UNIT_DECIMALS } from '../../core/money.js';
import { MAGIC_ACCOUNTS } from '../../outcomes/magic.js';
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

/** What a payer of a type pays with, where only the type and the outcome are known. */
export function inventSource(
  world: World,
  { type, trigger }: { readonly type: PaymentType; readonly trigger: string | null },
): Source {
  if (isCardType(type)) return world.cards.cardFor(MAGIC_TOKEN_PAN, MAGIC_EXPIRY, null, trigger, type);
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
