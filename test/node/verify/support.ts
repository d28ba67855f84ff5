import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createInnerSandbox } from '../../../src/app/sandbox.js';
import { OPERATION_ROWS } from '../../../src/app/sections.js';
import type { Dialect } from '../../../src/core/dialect/dialect.js';
import { Contract } from '../../../src/node/verify/contract.js';
import { type ObservedCall, readCode } from '../../../src/node/verify/observed-call.js';
import { NODE_HOST } from '../../../src/node/machine/host.js';
import type { PlayAnswer, PlayInput } from '../../../src/openapi/call.js';

export async function readContract(): Promise<Contract> {
  const text = await readFile(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
  return new Contract(JSON.parse(text) as Record<string, unknown>);
}

/** What a service answers, before it arrives. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: readonly (readonly [string, string])[];
}
export type ChangeAnswer = (
  answer: ServiceAnswer,
  call: { readonly method: string; readonly path: string },
) => ServiceAnswer;

/** A second sandbox in the place of the service: another seed and key, and answers that a drift changes. */
export function createService(dialect: Dialect = 'documented', change: ChangeAnswer = (answer) => answer) {
  const sandbox = createInnerSandbox(NODE_HOST, { dialect, seed: 'another', clock: { mode: 'manual' } });
  const observed: ObservedCall[] = [];
  const send = async (
    method: string,
    target: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const sent = {
      'x-secretkey': 'sk_test_account',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await sandbox.fetch(
      new Request(`http://localhost${target}`, { method, headers: sent, body: text }),
    );
    const path = target.split('?')[0] ?? '';
    const real = {
      status: response.status,
      body: (await response.json()) as unknown,
      headers: [...response.headers] as const,
    };
    const { status, body: answer, headers: answerHeaders } = change(real, { method, path });
    const at = sandbox.worlds.open('sk_test_account').clock.now();
    const call = {
      at,
      method,
      target,
      path,
      headers: sent,
      body: text,
      status,
      code: readCode(answer),
      answer,
      answerHeaders,
      lost: null,
    };
    // The proxy of verify leaves them out too.
    if (!path.startsWith('/_sandbox')) observed.push(call);
    return { call, answer: real.body as Readonly<Record<string, unknown>> };
  };
  /** Calls an operation by its name, as the examples of the documentation are made. */
  const play = async (
    operation: string,
    { id = '', query = '', body, headers }: PlayInput = {},
  ): Promise<PlayAnswer> => {
    const row = OPERATION_ROWS.find((candidate) => candidate.id === operation);
    const path = (row?.path ?? '').replace(/\{\w+\}/, id) + query;
    return (await send((row?.method ?? '').toUpperCase(), path, body, headers)).answer as PlayAnswer;
  };
  return { send, play, observed, close: () => sandbox.close() };
}
