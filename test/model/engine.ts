import type * as z from 'zod';

import { captureCharge, requireCharge, voidCharge } from '../../src/resources/charges/changes.js';
import {
  CaptureCharge,
  ChargeCard,
  ChargeCustomer,
  ChargePaymentMethod,
  ChargeToken,
} from '../../src/resources/charges/schema.js';
import {
  chargeCard,
  chargeCustomer,
  chargePaymentMethod,
  chargeToken,
} from '../../src/resources/charges/instruments.js';
import { presentPayer, presentCharge } from '../../src/resources/charges/presenter.js';
import type { ChargeResult } from '../../src/resources/charges/service.js';
import { ApiError } from '../../src/core/errors.js';
import { removeCustomer } from '../../src/resources/customers/service.js';
import { presentCustomer } from '../../src/resources/customers/presenter.js';
import { removeMethod } from '../../src/resources/payment-methods/service.js';
import { presentMethod } from '../../src/resources/payment-methods/presenter.js';
import { type Override, parseOverride } from '../../src/outcomes/header.js';
import { isApproved } from '../../src/outcomes/outcomes.js';
import { deleteVaultEntry } from '../../src/resources/vault/service.js';
import { presentVaultEntry } from '../../src/resources/vault/presenter.js';
import { buildFieldsError } from '../../src/http/fields/issues.js';
import { buildDecline } from '../../src/http/answers/declines.js';
import type { JsonValue } from '../../src/core/json/json.js';
import { buildErrorBody } from '../../src/http/answers/respond.js';
import { prepareFields, shapeOf } from '../../src/http/fields/shape.js';
import type { World } from '../../src/world/world.js';
import { testSandbox } from '../support/sandbox.js';
import type { Call } from './commands/kind.js';
import { type Answer, type Driver, send } from './drivers.js';

/** The services themselves: no route, no HTTP. What no row stands for goes to the app, as to the worlds of the same sandbox. */

interface Asked {
  readonly world: World;
  /** What stands in the path. */
  readonly id: string;
  readonly body: object;
  readonly override: Override | null;
}

type Serve = (asked: Asked) => object;

/** A body by its contract; what that refuses is refused as a route does. */
function read<S extends z.ZodType>(schema: S, body: object): z.output<S> {
  const value = prepareFields(Object.entries(body) as [string, JsonValue][], shapeOf(schema), []);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw buildFieldsError(schema, parsed.error.issues, value);
  return parsed.data;
}

function charged(world: World, { charge, answer }: ChargeResult): object {
  if (isApproved(answer.outcome)) return presentCharge(world, charge);
  throw buildDecline(answer, '', presentPayer(world, charge, null), charge.id);
}

const charges =
  <S extends z.ZodType>(
    schema: S,
    serve: (world: World, command: z.output<S>, override: Override | null) => ChargeResult,
  ): Serve =>
  ({ world, body, override }) =>
    charged(world, serve(world, read(schema, body), override));

const capture: Serve = ({ world, id, body, override }) =>
  charged(world, captureCharge(world, id, read(CaptureCharge, body).amount, override));

/** Each route as the service that it calls. */
const SERVICES: readonly (readonly [route: RegExp, serve: Serve])[] = [
  [/^POST \/charge\/card$/, charges(ChargeCard, chargeCard)],
  [/^POST \/charge\/token$/, charges(ChargeToken, chargeToken)],
  [/^POST \/charge\/customer$/, charges(ChargeCustomer, chargeCustomer)],
  [/^POST \/charge\/payment_method$/, charges(ChargePaymentMethod, chargePaymentMethod)],
  [/^POST \/charge\/([0-9a-f]{32})(?:\/capture)?$/, capture],
  [
    /^DELETE \/charge\/([0-9a-f]{32})\/void$/,
    ({ world, id, override }) => charged(world, voidCharge(world, id, override)),
  ],
  [/^GET \/charge\/([0-9a-f]{32})$/, ({ world, id }) => presentCharge(world, requireCharge(world, id))],
  [
    /^DELETE \/customer\/([0-9a-f]{32})$/,
    ({ world, id }) => presentCustomer(world, removeCustomer(world, id)),
  ],
  [
    /^DELETE \/payment_method\/([0-9a-f]{32})$/,
    ({ world, id }) => presentMethod(world, removeMethod(world, id)),
  ],
  [
    /^DELETE \/vault\/([0-9a-f]{32})$/,
    ({ world, id }) => presentVaultEntry(world, deleteVaultEntry(world, id)),
  ],
];

/** The services of a sandbox in this process. */
export function engine(): Driver {
  const sandbox = testSandbox({ clock: { mode: 'manual' } });
  const byRoute = (key: string, call: Call) => send(sandbox.fetch, 'http://localhost', key, call);
  return {
    name: 'by its services',
    call: async (key, call) => {
      const world = sandbox.worlds.open(key);
      const { headers = {}, body = {} } = call;
      const asked = `${call.method} ${call.path}`;
      const one = SERVICES.find(([route]) => route.test(asked));
      // Dialects and scripts are of the wire.
      if (one === undefined || 'x-sandbox-dialect' in headers || !world.script.decidesNothing)
        return byRoute(key, call);
      const [route, serve] = one;
      const id = route.exec(asked)?.[1] ?? '';
      await world.enter();
      const outcome = headers['x-sandbox-outcome'];
      const override = outcome === undefined ? null : parseOverride(outcome);
      const status = call.method === 'POST' && serve !== capture ? 201 : 200;
      const answer = served(status, () => serve({ world, id, body, override }), call.path);
      world.webhooks.takeCaused();
      return answer;
    },
  };
}

function served(status: number, serve: () => object, path: string): Answer {
  try {
    return answerOf(status, serve());
  } catch (error) {
    if (error instanceof ApiError) return answerOf(error.httpStatus, buildErrorBody(error, path));
    throw error;
  }
}

function answerOf(status: number, body: object): Answer {
  const text = JSON.stringify(body);
  return { status, text, body: JSON.parse(text) as Answer['body'] };
}
