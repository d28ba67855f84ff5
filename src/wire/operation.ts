import type { Context, MiddlewareHandler } from 'hono';

import { formatAmount, currencyExponent } from '../core/money.js';
import type { PaymentMethod, Source } from '../payment-methods/model.js';
import type { Override } from '../providers/header.js';
import type { Outcome } from '../providers/outcomes.js';
import type { Facts, Fault, Operation, Verdict } from '../scenarios/model.js';
import { ASKS_PROVIDER } from '../scenarios/reach.js';
import type { World } from '../world.js';
import { delayAnswer, type Env, type Exchange, worldOf } from './exchange.js';

/**
 * Names the operation of a route, and lets the world's script have its say: outcomes, delays and faults, before
 * the operation or after its commit. Stands behind the body's check, so that a script sees what is asked.
 */
export function operation(name: Operation): MiddlewareHandler<Env> {
  const asksProvider = ASKS_PROVIDER.includes(name);
  return (c, next) => {
    const exchange = c.get('exchange');
    exchange.operation = name;
    if (exchange.override !== null && !asksProvider) ignoreOverride(exchange, name);
    // Most worlds have no script: they pay nothing for those that have one.
    if (exchange.fault === null && worldOf(c).script.isIdle) return next();
    return runScripted(c, next, name);
  };
}

/** An outcome is a provider's answer, and not every operation asks one. */
function ignoreOverride(exchange: Exchange, name: Operation): void {
  exchange.override = null;
  exchange.warnings.push(`ignored x-sandbox-outcome: ${name} asks no provider`);
}

function runScripted(
  c: Context<Env>,
  next: () => Promise<void>,
  name: Operation,
): Promise<Response | undefined | void> {
  const exchange = c.get('exchange');
  const world = worldOf(c);
  // What the request asks for itself uses nothing up: tests that run in parallel cannot meet.
  const isDecided = exchange.override !== null || exchange.fault?.phase === 'before';
  const verdict = world.script.decide(factsOf(c, name), world.chance, isDecided);
  exchange.verdict = verdict;
  if (verdict?.outcome) exchange.override = overrideBy(verdict, verdict.outcome);
  const fault = exchange.fault?.fault ?? verdict?.fault ?? null;
  const delayMs = verdict?.delayMs ?? 0;
  // Most calls meet no rule, or one that decides their outcome alone: they travel like any other.
  if (fault === null && delayMs === 0) return next();
  const phase = exchange.fault?.phase ?? verdict?.phase ?? 'before';
  return phase === 'before' ? disturbBefore(c, next, fault, delayMs) : disturbAfter(c, next, fault, delayMs);
}

function overrideBy({ trigger, phase }: Verdict, outcome: Outcome): Override {
  return { outcome, delayMs: 0, trigger, isDone: phase === 'after' };
}

async function disturbBefore(
  c: Context<Env>,
  next: () => Promise<void>,
  fault: Fault | null,
  delayMs: number,
): Promise<Response | void> {
  await waitFor(c, delayMs);
  return fault === null ? next() : perform(c, fault, null);
}

async function disturbAfter(
  c: Context<Env>,
  next: () => Promise<void>,
  fault: Fault | null,
  delayMs: number,
): Promise<void> {
  await next();
  await waitFor(c, delayMs);
  if (fault !== null) replaceAnswer(c, await perform(c, fault, c.res));
}

async function perform(c: Context<Env>, fault: Fault, answered: Response | null): Promise<Response> {
  const { performFault } = await import('./seldom.js');
  return performFault(c, fault, answered);
}

/** Puts another answer in place; without the first line Hono would mix the headers of both. */
function replaceAnswer(c: Context<Env>, answer: Response): void {
  (c as { res: Response | undefined }).res = undefined;
  c.res = answer;
}

/** Waits as long as the script says, in real time; the world may be reset or go on meanwhile. */
async function waitFor(c: Context<Env>, delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  await delayAnswer(c.get('exchange'), c.get('edge').host, delayMs);
  await worldOf(c).enter();
}

/** What a command may say, whichever operation it is for. */
interface Command {
  readonly amount?: string | null;
  readonly providerId?: string | null;
  readonly customerId?: string;
  readonly paymentMethodId?: string;
  readonly card?: { readonly pan: string };
  readonly details?: { readonly currency?: string | null; readonly reference?: string | null };
}

function factsOf(c: Context<Env>, operationName: Operation): Facts {
  const world = worldOf(c);
  const command = (c.req.valid('json' as never) as Command | undefined) ?? {};
  const id = c.req.param('id');
  const stored = id === undefined ? null : chargeFacts(world, id);
  // No two records of a world have the same identifier: the path's tells by itself what it is of.
  const methodId = command.paymentMethodId ?? id;
  const method = methodId === undefined ? undefined : world.paymentMethods.find(methodId);
  const isCustomer = id !== undefined && world.customers.find(id) !== undefined;
  return {
    operation: operationName,
    now: world.now,
    providerId:
      command.providerId ??
      (method ?? defaultMethod(world, command))?.providerId ??
      stored?.providerId ??
      null,
    cardNumber: command.card?.pan ?? maskedCard(method?.source) ?? stored?.cardNumber ?? null,
    amount: plainAmount(command.amount) ?? stored?.amount ?? null,
    currency: command.details?.currency ?? stored?.currency ?? null,
    reference: command.details?.reference ?? stored?.reference ?? null,
    customerId: command.customerId ?? (isCustomer ? id : null),
    paymentMethodId: command.paymentMethodId ?? (method && id) ?? null,
    header: (name) => c.req.header(name),
  };
}

/** What a charge of a customer goes through that names no provider. */
function defaultMethod(world: World, { customerId }: Command): PaymentMethod | undefined {
  const customer = customerId === undefined ? undefined : world.customers.find(customerId);
  const index = customer?.defaultMethod ?? null;
  return index === null ? undefined : world.paymentMethods.at(index);
}

/** A decimal text without needless zeros: `15.50` is `15.5`. */
function plainAmount(digits: string | null | undefined): string | null {
  if (digits === null || digits === undefined) return null;
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function chargeFacts(world: World, id: string) {
  const charge = world.charges.find(id);
  if (!charge) return null;
  const { providerId, currency, reference } = charge;
  const amount = formatAmount(charge.amountMinor, currencyExponent(currency) ?? 2);
  return { providerId, currency, reference, amount, cardNumber: maskedCard(charge.source) };
}

function maskedCard(source: Source | undefined): string | null {
  return source?.type === 'CARD' ? source.masked : null;
}
