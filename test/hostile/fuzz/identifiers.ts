import fc from 'fast-check';
import { words } from '../../support/tables.js';
import { weighted } from './weighted.js';

/** Identifiers come from earlier answers; what a request says of one until it is sent is a place in a pool. */

/** Stands for one of the identifiers that answers gave under a name. */
export class Ref {
  constructor(
    readonly pool: string,
    readonly at: number,
  ) {}
}

/** A text with identifiers in it. */
export class Text {
  constructor(readonly parts: readonly (string | Ref)[]) {}
}

/** What is in a path, by the words in front of it; the last that fits. */
const IN_PATHS: readonly (readonly [begins: string, pool: string])[] = [
  ['/charge/', 'ChargeId'],
  ['/refund/', 'ChargeId'],
  ['/customer/', 'CustomerId'],
  ['/payment_method/', 'PaymentMethodId'],
  ['/vault/', 'VaultId'],
  ['/token/', 'TokenId'],
  ['/3ds/preauth/token/', 'TokenId'],
  ['/3ds/auth/token/', 'TokenId'],
  ['/checkout/', 'CheckoutId'],
  ['/checkout/external/', 'ExternalId'],
  ['/info/providers/', 'ProviderId'],
  ['/info/providers/token/', 'TokenId'],
  ['/batch/', 'BatchId'],
  ['/subscription/', 'SubscriptionId'],
  ['/payment_link/', 'PaymentLinkId'],
  ['/transfer/', 'TransferId'],
  ['/provider/', 'ProviderId'],
  ['/webhook/subscription/', 'WebhookSubscriptionId'],
  ['/_sandbox/journal/', 'EntryId'],
  ['/_sandbox/hold/', 'HoldId'],
  ['/_sandbox/webhooks/', 'DeliveryId'],
  ['/_sandbox/snapshots/', 'Snapshot'],
  ['/_sandbox/pay/', 'PaymentLinkId'],
  ['/_sandbox/3ds/', 'ThreeDSServerTransID'],
  ['/_sandbox/wallet/', 'CheckoutId'],
  ['/_sandbox/worlds/', 'World'],
  ['/_sandbox/records/charges/', 'ChargeId'],
  ['/_sandbox/records/customers/', 'CustomerId'],
  ['/_sandbox/records/payment-methods/', 'PaymentMethodId'],
  ['/_sandbox/records/vault/', 'VaultId'],
  ['/_sandbox/records/batches/', 'BatchId'],
  ['/_sandbox/records/authentications/', 'ThreeDSServerTransID'],
  ['/_sandbox/records/subscriptions/', 'SubscriptionId'],
  ['/_sandbox/records/payment-links/', 'PaymentLinkId'],
  ['/_sandbox/records/transfers/', 'TransferId'],
  ['/_sandbox/reference/', 'Any'],
];

/** Names of members and parameters that hold an identifier which answers give under another name. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  DefaultPaymentMethodId: 'PaymentMethodId',
  FallbackProviderId: 'ProviderId',
  ThreeDsProviderId: 'ProviderId',
  CardProviderId: 'ProviderId',
  Token: 'TokenId',
  Id: 'WebhookSubscriptionId',
  threeDSServerTransID: 'ThreeDSServerTransID',
  ThreeDSServerTransID: 'ThreeDSServerTransID',
  Ref: 'Any',
};

/** The pool of a parameter that stands in a path. */
export function poolOfParameter(name: string, path: string): string {
  return name === 'world' ? 'World' : poolOfPath(path);
}

function poolOfPath(path: string): string {
  const found = IN_PATHS.filter(([begins]) => path.startsWith(begins)).at(-1);
  if (found === undefined) throw new Error(`Nothing is known of the identifier in ${path}`);
  return found[1];
}

/** The pool of a member of a request; null: it holds no identifier. */
export function poolOfMember(name: string): string | null {
  if (Object.hasOwn(ELSEWHERE, name)) return ELSEWHERE[name] ?? null;
  return /^(?:Charge|Customer|PaymentMethod|Vault|Batch|Subscription|Provider|Token)Id$/.test(name)
    ? name
    : null;
}

/** Identifiers that nobody gave. */
const UNHEARD: readonly string[] = words`
  0123456789abcdef0123456789abcdef 0000000000000000000000000000dead 00000000-0000-4000-8000-000000000001
  4111111111111111 0 x
`;

/** An identifier of a pool; now and then one that nobody gave. */
export const identifierOf = (pool: string): fc.Arbitrary<Ref | string> =>
  weighted<Ref | string>(
    [12, fc.nat({ max: 999 }).map((at) => new Ref(pool, at))],
    [1, fc.constantFrom(...UNHEARD)],
  );

/** How many identifiers of a name are remembered: the latest ones. */
export const KEPT_MAX = 12;
/** Built-in providers: steady, by amounts, flaky, down, without captures. */
const PROVIDERS = Array.from('11111112456', (digit) => digit.padStart(32, '0'));
/** Identifiers that are known without an answer. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  ProviderId: PROVIDERS,
  Snapshot: ['a'],
  EntryId: ['1', '2'],
};

/** What answers of a run have told. */
export class Pools {
  readonly #known: Map<string, string[]>;
  /** The world as it was exported last. */
  #state: object;

  constructor(from?: Pools) {
    this.#state = from === undefined ? {} : from.#state;
    this.#known = new Map(
      [...(from === undefined ? [] : from.#known)].map(([name, ids]) => [name, [...ids]]),
    );
  }

  /** Takes over each identifier of an answer, whatever its dialect. */
  learn(answer: unknown): void {
    if (Array.isArray(answer)) for (const one of answer.slice(0, KEPT_MAX)) this.learn(one);
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return;
    if ('Format' in answer && answer.Format === 'playmoney-state') {
      this.#state = answer;
      return;
    }
    for (const [name, value] of Object.entries(answer)) {
      const isNamed = /(?:Id|hreeDSServerTransID|^World)$/.test(name);
      const isIdentifier = isNamed && (typeof value === 'string' || typeof value === 'number');
      if (isIdentifier) this.#keep(name.charAt(0).toUpperCase() + name.slice(1), String(value));
      else this.learn(value);
    }
  }

  #keep(name: string, id: string): void {
    for (const pool of /^[0-9a-f]{32}$/.test(id) ? [name, 'Any'] : [name]) {
      const ids = this.#known.get(pool) ?? [];
      if (ids.includes(id)) continue;
      this.#known.set(pool, [...ids, id].slice(-KEPT_MAX));
    }
  }

  /** The identifier that stands at a place; where none was given, one that nobody knows. */
  at({ pool, at }: Ref): string {
    const ids = [...(GIVEN[pool] ?? []), ...(this.#known.get(pool) ?? [])];
    return ids[at % Math.max(1, ids.length)] ?? 'f'.repeat(32);
  }

  /** A value of a request with all that stood for identifiers filled in. */
  filled(value: unknown): unknown {
    if (value instanceof Ref) return value.pool === 'State' ? this.#state : this.at(value);
    if (value instanceof Text) return value.parts.map((part) => String(this.filled(part))).join('');
    if (Array.isArray(value)) return value.map((one) => this.filled(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.filled(one)]));
  }
}
