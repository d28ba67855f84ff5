import type { Order, WorldOptions } from '../client/asked.js';
import type { ScenarioDefinition } from '../client/scenario-definition.js';
import type { Duration } from '../client/words.js';
import type { World } from '../client/world.js';
import type { FaultName } from './choose-faults.js';
import type { OwnFault } from './faults.js';
import type { Belief, Verdict } from './verdicts.js';

/** The public types of the sweep. */

/** The argument of a flow: its own empty world, whose clock stands still. */
export interface SweepContext<Given = unknown> {
  /** The result of the `setup` of this run; undefined without one. */
  readonly given: Given;
  /** The address for your program to call. */
  readonly url: string;
  /** The secret key of the world. */
  readonly key: string;
  /** Calls the service. Your program can also use the global `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  readonly world: World;
  /** The secret that signs the webhooks. */
  readonly webhookSecret: string;
  /**
   * Receives the webhooks whose Url is under `http://shop.test/`. All others are sent to their Url.
   *
   * @example
   * receive((request) => shop.onWebhook(request));
   */
  readonly receive: (handler: Receive) => void;
  /** The path of an empty folder. It belongs to this run, and outlives a crash. */
  readonly disk: string;
  /** Whether the program crashed in this run, so that it finds on `disk` what it saved before. */
  readonly restarted: boolean;
  /**
   * Does several things that happen at the same time, such as a double click, and resolves with their results when all have ended. If
   * some throw, it rejects with the exception of the first of them. The sweep tries the orders of their calls; in all other runs they
   * go one after the other.
   *
   * @example
   * await together(() => shop.pay('order-1'), () => shop.pay('order-1'));
   */
  readonly together: <P extends readonly (() => unknown)[]>(
    ...parties: P
  ) => Promise<{ -readonly [N in keyof P]: Awaited<ReturnType<P[N]>> }>;
}

/** A receiver of webhooks. One that returns nothing answers with 200. */
export type Receive = (request: Request) => Response | void | Promise<Response | void>;

/** The orders as your program has them, and its recovery. Both are optional. */
export interface SweptShop {
  /** The orders as your program has them at the end. Without it, only the records of the service are judged. */
  readonly orders?: (() => readonly Order[] | Promise<readonly Order[]>) | undefined;
  /** The job of your program that checks its open orders later. It runs an hour after the flow. */
  readonly recover?: (() => unknown) | undefined;
}

/** A program that buys something. It is called once for each run, and again after a crash. It must create everything that it uses. */
export type SweepFlow<Given = unknown> = (
  context: SweepContext<Given>,
) => SweptShop | void | Promise<SweptShop | void>;

/** An order that a buyer agreed to pay. */
export interface ExpectedOrder extends Omit<Order, 'paid'> {
  /** Whether the order is paid at the end. Default: true. */
  readonly paid?: boolean | null;
}

export interface SweepOptions<Given = unknown> {
  /** The faults to inject, by their names, and your own. Default: all that are not on request. */
  readonly faults?: readonly (FaultName | OwnFault)[];
  /**
   * Whether the program crashes at each call, once before it is performed and once after, and is called again with the same `disk`.
   * With `faults: []`, nothing else is tried. Default: false.
   */
  readonly crash?: boolean;
  /** Whether calls that only a recovery makes get a second fault. Default: true. */
  readonly pairs?: boolean;
  /** The time for all runs, such as `30s`. The faults most likely to find something come first, and the report names what was left out. */
  readonly time?: Duration;
  /** The time for one run. A run that takes longer is stuck. Default: `10s`. */
  readonly timeout?: Duration;
  /** How many runs go on at the same time, each in its own world. Default: 1. */
  readonly concurrency?: number;
  /** How many orders of calls are tried for each `together`, those with few switches first. Default: 64. */
  readonly races?: number;
  /**
   * Called before each run, without faults. Its calls are no points, and what it returns is `given` in the flow.
   *
   * @example
   * await sweep(({ given: customer, ...context }) => renew(customer, context), { setup: ({ fetch }) => createCustomer(fetch) });
   */
  readonly setup?: (context: Omit<SweepContext, 'given'>) => Given | Promise<Given>;
  /** How long to wait for late money at the end of each run, by the clock of its world: `4d` for bank debits. Default: `1d`. */
  readonly settle?: Duration;
  /** The findings that are known, by their names, or with a reason for the evidence. They do not make a report unsafe. */
  readonly accept?: readonly (string | AcceptedFinding)[];
  /** A folder for evidence.html and evidence.json, which tell a reader who was not there what was proved. */
  readonly evidence?: string;
  /** Called after each run. */
  readonly each?: (progress: SweepProgress) => void;
  /** Opens a port, for programs that call the service with neither the given nor the global `fetch`. */
  readonly listen?: boolean;
  /** The settings of the worlds, such as the dialect. */
  readonly settings?: WorldOptions;
  /** The orders that the buyers agreed to. The run without faults must take these amounts; without it, the amounts that it takes count as right. */
  readonly expect?: readonly ExpectedOrder[];
  /** A folder for the report as HTML, JUnit, SARIF and JSON, and for the scenario of each finding. */
  readonly report?: string;
}

