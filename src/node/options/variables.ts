import { didYouMean } from '../../core/text/nearest.js';
import { listOptions, type Verb, VERBS } from '../cli/verbs.js';
import { type EnvVariables, listEnvironmentNames, type Option } from './option.js';

/** The option that each variable sets: of verbs that share a variable, the option of the first. */
export const VARIABLES: ReadonlyMap<string, Option<unknown>> = new Map(
  (Object.keys(VERBS) as Verb[])
    .toReversed()
    .flatMap(listOptions)
    .flatMap((row) => listEnvironmentNames(row).map((name) => [name, row] as const)),
);
/** Variables that only the fixtures of test runners read, and programs under a sweep. */
export const FIXTURES = ['PLAYMONEY_BUNDLES', 'PLAYMONEY_DISK', 'PLAYMONEY_PROGRAM'];

/** The variables that Kubernetes sets in every pod for a service named playmoney…, such as PLAYMONEY_SERVICE_HOST. */
const OF_KUBERNETES = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;

/** Our variables, also those that we do not know, in the order of their names. */
export function listVariables(env: EnvVariables): string[] {
  return Object.keys(env)
    .filter((name) => /^PLAYMONEY_/i.test(name))
    .toSorted();
}

/** Why a variable has no effect; null if it may have one, or if Kubernetes has set it. */
export function whyIgnored(name: string, env: EnvVariables): string | null {
  if (VARIABLES.has(name) || FIXTURES.includes(name)) return null;
  if (OF_KUBERNETES.test(name) || SERVICE_LINK.test(env[name] ?? '')) return null;
  return `unknown variable, ignored${didYouMean(name, [...VARIABLES.keys(), ...FIXTURES])}`;
}
