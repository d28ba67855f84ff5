import type { Order } from '../../client/asked.js';
import type { World } from '../../client/world.js';
import { recordsIn } from '../cli/verbs/reconcile.js';
import { CommandError } from '../terminal/terminal.js';

/** An order as `--orders` prints it. */
interface PrintedOrder extends Order {
  /** The name of its world; needed only where worlds have the same references. */
  readonly world?: string;
}

/** The orders of each world, by its name: an order without one belongs to the world that has its Reference, or to the only one. */
export async function ordersByWorld(
  printed: string,
  worlds: readonly { readonly name: string; readonly handle: World }[],
): Promise<ReadonlyMap<string, readonly Order[]>> {
  const [only, ...others] = worlds;
  const byReference = new Map<string, string>();
  for (const { name, handle } of worlds) {
    for (const { Reference } of await handle.charges()) if (Reference) byReference.set(Reference, name);
  }
  const orders = new Map<string, Order[]>();
  for (const order of recordsIn('--orders', printed) as readonly PrintedOrder[]) {
    const { world, ...believed } = order;
    const found = byReference.get(believed.reference ?? '') ?? (others.length === 0 ? only?.name : undefined);
    const name = world ?? found;
    // Nothing was charged for it in any world, so it is wrong only if it is believed to be paid.
    if (name === undefined && !believed.paid) continue;
    if (name === undefined)
      throw new CommandError(
        `--orders: no world has a charge for ${JSON.stringify(believed.reference ?? null)}; add "world", the name of its test`,
      );
    orders.set(name, [...(orders.get(name) ?? []), believed]);
  }
  return orders;
}
