import { readWorldFindings } from '../../control/findings/routes.js';
import { maskPasswords } from '../../core/text/secrets.js';
import { REFUSED_KEYS } from '../../core/keys.js';
import { isUuid } from '../../core/text/text.js';
import { CONTROL, isControlPath } from '../../http/request-key.js';
import { PathRouter } from '../../http/router.js';
import type { Journal } from '../../journal/journal.js';
import { maskPath } from '../../journal/mask-names.js';
import { readMagicToken } from '../../outcomes/magic-tokens.js';
import type { InnerSandbox } from '../../app/sandbox.js';
import type { Scenario } from '../../scenarios/script/model.js';
import { Script } from '../../scenarios/script/script.js';
import { type Delivery, DROPPED_BY_SCENARIO, WEBHOOKS_ARE_OFF } from '../../webhooks/delivery.js';
import type { World } from '../../world/world.js';
import type { Worlds } from '../../world/worlds.js';
import type { ServedApp } from '../http/serve.js';
import type { CallKeeper } from './call-keeper.js';

const RESET = `${CONTROL}/reset`;
/** The maximum number of different warnings, and of undelivered webhooks, that a tally remembers. */
const REMEMBERED_MAX = 1000;
const PATH_LENGTH_MAX = 120;

/** How often each of some texts occurred. Remembers a limited number of different ones. */
class Occurrences {
  total = 0;
  readonly #times = new Map<string, number>();

  note(text: string): void {
    this.total++;
    const times = this.#times.get(text) ?? 0;
    if (times > 0 || this.#times.size < REMEMBERED_MAX) this.#times.set(text, times + 1);
  }

  list(): string[] {
    return [...this.#times].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`));
  }
}

export class Tally {
  requests = 0;
  controls = 0;
  readonly unknown = new Occurrences();
  /** Calls to paths that do not exist, or with a method that a path does not have. */
  readonly unknownPaths = new Occurrences();
  readonly unauthorised = new Occurrences();
  readonly otherTypes = new Occurrences();
  /** Orders that were charged again after a lost answer. Without one, a test may have used a Reference twice. */
  readonly chargedTwice = new Occurrences();
  readonly #rules = { rule: new Map<string, boolean>(), policy: new Map<string, boolean>() };
  /** Webhooks that did not arrive: the life of the world that sent them, until its next reset, and the reason. */
  readonly #undelivered = new Map<string, { readonly life: number; readonly why: string }>();
  readonly #lives = new WeakMap<Journal, { readonly number: number; readonly world: World }>();
  #life = 0;

  constructor(
    private readonly worlds: Worlds,
    private readonly keepers: readonly CallKeeper[],
  ) {}

  /** Wraps the served app to count each call. */
  wrapApp({ app }: Pick<InnerSandbox, 'app'>): ServedApp {
    const { router } = app;
    const isKnown = (method: string, path: string): boolean =>
      !(router instanceof PathRouter) || isKnownCall(router, method, path);
    return {
      worlds: this.worlds,
      app: {
        fetch: async (request, env) => {
          const path = new URL(request.url).pathname;
          if (isControlPath(path)) {
            // Counts first: the call may reset the world, change its scenario or empty its journal.
            this.#noteControl(request, path);
            return app.fetch(request, env);
          }
          this.requests++;
          const answer = await app.fetch(request, env);
          this.#noteWarnings(answer);
          this.#noteRefusal(request, path, answer, isKnown);
          const world = this.#worldNamed(answer.headers.get('x-sandbox-world'));
          if (world !== undefined) for (const keeper of this.keepers) keeper.keepUp(world);
          return answer;
        },
      },
    };
  }

  /** Counts the final state of all worlds; `scenario` is the one they started with. */
  finish(scenario: Scenario | null): void {
    const untouched = new Script();
    untouched.startScenario(scenario);
    this.#noteRules({ script: untouched });
    for (const world of this.worlds.all()) this.#note(world, true);
  }

  unmatched(kind: 'rule' | 'policy'): string[] {
    return [...this.#rules[kind]].flatMap(([rule, isMatched]) => (isMatched ? [] : [rule]));
  }

  undelivered(): string[] {
    return [...this.#undelivered.values()].map(({ why }) => why);
  }

  #noteControl({ method, headers }: Request, path: string): void {
    this.controls++;
    if (method === 'GET') return;
    const key = headers.get('x-secretkey');
    const world = key === null ? this.#worldNamed(headers.get('x-sandbox-world')) : this.worlds.find(key);
    if (world !== undefined) this.#note(world, path === RESET);
  }

  #worldNamed(name: string | null): World | undefined {
    if (name === null) return undefined;
    for (const world of this.worlds.all()) if (world.keyHash === name) return world;
    return undefined;
  }

  #noteWarnings({ headers }: Response): void {
    const warnings = headers.get('x-sandbox-warning')?.split('; ') ?? [];
    for (const warning of warnings) if (warning.startsWith('ignored unknown ')) this.unknown.note(warning);
  }

  /** Notes a call that the service would refuse before it reads it. Such answers of a scenario are intended. */
  #noteRefusal(
    { method, headers: sent }: Request,
    path: string,
    { status, headers }: Response,
    isKnown: (method: string, path: string) => boolean,
  ): void {
    if (headers.has('x-sandbox-trigger') || headers.has('x-sandbox-fault')) return;
    const text = `${method} ${maskPath(path).slice(0, PATH_LENGTH_MAX)}`;
    if (status === 415) this.otherTypes.note(`${text}: ${sent.get('content-type') ?? 'no content type'}`);
    else if (status === 405 || ([400, 404].includes(status) && !isKnown(method, path)))
      this.unknownPaths.note(text);
    else if (status === 401 && !REFUSED_KEYS.has(sent.get('x-secretkey') ?? '')) this.unauthorised.note(text);
  }

