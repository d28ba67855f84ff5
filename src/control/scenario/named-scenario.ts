import type { Context } from 'hono';

import { quoted } from '../../core/text.js';
import { CODE, refuse } from '../../core/errors.js';
import { nearest } from '../../core/nearest.js';
import type { Scenario } from '../../scenarios/model.js';
import type { Env } from '../../http/exchange.js';

/** The scenario of that name in the library; unknown: 404 that says which was probably meant. */
export async function namedScenario(c: Context<Env>, name: string): Promise<Scenario> {
  const { library } = c.get('edge');
  const scenario = await library.find(name);
  if (scenario !== undefined) return scenario;
  const names = (await library.list()).map((entry) => entry.name);
  const near = nearest(name, names, 2);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ') || 'none'}.`;
  return refuse(CODE.ValidationError, `There is no scenario ${quoted(name, 64)}. ${hint}`, {
    httpStatus: 404,
  });
}
