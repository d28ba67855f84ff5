import { createServer } from 'node:net';

import * as z from 'zod';

import { maskKey } from '../../core/text/secrets.js';
import { formatCount } from '../../core/text/text.js';
import { VERSION } from '../../core/version.js';
import { callServer } from '../remote/call-server.js';
import { requireReady } from '../cli/verbs/health.js';
import {
  CLIENT,
  type ClientOptions,
  type DoctorOptions,
  type StartOptions,
} from '../options/option-table.js';
import { formatAddress } from '../cli/start/start-note.js';
import { requireCommandMessage } from '../terminal/terminal.js';
import { attention, type DoctorFinding, note, ok } from './finding.js';

/** The limits of the calls to a server, and of a second try with the other scheme. The sum is less than ANSWER_MS. */
export const SERVER_MS = 2500;
export const OTHER_MS = 1000;

/** Checks who answers at the server's address, and whether the port is free for a start. */
export async function checkServer(options: DoctorOptions, settings: StartOptions): Promise<DoctorFinding[]> {
  const client = {
    url: options.url ?? `${formatAddress(settings)}:${settings.port}`,
    key: options.key ?? settings.keys.find((key) => key !== 'any') ?? CLIENT.key.fallback,
    adminToken: options.adminToken ?? settings.adminToken,
  };
  try {
    return await Promise.all([checkServerVersion(client), checkServerWorld(client)]);
  } catch (error) {
    const unanswered = attention('server', requireCommandMessage(error));
    return options.url === null ? explainNoAnswer(settings, unanswered) : [unanswered];
  }
}

async function checkServerVersion(client: ClientOptions): Promise<DoctorFinding> {
  const { body } = await callServer(client, {
    path: '/_sandbox/health',
    schema: z.object({ Version: z.string(), Uptime: z.number(), Worlds: z.number(), Node: z.string() }),
    limitMs: SERVER_MS,
  });
  const { Version, Uptime, Worlds, Node } = body;
  const text = `playmoney ${Version} on Node ${Node} at ${client.url}, up for ${formatCount(Uptime, 'second')}, ${formatCount(Worlds, 'world')}`;
  return Version === VERSION ? ok('server', text) : note('server', `${text}; this program is ${VERSION}`);
}

/** Without --url it is fine that no server answers, unless another program has its port. */
async function explainNoAnswer(settings: StartOptions, unanswered: DoctorFinding): Promise<DoctorFinding[]> {
  const { port, host, https } = settings;
  if (await canListen(settings)) {
    return [
      note('server', `no server at ${formatAddress(settings)}:${port}`),
      ok('port', `${port} of ${host} is free`),
    ];
  }
  const other = `${formatAddress({ ...settings, https: !https })}:${port}`;
  const isOther = await requireReady(other, OTHER_MS).then(
    () => true,
    () => false,
  );
  if (isOther) return [attention('server', `answers only at ${other}; call it there`)];
  const message = `cannot listen on port ${port} of ${host}: another program may use it, and it does not answer like playmoney. Choose another port with --port`;
  return [unanswered, attention('port', message)];
}

async function checkServerWorld(client: ClientOptions): Promise<DoctorFinding> {
  try {
    const { body, world } = await callServer(client, {
      path: '/_sandbox/world',
      schema: z.object({
        Seed: z.string(),
        Dialect: z.string(),
        Clock: z.object({ Mode: z.string(), Now: z.string() }),
        Scenario: z.string().nullable(),
      }),
      limitMs: SERVER_MS,
    });
    const { Seed, Dialect, Clock, Scenario } = body;
    const plays = Scenario === null ? 'no scenario' : `scenario ${Scenario}`;
    return ok(
      'world',
      `${world}: clock ${Clock.Mode} at ${Clock.Now}, ${plays}, dialect ${Dialect}, seed ${Seed}`,
    );
  } catch (error) {
    return attention('world', `${maskKey(client.key)}: ${requireCommandMessage(error)}`);
  }
}

async function canListen({ port, host }: StartOptions): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
