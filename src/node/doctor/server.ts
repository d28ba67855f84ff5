import { createServer } from 'node:net';

import { count } from '../../core/text.js';
import { shownKey } from '../../core/secrets.js';
import { VERSION } from '../../version.js';
import { call, callError } from '../cli/client.js';
import { CommandError } from '../cli/terminal.js';
import { attention, type Finding, note, ok } from './finding.js';
import { ask } from '../cli/health.js';
import { CLIENT, type DoctorOptions, type StartOptions } from '../cli/option-table.js';
import { addressOf } from '../cli/start-note.js';

interface Health {
  readonly Version: string;
  readonly Uptime: number;
  readonly Worlds: number;
  readonly Node: string;
}

interface WorldSettings {
  readonly Seed: string;
  readonly Dialect: string;
  readonly Clock: { readonly Now: string; readonly Mode: string };
  readonly Scenario: string | null;
}

/** Who answers where the server should be, and whether a start would find its port free. */
export async function serverFindings(options: DoctorOptions, settings: StartOptions): Promise<Finding[]> {
  const own = `${addressOf(settings)}:${settings.port}`;
  const url = options.url ?? own;
  const client = {
    url,
    key: options.key ?? settings.keys.find((key) => key !== 'any') ?? CLIENT.key.fallback,
    adminToken: options.adminToken ?? settings.adminToken,
  };
  try {
    const { body } = await call<Partial<Health>>(client, '/_sandbox/health');
    if (typeof body.Version !== 'string') throw callError(`${url} answers, but it is no playmoney`);
    const server: Finding = serverFinding(url, body as Health);
    return [server, await worldFinding(client)];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return options.url === null ? unansweredFindings(settings, error) : [attention('server', error.message)];
  }
}

/** Nobody said that there is a server; then it is no fault that none answers, unless something else is in its place. */
async function unansweredFindings(settings: StartOptions, error: CommandError): Promise<Finding[]> {
  const { port, host } = settings;
  if (await canListen(settings)) {
    return [
      note('server', `none answers at ${addressOf(settings)}:${port}`),
      ok('port', `${port} of ${host} is free`),
    ];
  }
  const other = `${addressOf({ ...settings, https: !settings.https })}:${port}`;
  const isOther = await ask(`${other}/_sandbox/ready`).then(
    (status) => status === 200,
    () => false,
  );
  if (isOther) return [attention('server', `answers at ${other} alone; call it there`)];
  const held = `${port} of ${host} cannot be had: another program may hold it, and it does not answer as playmoney; take another with --port`;
  return [attention('server', error.message), attention('port', held)];
}

function serverFinding(url: string, { Version, Uptime, Worlds, Node }: Health): Finding {
  const what = `playmoney ${Version} on Node ${Node} at ${url}, up for ${count(Uptime, 'second')}, ${count(Worlds, 'world')}`;
  return Version === VERSION ? ok('server', what) : note('server', `${what}; this program is ${VERSION}`);
}

async function worldFinding(client: Parameters<typeof call>[0]): Promise<Finding> {
  try {
    const { body, world } = await call<WorldSettings>(client, '/_sandbox/world');
    const { Seed, Dialect, Clock, Scenario } = body;
    const plays = Scenario === null ? 'no scenario' : `scenario ${Scenario}`;
    return ok(
      'world',
      `${world}: clock ${Clock.Mode} at ${Clock.Now}, ${plays}, dialect ${Dialect}, seed ${Seed}`,
    );
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return attention('world', `${shownKey(client.key)}: ${error.message}`);
  }
}

async function canListen({ port, host }: StartOptions): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
