import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import type { Host } from '../core/host.js';

/** The core's outside on Node: the wall clock, real waiting, timers that do not keep the process alive. */
export const NODE_HOST: Host = {
  runtime: process.version,
  now: () => Date.now(),
  sleep: (ms) => sleep(ms),
  pause: () => setImmediate(),
  timer: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
