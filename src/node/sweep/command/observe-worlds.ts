import type { InnerSandbox } from '../../../app/sandbox.js';
import { toAgreedOrders } from '../../../sweep/expected.js';
import type { ExpectedOrder } from '../../../sweep/public.js';
import type { World } from '../../../world/world.js';
import { readOrders } from '../../cli/verbs/reconcile.js';
import { decodeText } from '../../files/text-file.js';
import { ordersByWorld } from './orders.js';
import { type ObservedWorld, observeWorld } from '../../../sweep/observed.js';
import { createHandle } from '../rooms.js';

export async function observeAll(
  sandbox: InnerSandbox,
  printed: Uint8Array | null,
  expected: string | null,
  flowEnds: ReadonlyMap<string, number>,
): Promise<{ readonly key: string; readonly observed: ObservedWorld }[]> {
  const worlds = [...sandbox.worlds.all()];
  const all = worlds.map((world) => ({
    key: world.key,
    name: nameWorld(world, worlds),
    handle: createHandle(sandbox, world.key),
  }));
  const believed =
    printed === null
      ? null
      : await ordersByWorld('--orders', readOrders('--orders', decodeText('--orders', printed)), all);
  const agreed =
    expected === null
      ? null
      : await ordersByWorld(
          '--expect',
          toAgreedOrders(readOrders('--expect', expected) as ExpectedOrder[]),
          all,
        );
  const observed: { readonly key: string; readonly observed: ObservedWorld }[] = [];
  for (const { key, name, handle } of all) {
    const at = {
      orders: believed === null ? null : (believed.get(name) ?? []),
      flowEnd: flowEnds.get(key) ?? 0,
      expected: agreed?.get(name) ?? null,
    };
    observed.push({ key, observed: await observeWorld(handle, name, at, { hasReferences: false }) });
  }
  return observed;
}

/** The name of a world in reports. Without a name, or if tests of two files share it, its hash is added. */
function nameWorld({ settings: { name }, keyHash }: World, all: readonly World[]): string {
  if (name === null) return keyHash;
  return all.filter(({ settings }) => settings.name === name).length > 1 ? `${name} (${keyHash})` : name;
}
