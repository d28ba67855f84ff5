import { CODE } from '../core/errors.js';
import { worldOf } from '../http/exchange.js';
import { type Refused, route, type Section } from '../http/route.js';
import { publishedTriggers } from '../outcomes/published.js';
import {
  presentAdvance,
  presentClock,
  presentHealth,
  presentSettled,
  presentWorld,
  presentWorlds,
} from './presenter.js';
import { namedScenario } from './scenario/routes.js';
import { SIMULATE_ROW, TOKEN_ROW } from './scenario/simulate.js';
import {
  AdvanceClock,
  AdvanceResponse,
  ChangeClock,
  ClockResponse,
  HealthResponse,
  ReadyResponse,
  ResetWorld,
  Settle,
  SettledResponse,
  TriggersResponse,
  WorldResponse,
  WorldsResponse,
} from './schema.js';
import { settleWorld } from './webhooks/await.js';

const ADVANCING: readonly Refused[] = [[CODE.RetryLater, 409]];

/** The time of a world, what it is, and what is scripted in it. */
export const WORLD: Section = {
  tag: 'World and clock',
  text: 'The world of the key: what it holds, and what time it is there.',
  rows: [
    route({
      method: 'get',
      path: '/_sandbox/health',
      id: 'getHealth',
      summary: 'Ask whether the sandbox is up',
      text: 'Needs no key, and opens no world.',
      response: HealthResponse,
      access: 'open',
      handle: (c) => presentHealth(c.get('edge').worlds, c.get('edge').host),
    }),
    route({
      method: 'get',
      path: '/_sandbox/ready',
      id: 'getReady',
      summary: 'Wait until scenario and seed data are loaded',
      text: 'Answers once a new world would open at once: for health checks that should wait for that.',
      response: ReadyResponse,
      access: 'open',
      handle: async (c) => {
        await c.get('edge').worlds.load();
        return { Status: 'ready' as const };
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/world',
      id: 'getWorld',
      summary: 'Look at the world',
      text: 'Its seed, dialect, clock and scenario, and how many records of each kind it holds.',
      response: WorldResponse,
      handle: (c) => presentWorld(worldOf(c)),
    }),
    route({
      method: 'get',
      path: '/_sandbox/worlds',
      id: 'getWorlds',
      summary: 'List all worlds',
      text: 'Worlds have short names here, because their keys are secrets.',
      response: WorldsResponse,
      access: 'open',
      handle: (c) => presentWorlds(c.get('edge').worlds),
    }),
    route({
      method: 'post',
      path: '/_sandbox/reset',
      id: 'resetWorld',
      summary: 'Begin the world anew',
      text: 'All records are gone, and the clock goes back to where it began. Seed and Scenario replace what the world had.',
      body: ResetWorld,
      bodyOptional: true,
      response: WorldResponse,
      errors: [[CODE.ValidationError, 404]],
      handle: async (c, { body }) => {
        const { seed, scenario: name } = body;
        const { worlds } = c.get('edge');
        const scenario = name === null ? null : await namedScenario(c, name);
        const { key } = worldOf(c);
        await worlds.prepare(key, { seed, scenario });
        return presentWorld(worlds.reset(key, { seed, scenario }));
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/clock',
      id: 'getClock',
      summary: 'Read the clock',
      text: 'NextDue is when the next job is due; null when nothing is.',
      response: ClockResponse,
      handle: (c) => presentClock(worldOf(c)),
    }),
    route({
      method: 'put',
      path: '/_sandbox/clock',
      id: 'setClock',
      summary: 'Change how time passes',
      text: 'A manual clock stands still until it is advanced; a scaled one runs Rate times as fast as real time.',
      body: ChangeClock,
      response: ClockResponse,
      errors: ADVANCING,
      handle: async (c, { body }) => {
        const world = worldOf(c);
        const { change, to } = body;
        await world.advance(to === null ? { by: 0 } : { to }, change);
        return presentClock(world);
      },
    }),
    route({
      method: 'post',
      path: '/_sandbox/clock/advance',
      id: 'advanceClock',
      summary: 'Let time pass',
      text: 'Runs every job that is due meanwhile, in order, and answers once the deliveries that these caused have ended.',
      body: AdvanceClock,
      bodyOptional: true,
      response: AdvanceResponse,
      errors: ADVANCING,
      handle: async (c, { body }) => presentAdvance(await worldOf(c).advance(body)),
    }),
    route({
      method: 'post',
      path: '/_sandbox/settle',
      id: 'settleWorld',
      summary: 'Wait until nothing is under way',
      text: 'Runs what is due now and answers once its webhooks were sent. The clock stays where it is.',
      body: Settle,
      bodyOptional: true,
      response: SettledResponse,
      errors: [CODE.Timeout],
      handle: async (c, { body }) => {
        const world = worldOf(c);
        await settleWorld(world, body.timeoutMs);
        return presentSettled(world);
      },
    }),
    route({
      method: 'get',
      path: '/_sandbox/triggers',
      id: 'getTriggers',
      summary: 'List magic cards, tokens, accounts and outcomes',
      text: 'All that makes a provider answer otherwise than with an approval, and which of several wins.',
      response: TriggersResponse,
      access: 'open',
      handle: () => publishedTriggers(),
    }),
    SIMULATE_ROW,
    TOKEN_ROW,
  ],
};
