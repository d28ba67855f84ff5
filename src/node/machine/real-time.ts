/**
 * The timers and the date of Node, even while a test runner fakes them. The build puts these in place of the globals in all code of
 * the package and of the packages in it (`inject` of esbuild), so that a test with fake timers does not stop the sandbox that it
 * calls. They are taken when the package is loaded, from the module of Node: Jest's jsdom has timers of its own, and no `setImmediate`.
 */

import timers from 'node:timers';

/** The real functions, if fake timers were installed before. Those of vitest and Jest keep them on their clock. */
function findReal<T extends object>(now: T, name: string): T {
  const { clock } = now as { readonly clock?: Readonly<Record<string, T | undefined>> };
  return clock?.[`_${name}`] ?? now;
}

const setTimeout = findReal(timers.setTimeout, 'setTimeout');
const clearTimeout = findReal(timers.clearTimeout, 'clearTimeout');
const setInterval = findReal(timers.setInterval, 'setInterval');
const clearInterval = findReal(timers.clearInterval, 'clearInterval');
const setImmediate = findReal(timers.setImmediate, 'setImmediate');
const Date = findReal(globalThis.Date, 'Date');
// Not bound: `nextTick` uses no `this`, and a bound function would hide the clock of fake timers.
// oxlint-disable-next-line typescript/unbound-method
const nextTick = findReal(process.nextTick, 'nextTick');

export {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  Date,
  nextTick as 'process.nextTick',
};
