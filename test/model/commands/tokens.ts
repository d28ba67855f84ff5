import fc from 'fast-check';

import type { Event } from '../event.js';
import { BAD_TOKENS, GOOD_TOKENS, PROVIDER } from '../spec.js';
import { at, type Source, type Token } from '../state.js';
import { type Context, type Named, ref, type Ref, refuse } from './kind.js';

/** The card of a magic token. */
export const magicSource = (trigger: string): Source => ({
  type: 'CARD',
  number: '4111111111111111',
  expiry: '12/99',
  trigger,
});

/** A token: one that was made here, or a magic text. */
export const anyToken = (): fc.Arbitrary<Ref | string> =>
  fc.oneof(
    { weight: 4, arbitrary: ref() },
    { weight: 2, arbitrary: fc.constantFrom(...GOOD_TOKENS) },
    { weight: 1, arbitrary: fc.constantFrom(...BAD_TOKENS) },
  );

/** What a token stands for once it may be used, and what using it means. */
export interface Opened {
  readonly provider: string;
  readonly source: Source;
  readonly ccv: string | null;
  /** The vault entry that was made with it, while it is there. */
  readonly entry: number | null;
  readonly spent: readonly Event[];
}

/** A token, mostly one that may be used, or that fits otherwise. */
export function tokenNamed(
  context: Context,
  token: Ref | string,
  fits = ({ status }: Token): boolean => status === 'ACTIVE',
): Named {
  return typeof token === 'string' ? { id: token, n: null } : context.find('tokens', token, fits);
}

/** Opens a token; what cannot be used is refused with code 51. */
export function openToken({ state }: Context, { id, n }: Named): Opened {
  if (n === null) {
    if (!GOOD_TOKENS.includes(id)) return refuse(400, 51);
    return { provider: PROVIDER.steady, source: magicSource(id), ccv: null, entry: null, spent: [] };
  }
  const token = at(state.tokens, n);
  if (token.status !== 'ACTIVE') return refuse(400, 51);
  const entry = token.vault !== null && !at(state.entries, token.vault).isGone ? token.vault : null;
  return { ...token, entry, spent: [{ kind: 'tokenSpent', token: n }] };
}
