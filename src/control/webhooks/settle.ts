import { CODE, refuse } from '../../core/errors.js';
import { formatDuration } from '../../core/time.js';
import type { World } from '../../world.js';

/**
 * Runs what is due now, and waits until no delivery is under way and nothing has become due by that. What is scheduled
 * for later stays. Refuses when it takes longer than so many real milliseconds: 408 with code 94.
 */
export async function settleWorld(world: World, timeoutMs: number): Promise<void> {
  let isOver = false;
  let cancel = (): void => {};
  const over = new Promise<void>((resolve) => {
    cancel = world.host.timer(
      () => {
        isOver = true;
        resolve();
      },
      timeoutMs,
      true,
    );
  });
  try {
    for (;;) {
      await world.enter();
      world.requireOpen();
      const { dispatch } = world.webhooks;
      const underWay = dispatch.busy + dispatch.held;
      if (underWay === 0 && world.jobs.nextDue > world.now) return;
      if (isOver) {
        const what = `${underWay} ${underWay === 1 ? 'delivery is' : 'deliveries are'} still under way`;
        refuse(CODE.Timeout, `After ${formatDuration(timeoutMs)} ${what}.`);
      }
      if (underWay > 0) await Promise.race([dispatch.change(), over]);
    }
  } finally {
    cancel();
  }
}
