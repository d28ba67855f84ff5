import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
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
    void answer(containers, scratch, request, response).catch((error: unknown) =>
      response.writeHead(500).end(JSON.stringify({ message: String(error) })),
    );
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

/** The routes of the engine that testcontainers calls. */
async function answer(
  containers: Map<string, Container>,
  scratch: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  const path = new URL(request.url ?? '', 'http://docker').pathname.replace(/^\/v[\d.]+/, '');
  const [, kind, id = '', verb = ''] = path.split('/');
  const send = (status: number, sent?: object): unknown =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(sent === undefined ? undefined : JSON.stringify(sent));
  if (kind === 'info') return send(200, { OperatingSystem: 'a stand-in', ServerVersion: '28.0.0' });
  if (kind === 'images') return send(200, {});
  if (kind !== 'containers') return send(404, { message: `the stand-in has no ${request.method} ${path}` });
  if (id === 'create') {
    const Id = `container${containers.size}`;
    containers.set(Id, {
      asked: JSON.parse(body.toString()) as Asked,
      root: join(scratch, Id),
      program: null,
    });
    return send(201, { Id });
  }
  const container = containers.get(id);
  // The list of all containers: no others are looked for.
  if (id === 'json') return send(200, []);
  if (container === undefined) return send(404, { message: `no container ${id}` });
  if (verb === 'archive') return send(unpack(body, container.root) ? 200 : 500);
  if (verb === 'start') {
    container.program = await startProgram(['--port', '0', '--quiet'], environmentOf(container));
    return send(204);
  }
  if (verb === 'json') return send(200, described(id, container));
  if (verb === 'logs') return response.writeHead(200).end();
  if (verb === 'stop' || request.method === 'DELETE') {
    container.program?.child.kill();
    await container.program?.ended;
    container.program = null;
    return send(204);
  }
  return send(404, { message: `the stand-in has no ${request.method} ${path}` });
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
