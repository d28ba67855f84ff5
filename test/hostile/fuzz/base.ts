import { type Snapshot, takeSnapshot } from '../../../src/world/snapshot.js';
import { testSandbox } from '../../support/sandbox.js';
import { KEY } from '../row.js';
import { OPERATIONS } from './description.js';
import { hastyHost, inProcess } from './drivers.js';
import { KEPT_MAX, Pools, Ref } from './identifiers.js';
import { judge } from './judge.js';
import { mutated } from './mutation.js';
import { exampleOf, sentBy, type Step } from './steps.js';

/** A world with records of every kind, and what its answers told. */
export interface Base {
  readonly world: Snapshot;
  readonly pools: Pools;
}

/** Plays the description's own examples: each must be answered as described. */
export async function prepare(): Promise<Base> {
  const sandbox = testSandbox({}, hastyHost());
  const pools = new Pools();
  const send = inProcess(sandbox);
  const play = async (step: Step): Promise<void> => {
    const request = mutated(sentBy(step, pools, KEY), []);
    const answer = await send(request);
    if (answer !== null) pools.learn(judge({ method: request.method, path: request.path }, answer));
  };
  const makes = OPERATIONS.filter(({ method, path }) => method === 'POST' && !path.startsWith('/_sandbox'));
  // What one makes another needs, whatever their order.
  for (const operation of [...makes, ...makes]) await play(exampleOf(operation));
  for (const operation of OPERATIONS)
    if (operation.id === 'getState' || operation.id === 'getDeliveries') await play(exampleOf(operation));
  const examples = new Map(makes.map((operation) => [operation.id, exampleOf(operation)]));
  const again = async (id: string, members: object): Promise<void> => {
    const step = examples.get(id);
    if (step === undefined) throw new Error(`The description has no operation ${id}`);
    await play({ ...step, body: { ...(step.body as object), ...members } });
  };
  // Charges with something left to capture, to refund and to pay out, and one that was paid out in part.
  for (const Capture of [false, true, false, true, false, true])
    await again('chargeCard', { Amount: 500, Capture });
  await again('createTransfers', { GroupReference: 'paid out', ChargeId: new Ref('ChargeId', KEPT_MAX - 1) });
  return { world: takeSnapshot(sandbox.worlds.open(KEY)), pools };
}
