import { DEFAULT_PROVIDER_ID } from '../../outcomes/built-in.js';
import { MAGIC_TOKEN_NAMES, MAGIC_TOKEN_PAN, readMagicToken } from '../../outcomes/magic-tokens.js';
import type { World } from '../../world/world.js';
import type { Token } from '../../records/token.js';

export const MAGIC_EXPIRY = '12/99';

/** The date of magic tokens: before every other record. */
const MAGIC_DATE = 0;

/** A magic token for reading. It is not stored and never expires. Undefined for any other token. */
export function findMagicToken(world: World, text: string): Token | undefined {
  const magic = readMagicToken(text);
  if (magic === undefined || magic.kind === 'fault') return undefined;
  const isUsed = magic.kind === 'refused' && magic.reason === 'used';
  return {
    id: text,
    index: -1,
    providerId: DEFAULT_PROVIDER_ID,
    source: world.cards.cardFor(MAGIC_TOKEN_PAN, MAGIC_EXPIRY, null, null),
    secret: magic.kind === 'token' ? { pan: MAGIC_TOKEN_PAN, ccv: null } : null,
    vault: null,
    ip: null,
    metadata: null,
    dateAdded: MAGIC_DATE,
    expires: Infinity,
    dateUsed: isUsed ? MAGIC_DATE : null,
  };
}

/** The magic tokens of a search, in reverse order, because searches return the newest first. */
export function listMagicTokens(world: World): Token[] {
  return MAGIC_TOKEN_NAMES.flatMap((name) => findMagicToken(world, name) ?? []).toReversed();
}
