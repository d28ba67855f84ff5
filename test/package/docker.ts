import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { type Started, startProgram } from '../node/cli/program.js';

/** What a client of the Docker Engine sends to create a container; the fields that matter here. */
interface Asked {
  readonly Image: string;
  readonly Env: readonly string[];
}

interface Container {
  readonly asked: Asked;
  /** The root of its files, if any were copied. */
  readonly root: string;
  program: Started | null;
}

/** A stand-in for a Docker Engine: its containers are processes of the program as it is built. */
export interface Docker {
  readonly host: string;
  /** What was created, in order. */
  readonly asked: readonly Asked[];
  /** How many containers run. */
  running(): number;
  close(): Promise<void>;
}

/** Files that are copied into containers are put into folders of `scratch`. */
export async function startDocker(scratch: string): Promise<Docker> {
  const containers = new Map<string, Container>();
  const server = createServer((request, response) => {
    void answer(containers, scratch, request)
      .catch((error: unknown): Answer => [500, { message: String(error) }])
      .then(([status, sent]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(sent === undefined ? undefined : JSON.stringify(sent));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const all = (): Container[] => [...containers.values()];
  return {
    host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return all().map(({ asked }) => asked);
    },
    running: () => all().filter(({ program }) => program !== null).length,
    close: async () => {
      for (const { program } of all()) program?.child.kill('SIGKILL');
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A status and the JSON of an answer. */
type Answer = readonly [status: number, sent?: object];

/** The routes of the engine that testcontainers calls. */
async function answer(
  containers: Map<string, Container>,
  scratch: string,
  request: IncomingMessage,
): Promise<Answer> {
  const body = Buffer.concat(await request.toArray());
  const path = new URL(request.url ?? '', 'http://docker').pathname.replace(/^\/v[\d.]+/, '');
  const [, kind, id = '', verb = ''] = path.split('/');
  if (kind === 'info') return [200, { OperatingSystem: 'a stand-in', ServerVersion: '28.0.0' }];
  if (kind === 'images') return [200, {}];
  // The list of all containers: none is looked for.
  if (kind === 'containers' && id === 'json') return [200, []];
  if (kind === 'containers' && id === 'create') {
    const Id = `container${containers.size}`;
    const asked = JSON.parse(body.toString()) as Asked;
    containers.set(Id, { asked, root: join(scratch, Id), program: null });
    return [201, { Id }];
  }
  const container = containers.get(id);
  if (container !== undefined && verb === 'archive') return [unpack(body, container.root) ? 200 : 500];
  if (container !== undefined && verb === 'start') {
    container.program = await startProgram(['--port', '0', '--quiet'], environmentOf(container));
    return [204];
  }
  if (container !== undefined && verb === 'json') return [200, described(id, container)];
  if (container !== undefined && verb === 'logs') return [200];
  if (container !== undefined && (verb === 'stop' || request.method === 'DELETE')) {
    container.program?.child.kill();
    await container.program?.ended;
    container.program = null;
    return [204];
  }
  return [404, { message: `the stand-in has no ${request.method} ${path}` }];
}

function unpack(tar: Buffer, root: string): boolean {
  const { status } = spawnSync('sh', ['-c', 'mkdir -p "$0" && tar -x -C "$0"', root], { input: tar });
  return status === 0;
}

/** The environment of a container. Paths in it lead to its own files. */
function environmentOf({ asked, root }: Container): Record<string, string> {
  const pairs = asked.Env.map((line): [string, string] => {
    const [name = '', ...text] = line.split('=');
    const value = text.join('=');
    return [name, value.startsWith('/') ? join(root, value) : value];
  });
  return Object.fromEntries(pairs);
}

function described(id: string, { asked, program }: Container): object {
  const binding = { HostIp: '127.0.0.1', HostPort: String(program?.port ?? 0) };
  return {
    Id: id,
    Name: `/${id}`,
    Config: { Hostname: id, Image: asked.Image, Labels: {}, Env: asked.Env },
    HostConfig: { PortBindings: {} },
    State: {
      Status: program === null ? 'exited' : 'running',
      Running: program !== null,
      StartedAt: new Date().toISOString(),
    },
    NetworkSettings: { Ports: { '4010/tcp': [binding] }, Networks: {} },
  };
}
