import {
  type Expect,
  expect as baseExpect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as base,
  type TestInfo,
  type TestType,
} from '@playwright/test';

import type { SandboxOptions, SweepReport, World } from '../index.js';
import { reportFailure } from './failure.js';
import { openWorldReceiver, type SandboxFixtures } from './fixtures.js';
import { type TestGateway, openGateway } from './gateway.js';
import type { TestIdentity } from './identity.js';
import { MATCHERS, type SandboxMatchers, type MatcherResult } from './matchers.js';
import { pathBelow } from '../client/intercept.js';

export type { ReceivedMessage, Receiver } from './receiver.js';
export type { ExpectedBody, ExpectedCharge } from './matchers.js';
export type { SandboxFixtures };

/** The options of a sandbox, and the gateway that pages call. */
export interface PageSandboxOptions extends SandboxOptions {
  /** The address of the gateway in your pages, such as `https://api.example.com/v1`. Default: that of the sandbox. */
  readonly gateway?: string;
}

/** The matchers of a world and of a report, as Playwright declares them. */
export type PageMatchers = {
  [K in keyof SandboxMatchers<void>]: (
    this: unknown,
    world: World,
    ...expected: Parameters<SandboxMatchers<void>[K]>
  ) => Promise<MatcherResult>;
} & { readonly toBeSafe: (this: unknown, report: SweepReport) => MatcherResult };

/** Playwright's `test` with the fixtures of a sandbox. */
export type SandboxTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & { readonly playmoneyGateway: TestGateway }
>;

/** Playwright's `expect` with the matchers of a world and of a report. */
export const expect: Expect<PageMatchers> = baseExpect.extend<PageMatchers>(MATCHERS);

/**
 * Like `test`, with other options for the sandbox, and with the address of the gateway that your pages call. If PLAYMONEY_URL names a
 * server, options of the whole server are refused.
 *
 * @example
 * const test = createTest({ gateway: 'https://api.example.com/v1' });
 */
export function createTest({ gateway: address, ...options }: PageSandboxOptions = {}): SandboxTest {
  return base.extend<SandboxFixtures, { readonly playmoneyGateway: TestGateway }>({
    playmoneyGateway: [
      // Playwright reads the fixtures that this one depends on from its first parameter. There are none.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const gateway = openGateway(options, process.env);
        await use(gateway);
        gateway.close();
      },
      { scope: 'worker' },
    ],
    sandbox: async ({ playmoneyGateway }, use, info) => {
      const world = await playmoneyGateway.open(identifyTest(info));
      await use(world);
      if (info.status !== info.expectedStatus) await reportFailure(info.title, world);
    },
    receiver: async ({ playmoneyGateway, sandbox }, use) => {
      const receiver = await openWorldReceiver(sandbox, playmoneyGateway, options);
      await use(receiver);
      await receiver.close();
    },
    context: async ({ context, playmoneyGateway, sandbox }, use) => {
      const call = (request: Request): Promise<Response> => playmoneyGateway.fetch(request);
      await routePages(context, address ?? sandbox.url, sandbox, call);
      await use(context);
    },
  });
}

/**
 * Playwright's `test` with the fixtures `sandbox` and `receiver`, in process or on the server that PLAYMONEY_URL names. Pages that
 * call the gateway reach the world of their test.
 *
 * @example
 * test('the customer learns that the card was declined', async ({ page, sandbox }) => {
 *   await sandbox.outcomes.queue('charge.create', ['insufficient_funds']);
 *   await page.goto('/checkout');
 *   await page.getByRole('button', { name: 'Pay' }).click();
 *   await expect(page.getByRole('status')).toHaveText('declined');
 *   await expect(sandbox).not.toHaveCharged({ Reference: 'order-1' });
 * });
 */
export const test: SandboxTest = createTest();

/** Playwright refuses two tests of a file with the same names, so there are no twins. */
function identifyTest(info: TestInfo): TestIdentity {
  const [file = '', ...names] = info.titlePath;
  const name = names.join(' ');
  return {
    name,
    place: `${info.project.name}\n${file}`,
    sameNameIndex: 0,
    attempt: `${info.retry}\n${info.repeatEachIndex}`,
  };
}

/** The part of a browser's context that is used here. */
interface RoutableContext {
  route(isRouted: (url: URL) => boolean, handle: (route: PageRoute) => Promise<void>): Promise<unknown>;
}

/** A request of a page that waits for its answer. */
interface PageRoute {
  request(): {
    url(): string;
    method(): string;
    postDataBuffer(): Buffer | null;
    allHeaders(): Promise<Record<string, string>>;
  };
  fulfill(answer: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
  abort(reason: string): Promise<void>;
}

/** Headers of the browser that are not passed on: the sandbox would refuse the origins of pages that it does not know. */
const OF_PAGE = /^(?:origin|referer|host|content-length|sec-.*|:.*)$/;

/** Answers the calls of pages to an address with the world of a test, whichever keys the pages have. */
async function routePages(
  context: RoutableContext,
  address: string,
  world: World,
  call: (request: Request) => Promise<Response>,
): Promise<void> {
  const restIn = pathBelow(address);
  const isBelow = (url: URL): boolean => restIn(url) !== null;
  await context.route(isBelow, async (route) => {
    const fromPage = route.request();
    const method = fromPage.method();
    const body = fromPage.postDataBuffer();
    const request = new Request(`${world.url}${restIn(new URL(fromPage.url())) ?? ''}`, {
      method,
      headers: buildPageHeaders(world, await fromPage.allHeaders()),
      redirect: 'manual',
      ...(body === null || method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
    });
    const answer = await call(request).catch(() => null);
    const bytes = await answer?.arrayBuffer().catch(() => null);
    // A fault dropped the answer, or its end.
    if (answer === null || !bytes) return route.abort('connectionreset');
    const { status, headers } = answer;
    await route.fulfill({ status, headers: Object.fromEntries(headers), body: Buffer.from(bytes) });
  });
}

/** The headers of a page's call, with the keys of the test's world. */
function buildPageHeaders({ key }: World, sent: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(Object.entries(sent).filter(([name]) => !OF_PAGE.test(name)));
  if (headers.has('x-publickey')) headers.set('x-publickey', key.replace(/^sk_/, 'pk_'));
  if (headers.has('x-secretkey')) headers.set('x-secretkey', key);
  return headers;
}
