import fc from 'fast-check';

import { type Operation, OPERATIONS, type Parameter } from './description.js';
import { BODIES } from './hints.js';
import { identifierOf, poolOfMember, poolOfParameter, type Pools, Ref, Text } from './identifiers.js';
import { type Mutation, mutations, type Sent } from './mutation.js';
import { valueOf } from './values.js';
import { camelled } from './sdk-spelling.js';
import { weighted } from './weighted.js';

/** One request, before its identifiers are known. */
export interface Step {
  readonly operation: Operation;
  readonly ids: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly spelling: Spelling;
  readonly mutations: readonly Mutation[];
}

/** Members as they are documented; the same under the header of the sdk dialect; or as its libraries spell them, too. */
type Spelling = 'documented' | 'sdk' | 'camelCase';

/** Scripts of a call are rare, so that other calls are tested too. */
const SELDOM = new Set(['x-sandbox-outcome', 'x-sandbox-fault']);
/** The spelling says which dialect it is. */
const SPELLING_HEADER = 'x-sandbox-dialect';

const none = fc.constant(undefined);

function parametersOf(operation: Operation, where: Parameter['in']) {
  const chosen = operation.parameters.filter((one) => one.in === where && one.name !== SPELLING_HEADER);
  return fc.record(
    Object.fromEntries(
      chosen.map(({ name, required, schema }) => {
        if (where === 'path') return [name, identifierOf(poolOfParameter(name, operation.path))];
        const value = valueOf(name, schema);
        const weight = SELDOM.has(name) ? 30 : 5;
        return [name, required === true ? value : weighted<unknown>([weight, none], [1, value])];
      }),
    ),
  );
}

function bodyOf({ id, body }: Operation): fc.Arbitrary<unknown> {
  if (body === null) return none;
  const generic = valueOf('', body.schema);
  const own = BODIES[id];
  const value = own === undefined ? generic : weighted([4, own], [1, generic]);
  return body.required ? value : fc.oneof(value, none);
}

const spelling = weighted<Spelling>([3, fc.constant('documented')], [2, fc.constantFrom('sdk', 'camelCase')]);
const changes = weighted<Mutation[]>([3, fc.constant([])], [2, mutations]);

function stepOf(operation: Operation): fc.Arbitrary<Step> {
  return fc.record({
    operation: fc.constant(operation),
    ids: parametersOf(operation, 'path'),
    query: parametersOf(operation, 'query'),
    headers: parametersOf(operation, 'header'),
    body: bodyOf(operation),
    spelling: operation.path.startsWith('/_sandbox') ? fc.constant('documented' as const) : spelling,
    mutations: changes,
  });
}

/** What ends the story of a world, or is the same whatever was there before. */
const PLAIN =
  /^(?:resetWorld|deleteWorld|putState|openFile|branchWorld|restoreSnapshot|getOpenApi|getReference|getDashboard|getErrors|getInfo|getTriggers|getHealth|getReady)$/;

/** A request of any operation, valid or not. */
export const anyStep: fc.Arbitrary<Step> = weighted(
  ...OPERATIONS.map((operation) => {
    const weight = PLAIN.test(operation.id) ? 1 : operation.path.startsWith('/_sandbox') ? 2 : 4;
    return [weight, stepOf(operation)] as const;
  }),
);

/** The request that the description gives as an operation's example, with identifiers of earlier answers. */
export function exampleOf(operation: Operation): Step {
  const ids = operation.parameters
    .filter((one) => one.in === 'path')
    .map(({ name }) => [name, new Ref(poolOfParameter(name, operation.path), 0)]);
  return {
    operation,
    ids: Object.fromEntries(ids),
    query: {},
    headers: headersOf(operation),
    body: operation.body === null ? undefined : renamed('', operation.body.example),
    spelling: 'documented',
    mutations: [],
  };
}

const headersOf = ({ parameters }: Operation): Step['headers'] =>
  Object.fromEntries(
    parameters.flatMap((one) =>
      one.in === 'header' && one.required === true ? [[one.name, new Ref(one.name, 0)]] : [],
    ),
  );

/** An example without the identifiers of the world that it was played in. */
function renamed(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(name, one));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renamed(key, one)]));
  if (typeof value !== 'string') return value;
  const pool = name === 'Batch' ? 'PaymentMethodId' : poolOfMember(name);
  if (pool === null || !GIVEN.test(value)) return value;
  const [before = '', after = ''] = value.split(GIVEN);
  return new Text([before, new Ref(pool, 0), after]);
}

/** An identifier that was made in the world of the examples; those of built-in providers begin with noughts. */
const GIVEN = /(?!0{8})[0-9a-f]{32}/;

/** The request as it is sent, in the world whose identifiers are these. */
export function sentBy(step: Step, pools: Pools, key: string): Sent {
  const { operation, ids, query, headers, body } = step;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(pools.filled(ids[name]))),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, textOf(pools.filled(value))]],
    ),
  );
  const own = Object.entries(headers).flatMap(([name, value]) => {
    const text = textOf(pools.filled(value));
    return value === undefined || !/^[\x20-\x7e]*$/.test(text) ? [] : [[name.toLowerCase(), text] as const];
  });
  const filled = pools.filled(body);
  const named = step.spelling === 'camelCase' ? camelled(filled) : filled;
  return {
    method: operation.method,
    path: search.size === 0 ? path : `${path}?${search}`,
    headers: [
      ['x-secretkey', key],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ...(step.spelling === 'documented' ? [] : [[SPELLING_HEADER, 'sdk'] as const]),
      ...own,
    ],
    body: body === undefined ? null : Buffer.from(JSON.stringify(named)).toString('latin1'),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
