import { CHARGE_STATUSES, STATUS_TEXTS, TRANSITIONS } from '../records/charge.js';
import { BUILT_IN_PROVIDERS, RESERVED_PROVIDER_ID } from './built-in.js';
import { MAGIC_ACCOUNTS, MAGIC_PAY_IDS, MAGIC_CARDS } from './magic.js';
import { MAGIC_TOKENS } from './magic-tokens.js';
import { DECLINED_STATUS, OUTCOMES } from './outcomes.js';
import { PRECEDENCE } from './provider.js';

/** Everything that decides an outcome, and the statuses that follow, for `GET /_sandbox/triggers`, `playmoney triggers` and the docs. */
export function presentTriggers() {
  return {
    Precedence: [...PRECEDENCE],
    Outcomes: Array.from(OUTCOMES.values(), (outcome) => ({
      Outcome: outcome.name,
      Code: outcome.code,
      GatewayCode: outcome.gatewayCode,
      GatewayMessage: outcome.gatewayMessage,
      IsRetryable: outcome.retryable,
      FailsOver: outcome.failsOver,
      HttpStatus: outcome.code === null ? null : DECLINED_STATUS,
    })),
    Cards: MAGIC_CARDS.map((card) => ({
      CardNumber: card.number,
      Scheme: card.scheme,
      Effect: card.effect,
    })),
    Accounts: MAGIC_ACCOUNTS.map(({ number, effect }) => ({ AccountNumber: number, Effect: effect })),
    PayIds: MAGIC_PAY_IDS.map(({ payId, effect }) => ({ PayId: payId, Effect: effect })),
    Tokens: MAGIC_TOKENS.map(({ token, effect }) => ({ Token: token, Effect: effect })),
    Providers: [
      ...BUILT_IN_PROVIDERS.map((provider) => ({
        ProviderId: provider.providerId,
        Name: provider.name,
        Behaviour: provider.behaviour,
      })),
      {
        ProviderId: RESERVED_PROVIDER_ID,
        Name: null,
        Behaviour: 'always an unknown provider: 400 with code 39',
      },
    ],
    Statuses: CHARGE_STATUSES.map((status) => {
      const [meaning, way] = STATUS_TEXTS[status];
      const next = [...new Set(Object.values(TRANSITIONS[status]))];
      return { Status: status, Meaning: meaning, Way: way, Next: next };
    }),
  };
}
