import { DEFAULT_KEY } from '../../core/keys.js';
import { quoteForShell } from '../../core/text/text.js';
import type { ObservedWorld } from '../observed.js';
import type { RaceStep } from '../public.js';
import { nameParty } from '../races.js';
import type { TogetherRun } from '../turns.js';

/** Longer than anybody needs for the steps. */
const TIMEOUT = '1h';
export const KEY_HEADER = `-H 'x-secretkey: ${DEFAULT_KEY}'`;

const JSON_HEADER = "-H 'content-type: application/json'";

/**
 * The order in which the parties of a race started, and their calls were performed and answered. Empty if that is unknown, because
 * several things happened at the same time in the run, one after the other.
 */
export function listRaceSteps(
  { entries, calls, parties }: ObservedWorld,
  { turns }: Pick<TogetherRun, 'turns'>,
): RaceStep[] {
  const served = entries.filter(({ operation }) => operation !== null);
  const waiting = served.flatMap(({ requestId, operation }, i) => {
    const party = parties?.get(requestId);
    return party === undefined
      ? []
      : [{ party, operation, call: calls[i]?.name ?? '', act: 'call' as const }];
  });
  const taken = new Map<number, number>();
  const steps = turns.flatMap(({ party: number }, i): UnnumberedStep[] => {
    const turn = taken.get(number) ?? 0;
    taken.set(number, turn + 1);
    const party = turns[0]?.ready.includes(number) === true ? nameParty(number) : 'webhook';
    if (turn === 0) return [{ party, operation: null, call: '', act: 'start' }];
    // Each call takes two turns: it is performed, and its answer arrives, perhaps at once.
    const [call] = turn % 2 === 1 && waiting[0]?.party === party ? waiting.splice(0, 1) : [];
    if (call !== undefined) return [turns[i + 1]?.party === number ? call : { ...call, act: 'perform' }];
    return turn % 2 === 0 && turns[i - 1]?.party !== number
      ? [{ party, operation: null, call: '', act: 'answer' }]
      : [];
  });
  return waiting.length > 0 ? [] : numberHeldCalls(steps);
}

type UnnumberedStep = Omit<RaceStep, 'holdId'>;

/** A call or an answer gets its number when it begins to wait: after the step of its party before it. */
function numberHeldCalls(steps: readonly UnnumberedStep[]): RaceStep[] {
  const ids = new Map<number, number>();
  for (const [i, { party }] of steps.entries()) {
    const next = steps.findIndex((step, at) => at > i && step.party === party);
    if (next > 0) ids.set(next, ids.size + 1);
  }
  return steps.map((step, i) => ({ ...step, holdId: ids.get(i) ?? null }));
}

/** The lines that repeat a race on a server at an address. `start` is the line that starts a party. */
export function formatRaceSteps(
  steps: readonly RaceStep[],
  url: string,
  start: (party: string) => string,
): string[] {
  if (steps.length === 0) return [];
  const operations = steps.flatMap(({ operation }) => operation ?? []);
  const holds = [...new Set(operations)].map((operation) => {
    const count = operations.filter((other) => other === operation).length;
    const body = JSON.stringify({ Operation: operation, Count: count, Timeout: TIMEOUT });
    return `curl -X PUT ${url}/_sandbox/hold ${KEY_HEADER} ${JSON_HEADER} -d ${quoteForShell(body)}`;
  });
  const lines = steps.flatMap(({ party, call, act, holdId }) => {
    if (act === 'start') return party === 'webhook' ? [] : start(party);
    const body = act === 'perform' ? ` ${JSON_HEADER} -d '{"Phase":"after"}'` : '';
    const what = act === 'answer' ? 'the answer' : call;
    return `curl -X POST ${url}/_sandbox/hold/${holdId} ${KEY_HEADER}${body} # ${what}, ${party}`;
  });
  return [
    ...holds,
    'Each call waits now. Take these steps one by one; GET /_sandbox/hold lists the calls that wait:',
    ...lines,
  ];
}
