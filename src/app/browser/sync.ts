import { pageAddress, pathBelow } from '../../client/intercept.js';

/** Refuses a synchronous call, which neither a page nor a service worker can answer: it would go to the real service. */
export function refuseSync({ href }: URL): never {
  throw new DOMException(
    `Failed to open ${href}: playmoney/browser answers only asynchronous requests. Leave out the third argument of open(), or pass true.`,
    'InvalidAccessError',
  );
}

/** Refuses synchronous calls of a page whose service worker answers. */
export function refuseSyncCalls(base: URL): void {
  const below = pathBelow(base);
  const { prototype } = globalThis.XMLHttpRequest;
  const open: (...args: never) => void = Reflect.get(prototype, 'open');
  prototype.open = function (...args: unknown[]) {
    const [, url, isAsync = true] = args as [string, string | URL, boolean?];
    const address = URL.canParse(url, pageAddress()) ? new URL(url, pageAddress()) : null;
    if (!isAsync && address !== null && below(address) !== null) refuseSync(address);
    return Reflect.apply(open, this, args) as void;
  };
}
