import { shownId } from '../core/card.js';
import { DELAY_MS_MAX, type DelaySpec } from '../core/delay.js';
import { CODE, refuse } from '../core/errors.js';
import { builtInNamed } from '../outcomes/built-in.js';
import type { World } from '../world.js';
import {
  ALL_FEATURES,
  bareProviderId,
  type ConfiguredProvider,
  type Cost,
  type Environment,
} from './record.js';

/** Providers as a program configures them. */

type Texts = Readonly<Record<string, string>>;

/** What a provider may be given beside its type and name; null: nothing is said of it. */
interface MoreSettings {
  readonly authenticationParameters: Texts | null;
  readonly additionalParameters: Texts | null;
  readonly country: string | null;
  readonly threeDsProviderId: string | null;
  readonly fallbackProviderId: string | null;
  readonly costs: readonly Cost[] | null;
}

interface MainSettings {
  readonly type: string;
  readonly name: string;
  readonly environment: Environment;
  readonly currency: string;
}

/** The type whose latency is configured, and by which parameters. */
const TYPE_WITH_LATENCY = 'dummy';
const MIN = 'MinMilliseconds';
const MAX = 'MaxMilliseconds';

/** Configures a provider. */
export function createProvider(world: World, command: MainSettings & MoreSettings): ConfiguredProvider {
  const { type, name, environment, currency } = command;
  const authenticationParameters = command.authenticationParameters ?? {};
  const latency = latencyOf(type, authenticationParameters);
  requireFallback(world, command.fallbackProviderId, null);
  world.requireRoom(world.providers, 'providers');
  const id = world.providers.nextId;
  const provider: ConfiguredProvider = {
    id,
    index: world.providers.next,
    providerId: id,
    type,
    name,
    environment,
    currency,
    authenticationParameters,
    additionalParameters: command.additionalParameters ?? {},
    country: command.country,
    threeDsProviderId: command.threeDsProviderId,
    fallbackProviderId: command.fallbackProviderId,
    costs: command.costs ?? [],
    behaviour: { latency, outcomes: [], fails: null, features: ALL_FEATURES },
    dateAdded: world.now,
    dateRemoved: null,
    scripted: false,
  };
  world.providers.add(provider);
  return provider;
}

/** Changes what is given; what is null stays. What a scenario said of the provider's behaviour stays, too. */
export function updateProvider(
  world: World,
  id: string,
  command: { readonly [K in keyof (MainSettings & MoreSettings)]: (MainSettings & MoreSettings)[K] | null },
): ConfiguredProvider {
  const found = requireProvider(world, id);
  const changes = Object.fromEntries(Object.entries(command).filter(([, value]) => value !== null));
  const changed: ConfiguredProvider = { ...found, ...changes };
  const asked = latencyOf(changed.type, changed.authenticationParameters);
  const latency = asked ?? (found.scripted ? found.behaviour.latency : null);
  requireFallback(world, command.fallbackProviderId, found);
  const after = { ...changed, behaviour: { ...found.behaviour, latency } };
  world.providers.replace(after);
  return after;
}

/** Removes a provider: what was charged through it stays, and nothing new is. */
export function removeProvider(world: World, id: string): ConfiguredProvider {
  const found = requireProvider(world, id);
  world.providers.replace({ ...found, dateRemoved: world.now });
  return found;
}

/** The configured provider of an identifier; unknown or removed: 404 with code 65. */
export function requireProvider(world: World, id: string): ConfiguredProvider {
  const found = world.providers.named(id);
  if (found !== null && found.dateRemoved === null) return found;
  const shown = shownId(id);
  if (found !== null) return refuse(CODE.NoProviderFound, `The provider ${shown} was removed.`);
  const builtIn = builtInNamed(id);
  return refuse(
    CODE.NoProviderFound,
    builtIn === undefined
      ? `There is no provider ${shown} configured in this world.`
      : `${builtIn.name} is built in and stays as it is; configure a provider with POST /provider.`,
  );
}

/** A fallback is another provider that was not removed; else 400 with code 117. */
function requireFallback(world: World, fallback: string | null, own: ConfiguredProvider | null): void {
  if (fallback === null) return;
  const isOwn = own !== null && bareProviderId(fallback) === own.providerId;
  const isGone = (world.providers.named(fallback)?.dateRemoved ?? null) !== null;
  if (!isOwn && !isGone) return;
  const reason = isOwn ? 'is the provider itself' : 'names a provider that was removed';
  refuse(CODE.InvalidFallbackProviderId, `FallbackProviderId ${reason}.`, {
    details: { FallbackProviderId: reason },
  });
}

/** The latency that the parameters of a dummy ask for; null: none. */
function latencyOf(type: string, parameters: Texts): DelaySpec | null {
  if (type.toLowerCase() !== TYPE_WITH_LATENCY) return null;
  const [min, max] = [readMilliseconds(parameters, MIN), readMilliseconds(parameters, MAX)];
  if (min === null && max === null) return null;
  const [minMs, maxMs] = [min ?? 0, max ?? min ?? 0];
  if (minMs > maxMs) refuseParameter(MIN, `is ${minMs}, more than the ${maxMs} of ${MAX}`);
  return { kind: 'uniform', minMs, maxMs };
}

function readMilliseconds(parameters: Texts, name: string): number | null {
  const [, value] =
    Object.entries(parameters).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  if (value === undefined) return null;
  const ms = /^\d{1,6}$/.test(value) ? Number(value) : Infinity;
  if (ms <= DELAY_MS_MAX) return ms;
  return refuseParameter(name, `must be a whole number from 0 to ${DELAY_MS_MAX} such as "250"`);
}

function refuseParameter(name: string, reason: string): never {
  const member = `AuthenticationParameters.${name}`;
  return refuse(CODE.ValidationError, `${member} ${reason}.`, { details: { [member]: reason } });
}
