import type { Context } from 'hono';

import { type Env, headerOf } from './exchange.js';

/**
 * The hosts that a request names, which the gate checks: first the one that its client called. The address of the `Request` comes
 * last, because some frameworks put the name of their own server into it.
 */
export function hostsOf(c: Context<Env>): readonly [string, ...string[]] {
  const { url } = c.req;
  const start = url.indexOf('//') + 2;
  const end = url.indexOf('/', start);
  const own = url.slice(start, end < 0 ? undefined : end);
  const named = headerOf(c, 'host') ?? own;
  const forwarded = c.get('edge').settings.trustProxy === true ? forwardedAs(c, 'host') : undefined;
  return forwarded === undefined ? [named, own] : [forwarded, named, own];
}

/** The host or scheme that the first proxy received: each proxy may append a value. */
function forwardedAs(c: Context<Env>, part: 'host' | 'proto'): string | undefined {
  return headerOf(c, `x-forwarded-${part}`)?.split(',', 1)[0]?.trim();
}

/** The address of the sandbox as the caller knows it. */
export function addressOf(c: Context<Env>): string {
  const { trustProxy, basePath } = c.get('edge').settings;
  const forwarded = trustProxy === false ? undefined : forwardedAs(c, 'proto');
  const scheme =
    forwarded === 'https' || forwarded === 'http' ? `${forwarded}:` : new URL(c.req.url).protocol;
  return new URL(`${scheme}//${hostsOf(c)[0]}`).origin + basePath;
}

/** Warns if an app removes another path from addresses than the sandbox knows. Returns whether the request shows that. */
export function vetMount(c: Context<Env>): boolean {
  if (c.env.incoming === undefined) return false;
  const { settings, host } = c.get('edge');
  const { url = '', originalUrl = url } = c.env.incoming;
  const whole = originalUrl.replace(/\/?(?:\?.*)?$/, '');
  const below = new URL(c.req.url).pathname.replace(/\/$/, '');
  const at = whole.endsWith(below) ? whole.slice(0, whole.length - below.length) : '';
  if (at !== '' && at !== settings.basePath) {
    host.warn?.(
      `the sandbox is mounted under ${at}, but its basePath is "${settings.basePath}", so its links are wrong. Create it with basePath: "${at}".`,
    );
  }
  return true;
}
