import { Hono } from 'hono';
import * as z from 'zod';

import { CODE, refuse } from '../../core/errors.js';
import { sentence } from '../../core/sentence.js';
import type { Scenario } from '../../scenarios/model.js';
import { body } from '../../http/validation.js';
import { type Env, worldOf } from '../../http/exchange.js';
import { optional, readAs } from '../../http/field.js';
import { optionalText } from '../../http/fields.js';
import { type JsonValue, plainJson } from '../../http/json.js';
import { respond } from '../../http/respond.js';
import type { World } from '../../world.js';
import type { Worlds } from '../../worlds.js';
import { namedScenario } from './named-scenario.js';
import { noBody, plain, STRICT } from '../plain.js';
import { definitionOf } from '../../scenarios/definition.js';

export const UseScenario = z.object({
  Name: optionalText().describe('A scenario that GET /_sandbox/scenarios lists.'),
  Definition: optional(
    readAs(z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]), (value) =>
      plainJson(value as JsonValue),
    ).meta({
      wrong: 'must be a scenario as an object',
      description: 'A scenario, as a file of scenarios has it.',
      sent: { type: 'object' },
    }),
  ),
});

/** The scenario that a world plays: which there are, switching at run time, what never matched. */
export function scenarioRoutes(worlds: Worlds): Hono<Env> {
  return new Hono<Env>()
    .basePath('/_sandbox')
    .get('/scenarios', plain, async (c) => {
      const entries = await c.get('edge').library.list();
      return respond(
        c,
        entries.map(({ name, description, file }) => ({ Name: name, Description: description, File: file })),
      );
    })
    .get('/scenario', plain, (c) => {
      const world = worldOf(c);
      const { scenario } = world.script;
      const Definition = scenario === null ? null : definitionOf(scenario);
      return respond(c, { ...presentScenario(world), Definition });
    })
    .put('/scenario', plain, body(UseScenario, STRICT), async (c) => {
      const { Name, Definition } = c.req.valid('json');
      if ((Name === null) === (Definition === null)) {
        refuse(
          CODE.ValidationError,
          'Send either Name, of a scenario that /_sandbox/scenarios lists, or Definition.',
        );
      }
      const scenario = Name === null ? await defined(Definition) : await namedScenario(c, Name);
      await worlds.load(scenario);
      const world = worldOf(c);
      worlds.switchTo(world, scenario);
      return respond(c, presentScenario(world));
    })
    .delete('/scenario', plain, noBody, (c) => {
      const world = worldOf(c);
      worlds.switchTo(world, null);
      return respond(c, presentScenario(world));
    })
    .get('/scenario/unmatched', plain, (c) => respond(c, { Rules: worldOf(c).script.unmatched() }));
}

/** A scenario that came in the request; every fault is named by its path. */
async function defined(definition: unknown): Promise<Scenario> {
  // Loaded at the first need: its schemas would cost every start some milliseconds.
  const { parseScenario } = await import('../../scenarios/schema.js');
  const parsed = parseScenario(definition);
  if ('scenario' in parsed) return parsed.scenario;
  const details = Object.fromEntries(
    parsed.faults.map(({ path, message }) => [['Definition', ...path].join('.'), message]),
  );
  const listed = Object.entries(details).map(([path, message]) => `${path}: ${message}`);
  const detail = sentence(`The scenario is not taken: ${listed.join('; ')}`);
  return refuse(CODE.ValidationError, detail, { details });
}

function presentScenario({ script }: World): object {
  const { scenario } = script;
  return {
    Scenario: scenario?.name ?? null,
    Description: scenario?.description ?? null,
    Rules: script.matched().map(({ rule, matched }) => ({ Rule: rule, Matched: matched })),
    State: script.state(),
  };
}
