import { expect } from 'vitest';

import { OWN_MAPS } from '../../src/core/dialect/sdk.js';
import type { InnerSandboxOptions } from '../../src/app/sandbox.js';
import { type Answer, type Client, client, type TestSandbox, testSandbox } from './sandbox.js';
import { words } from './tables.js';

/** A header with which one request speaks the sdk dialect. */
export const SDK = { 'x-sandbox-dialect': 'sdk' };

export interface SdkSetup {
  readonly sandbox: TestSandbox;
  readonly api: Client;
}

/** A sandbox that speaks the sdk dialect, and a client of it. */
export function sdkSetup(options: InnerSandboxOptions = {}): SdkSetup {
  const sandbox = testSandbox({ dialect: 'sdk', ...options });
  return { sandbox, api: client(sandbox) };
}

const OWN_MAPS_IN_SDK = new Set([...OWN_MAPS].map((name) => name.charAt(0).toLowerCase() + name.slice(1)));

/** The names of an answer's members at every depth that do not begin with a small letter; keys of own maps left out. */
export function wronglySpelt(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => wronglySpelt(item, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = `${path}.${name}`;
    const below = OWN_MAPS_IN_SDK.has(name) ? [] : wronglySpelt(inner, here);
    return /^[a-z]/.test(name) ? below : [here, ...below];
  });
}

/** The member of an answer by its exact name, as a strict reader finds it. */
export function memberOf(answer: Answer, ...path: string[]): unknown {
  let value: unknown = answer.body;
  for (const name of path) {
    expect(value, `${path.join('.')} in ${answer.text}`).toHaveProperty([name]);
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** A text of an answer by its exact name. */
export function sdkText(answer: Answer, ...path: string[]): string {
  const value = memberOf(answer, ...path);
  if (typeof value !== 'string') throw new Error(`No text ${path.join('.')} in ${answer.text}`);
  return value;
}

const ERROR_MEMBERS = words`
  message code isRetryable type resource details gatewayCode gatewayMessage httpStatus
`;

/** Expects an error exactly in the shape that client libraries read. */
export function expectSdkError(answer: Answer, status: number, code: number, message: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(Object.keys(answer.body)).toEqual(ERROR_MEMBERS);
  expect(answer.body).toMatchObject({
    message,
    code,
    type: `https://docs.payfurl.com/errorcodes#${code}`,
    httpStatus: status,
    isRetryable: expect.any(Boolean),
    ...(code === 90 ? { details: expect.any(Object) } : {}),
  });
}