  #note(world: World, isEnd: boolean): void {
    this.#noteRules(world);
    this.#noteDeliveries(world);
    if (isEnd) this.#noteFindings(world);
    for (const keeper of this.keepers) {
      if (isEnd) keeper.end(world);
      else keeper.keep(world);
    }
  }

  #noteFindings(world: World): void {
    for (const { kind, isAfterLoss, message } of readWorldFindings(world))
      if (kind === 'charged twice' && isAfterLoss) this.chargedTwice.note(message);
  }

  #noteRules({ script }: Pick<World, 'script'>): void {
    if (script.scenario === null) return;
    for (const { rule, matched, kind } of script.matched()) {
      const name = `${rule} (${script.scenario.name})`;
      this.#rules[kind].set(name, matched > 0 || this.#rules[kind].get(name) === true);
    }
  }

  #noteDeliveries(world: World): void {
    const before = this.#lives.get(world.journal);
    const life = before?.number ?? this.#life++;
    this.#lives.set(world.journal, { number: life, world });
    // A restore has undone what was noted before it, or what is left of that is in the log.
    if (before?.world !== world) {
      for (const [id, noted] of this.#undelivered) if (noted.life === life) this.#undelivered.delete(id);
    }
    for (const delivery of world.deliveries.newestFirst()) {
      const id = `${world.keyHash} ${delivery.id}`;
      const why = whyUndelivered(delivery);
      if (why !== null) {
        if (this.#undelivered.size < REMEMBERED_MAX) this.#undelivered.set(id, { life, why });
      } else if (this.#undelivered.get(id)?.life === life) this.#undelivered.delete(id);
    }
  }
}

/** Whether a path exists and has no word in the place of an identifier, except a magic token. */
function isKnownCall(router: PathRouter, method: string, path: string): boolean {
  const [call] = router.match(method === 'HEAD' ? 'GET' : method, path)[0];
  const words = Object.values(call?.[1] ?? {});
  return (
    router.methodsOf(path) !== undefined &&
    words.every((word) => isUuid(word) || readMagicToken(word) !== undefined)
  );
}

/** Returns why a webhook did not arrive; null if it did, is on its way, or was not meant to be sent. */
function whyUndelivered({ status, attempts, eventType, url, note, trouble }: Delivery): string | null {
  const isIntended = [WEBHOOKS_ARE_OFF, DROPPED_BY_SCENARIO].some((reason) => note?.startsWith(reason));
  if (status === 'delivered' || trouble !== null || isIntended) return null;
  // A delivery without an attempt may still arrive.
  if (status === 'pending' && attempts === 0) return null;
  return `${eventType} to ${maskPasswords(url)}: ${note ?? status}`;
}
