import type { Order } from '../../../client/asked.js';
import type { World } from '../../../client/world.js';
import { SandboxError } from '../../../client/error.js';
import { explainWrongType } from '../../../core/text/text.js';
import { FileError } from '../../files/file-error.js';
import { CommandError } from '../../terminal/terminal.js';

/** An order as `--orders` prints it. */
interface PrintedOrder extends Order {
  /** The name of its world; needed only where worlds have the same references. */
  readonly world?: string;
}

/**
 * The orders of each world, by its name: an order without one belongs to the world that has its Reference, or to the only one.
 * `source` is the option that names them.
 */
export async function ordersByWorld(
  source: '--orders' | '--expect',
  given: readonly object[],
  worlds: readonly { readonly name: string; readonly handle: World }[],
): Promise<ReadonlyMap<string, readonly Order[]>> {
  const [only, ...others] = worlds;
  const byReference = new Map<string, string>();
  for (const { name, handle } of worlds) {
    for (const { Reference } of await handle.charges()) if (Reference) byReference.set(Reference, name);
  }
  const orders = new Map<string, Order[]>();
  const all = (given as readonly PrintedOrder[]).map((order, n) => splitWorld(source, order, n));
  if (only !== undefined) await requireOrders(source, only.handle, all);
  for (const { world, believed } of all) {
    const found = byReference.get(believed.reference ?? '') ?? (others.length === 0 ? only?.name : undefined);
    const name = world ?? found;
    // No world has a charge for this order, so it is wrong only if the shop believes it paid.
    if (name === undefined && !believed.paid) continue;
    if (name === undefined)
      throw new CommandError(
        `${source}: no world has a charge for ${JSON.stringify(believed.reference ?? null)}; add "world", the name of its test`,
      );
    orders.set(name, [...(orders.get(name) ?? []), believed]);
  }
  return orders;
}

interface WorldOrder {
  readonly world: string | undefined;
  readonly believed: Order;
}

function splitWorld(source: string, { world, ...believed }: PrintedOrder, n: number): WorldOrder {
  if (world === undefined || world === null || typeof world === 'string') {
    return { world: world ?? undefined, believed };
  }
  throw new FileError(`${source}: order ${n + 1}: world ${explainWrongType('a string', world)}`);
}

/** Has a world judge all orders at once, so that a refusal has the number of the order. */
async function requireOrders(source: string, world: World, orders: readonly WorldOrder[]): Promise<void> {
  try {
    await world.reconcile(orders.map(({ believed }) => believed));
  } catch (error) {
    const [[path, reason] = []] = Object.entries((error instanceof SandboxError && error.details) || {});
    const [, n, field = ''] = /^Orders\.(\d+)\.?(.*)$/.exec(path ?? '') ?? [];
    if (n === undefined) throw error;
    const name = field.charAt(0).toLowerCase() + field.slice(1);
    const problem =
      reason === 'unknown field' ? `unknown field ${JSON.stringify(name)}` : `${name} ${reason}`;
    throw new FileError(`${source}: order ${Number(n) + 1}: ${problem.trimStart()}`);
  }
}