/** A finding that somebody accepted. */
export interface AcceptedFinding {
  /** The name of the finding, such as `charged twice at charge.create order-1`. */
  readonly finding: string;
  readonly reason: string;
  readonly by: string;
  /** The date, such as `2026-11-27`. */
  readonly on: string;
}

export interface SweepProgress {
  /** How many runs have ended. */
  readonly done: number;
  /** How many runs are known so far. Second faults are added when they become known. */
  readonly planned: number;
  /** How many of them have a finding. */
  readonly found: number;
}

/** One line of a run: a call or a webhook. */
export interface SweepEvent {
  /** How long after the first call it arrived, by the clock of the world, such as `+10m`; null if at the same time. */
  readonly at: string | null;
  /** The call or webhook, such as `charge.create order-1 #2` or `webhook transaction.status.changed order-1`. */
  readonly point: string;
  /** The request, such as `POST /charge/card`, and the answer: `1 found: SUCCESS 20` for a search. */
  readonly text: string;
  /** The fault that was injected, the effect on the money, or that the answer came later in a race; null for most. */
  readonly note: string | null;
}

/** A line of the program, relative to the working directory. */
export interface CodeLine {
  readonly file: string;
  readonly line: number;
}

/** A step of a race. */
export interface RaceStep {
  /** `first`, `second`, … or `webhook`. */
  readonly party: string;
  /** The party starts; its call is performed and answered; it is performed, and answered later; or that answer arrives. */
  readonly act: 'start' | 'call' | 'perform' | 'answer';
  /** The call that is performed, such as `charge.create order-1`, and its operation. */
  readonly call: string;
  readonly operation: string | null;
  /** The HoldId on a server that holds all calls of the race; null for a start. */
  readonly holdId: number | null;
}

/** One cause for which money and orders disagree, with all faults that show it. */
export interface SweepFinding {
  /** The name of the finding, such as `charged twice at charge.create order-1`. Every run and every machine gives the same. */
  readonly name: string;
  readonly verdict: Verdict;
  /** The call or webhook of the fault. With a second fault, both. */
  readonly point: string;
  readonly faults: readonly string[];
  /** The order; null if the finding is about the total. */
  readonly reference: string | null;
  readonly currency: string;
  /** The amount of the order; null if no order is known. */
  readonly ordered: number | null;
  /** The amount that the service took and did not refund. */
  readonly taken: number;
  /** The belief of the program: paid, unpaid, unknown, or that there is no order. */
  readonly believed: Belief;
  /** The explanation, in a sentence or two. */
  readonly story: string;
  /** The danger in a sentence for somebody who reads no code: what can happen to a customer, and when. */
  readonly risk: string;
  /** The remedy. */
  readonly advice: string;
  /** The calls and webhooks of the run, in the order of their arrival. */
  readonly timeline: readonly SweepEvent[];
  /** The line of your program that made the decisive call; null if the sweep cannot know, as for a command. */
  readonly source: CodeLine | null;
  /** The step that repeats the run by hand, besides running the program with the scenario; null if there is none. */
  readonly byHand: string | null;
  /** The order of a race, for a server that holds its calls. Empty for other findings. */
  readonly race: readonly RaceStep[];
  /** A scenario that repeats the run: its definition, and the text of its file. */
  readonly definition: ScenarioDefinition;
  readonly scenario: string;
  /** Whether `accept` has its name. */
  readonly isAccepted: boolean;
}
