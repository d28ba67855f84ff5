import { isOver, major, readAmount } from './arithmetic.js';
import type { Event } from './event.js';
import { askItself, askProvider, type Question, type Reply, type Said } from './provider.js';
import { EXPONENTS, ISSUER_SAYS, OUTCOMES, PROVIDER } from './spec.js';
import {
  type Charge,
  type Method,
  newestOf,
  type Source,
  type State,
  type TransactionStatus,
} from './state.js';

/** The part of a charge that is the same whoever asks for it: a request, a row of a batch, or time. */

export interface Refusal {
  readonly status: number;
  readonly code: number;
}

export const refusal = (status: number, code: number): Refusal => ({ status, code });

/** What is charged, and how its charge is to be noted. */
export interface Demand {
  readonly provider: string;
  readonly source: Source;
  readonly hasCcv: boolean;
  readonly amount: string;
  readonly currency: string;
  readonly capture: boolean;
  readonly told: string | null;
  /** Whether the payer can be sent to a challenge. */
  readonly challenges?: boolean;
  /** The text of the token that is charged; left out: none is. */
  readonly token?: string;
  readonly links: Pick<Charge, 'reference' | 'customer' | 'method' | 'batch' | 'subscription'>;
  /** What is used up by the charge, approved or not. */
  readonly uses: readonly Event[];
}

export const NO_LINKS: Demand['links'] = {
  reference: null,
  customer: null,
  method: null,
  batch: null,
  subscription: null,
};

/** A refusal, or the charge that is stored, its identifier being known only by its answer. */
export type Outcome =
  | { readonly refused: Refusal }
  | { readonly decline: Refusal | null; readonly retryable: boolean; events(id: string | null): Event[] };

export function decideCharge(state: State, demand: Demand): Outcome {
  const { provider, source, capture, currency } = demand;
  if (state.providers.some(({ id, isGone }) => isGone && id === provider))
    return { refused: refusal(400, 39) };
  const read = readAmount(demand.amount, EXPONENTS[currency] ?? 2);
  if ('code' in read) return { refused: refusal(400, read.code) };
  const isBank = source.type === 'BANK_ACCOUNT';
  const { agreed } = source;
  if (!capture && (isBank || agreed !== undefined || provider === PROVIDER.noCapture))
    return { refused: refusal(400, 71) };
  if (source.expiry !== null && isOver(source.expiry, state.now)) return { refused: refusal(400, 14) };
  const { minor } = read;
  if (agreed?.isActive === false) return { refused: refusal(400, 33) };
  if (agreed !== undefined && major(minor, currency) > agreed.maximum) return { refused: refusal(400, 24) };
  const question = { asked: 'charge', provider, trigger: source.trigger, minor, currency } as const;
  const asked = { ...question, told: demand.told };
  const { token } = demand;
  const {
    decline,
    ccvCheck,
    used,
    transaction,
    begun = null,
  } = token === undefined
    ? askOfCard(state, asked, source, demand.challenges === true)
    : askOfToken(state, asked, token);
  const isDemanded = token !== undefined && decline === DEMANDED;
  const charge = {
    provider,
    currency,
    source,
    minor,
    authorised: capture ? null : minor,
    ccvCheck: demand.hasCcv ? ccvCheck : null,
    ...demand.links,
  };
  return {
    decline: decline && refusal(decline.status, decline.code),
    retryable: decline?.retryable ?? false,
    events: (id) => [
      ...used,
      ...eventsOf(begun),
      {
        kind: 'charged',
        charge: { ...charge, id },
        approved: decline === null,
        waits: begun?.status === 'CHALLENGED',
      },
      ...(transaction === null ? [] : [{ kind: 'transactionUsed', transaction } as const]),
      // Its payer is authenticated first, so the token is not spent.
      ...(isDemanded ? [{ kind: 'authenticationDemanded', token, source } as const] : demand.uses),
    ],
  };
}

const DEMANDED = OUTCOMES['require_3ds'];

/** A transaction of 3-D Secure that a charge begins, and what the issuer says. */
interface Begun {
  readonly transaction: number;
  readonly source: Source;
  readonly status: TransactionStatus;
}

const eventsOf = (begun: Begun | null): Event[] =>
  begun === null
    ? []
    : [
        {
          kind: 'transactionBegun',
          transaction: { id: null, token: null, source: begun.source, isRequired: true },
        },
        { kind: 'transactionAsked', transaction: begun.transaction, status: begun.status },
      ];

type Asked = Reply & { readonly transaction: number | null; readonly begun?: Begun };

/** What is answered to the charge of a card. Where the payer must be known, the issuer is asked at once. */
function askOfCard(state: State, question: Question, source: Source, challenges: boolean): Asked {
  const reply = askProvider(state, question);
  if (!challenges || reply.decline !== DEMANDED) return { ...reply, transaction: null };
  const transaction = state.transactions.length;
  const begun: Begun = { transaction, source, status: ISSUER_SAYS[source.trigger] ?? 'CHALLENGED' };
  switch (begun.status) {
    case 'FAILED':
      return { ...reply, decline: OUTCOMES['failed_3ds'] ?? null, transaction, begun };
    case 'CHALLENGED':
      return { ...reply, decline: null, transaction, begun };
    case 'PASSED': {
      const own = askItself(state, question);
      return { ...own, used: [...reply.used, ...own.used], transaction, begun };
    }
    default:
      return { ...reply, transaction: null, begun };
  }
}

/** What is answered to the charge of a token, and the transaction of 3-D Secure that it uses. */
function askOfToken(state: State, question: Question, token: string): Asked {
  const reply = askProvider(state, question);
  const transaction = newestOf(state, token);
  const status = state.transactions[transaction]?.status;
  if (status === 'FAILED') return { ...reply, decline: OUTCOMES['failed_3ds'] ?? null, transaction };
  if (status !== 'PASSED') return { ...reply, transaction: null };
  if (reply.decline !== DEMANDED) return { ...reply, transaction };
  const own = askItself(state, question);
  return { ...own, used: [...reply.used, ...own.used], transaction };
}

/** What a stored method brings to its charge: its vault entry's Ccv is used by it, once. */
export function fromMethod(
  state: State,
  index: number,
): Pick<Demand, 'source' | 'hasCcv' | 'uses'> & { entry: number | null; method: Method } {
  const method = state.methods[index];
  if (!method) throw new Error(`The model has no method number ${index}`);
  const entry = method.vault !== null && state.entries[method.vault]?.isGone === false ? method.vault : null;
  const hasCcv = entry !== null && state.entries[entry]?.ccv !== null;
  const uses: Event[] = hasCcv && entry !== null ? [{ kind: 'ccvSet', entry, ccv: null }] : [];
  return { source: method.source, hasCcv, uses, entry, method };
}

/** What the script says, with what it used up in front. */
export function withUsed(said: Said, outcome: Outcome): Outcome {
  if ('refused' in outcome) return outcome;
  return { ...outcome, events: (id) => [...said.used, ...outcome.events(id)] };
}
