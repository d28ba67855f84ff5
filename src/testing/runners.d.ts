/** What is used of runners that this repository does not install. `npm run test:package` compares it with the real ones. */

declare module '@jest/globals' {
  interface Register {
    (name: string, run: () => Promise<void>, timeout?: number): void;
  }
  interface Each {
    each(
      rows: readonly unknown[],
    ): (name: string, run: (...row: unknown[]) => Promise<void>, timeout?: number) => void;
  }
  export const test: Register & Each & { readonly only: Register & Each; readonly skip: Register & Each };
  export const expect: {
    extend(matchers: Readonly<Record<string, (world: never, ...rest: never[]) => unknown>>): void;
    getState(): { readonly currentTestName?: string; readonly testPath?: string };
  };
  export function afterEach(run: () => Promise<void>): void;
  export function afterAll(run: () => void): void;
}

declare module '@playwright/test' {
  import type { BrowserContext } from 'playwright-core';

  export interface PlaywrightTestArgs {
    readonly context: BrowserContext;
  }
  export interface PlaywrightTestOptions {
    readonly baseURL: string | undefined;
  }
  export interface PlaywrightWorkerArgs {
    readonly browserName: string;
  }
  export interface PlaywrightWorkerOptions {
    readonly headless: boolean;
  }
  export interface TestInfo {
    readonly title: string;
    readonly titlePath: string[];
    readonly project: { readonly name: string };
    readonly retry: number;
    readonly repeatEachIndex: number;
    readonly status?: string;
    readonly expectedStatus: string;
  }
  type Use<T> = (value: T) => Promise<void>;
  type Fixture<T, A> = (args: A, use: Use<T>, info: TestInfo) => Promise<void>;
  type WorkerFixture<T> = [(args: object, use: Use<T>) => Promise<void>, { readonly scope: 'worker' }];
  export interface TestType<T, W> {
    (name: string, run: (args: T & W) => unknown): void;
    extend<T2, W2>(
      fixtures: { readonly [K in keyof T2]: Fixture<T2[K], T & W & T2 & W2> } & {
        readonly [K in keyof T]?: Fixture<T[K], T & W & T2 & W2>;
      } & { readonly [K in keyof W2]: WorkerFixture<W2[K]> },
    ): TestType<T & T2, W & W2>;
  }
  export interface Expect<Extended> {
    extend<More>(matchers: More): Expect<Extended & More>;
  }
  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >;
  export const expect: Expect<object>;
}
