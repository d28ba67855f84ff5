import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import { afterEach, expect, test } from 'vitest';

import { folder } from '../support/folder.js';
import { ROOT } from './checkout.js';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

const { components } = JSON.parse(readFileSync(join(ROOT, 'sbom.cdx.json'), 'utf8')) as {
  components: Component[];
};
let registry: Server;
afterEach(() => registry.close());

/** A registry that knows faults of some packages, in any version; without any names, it has no audit. */
async function startRegistry(faulty: readonly string[], asked: Record<string, string[]>): Promise<string> {
  registry = createServer((request, response) => {
    void (async () => {
      if (faulty.length === 0 || request.method !== 'POST') {
        const name = decodeURIComponent(request.url ?? '').slice(1);
        const version = { name, version: '1.2.0', dist: {} };
        response.writeHead(request.method === 'GET' ? 200 : 405);
        return response.end(
          request.method === 'GET' ? JSON.stringify({ name, versions: { '1.2.0': version } }) : '{}',
        );
      }
      const chunks = Buffer.concat(await request.toArray());
      const isPacked = request.headers['content-encoding'] === 'gzip';
      Object.assign(asked, JSON.parse((isPacked ? gunzipSync(chunks) : chunks).toString()));
      const fault = {
        id: 1,
        title: 'Planted',
        url: 'about:fault',
        severity: 'high',
        vulnerable_versions: '*',
      };
      const known = faulty.filter((name) => name in asked).map((name) => [name, [{ ...fault, cwe: [] }]]);
      return response.end(JSON.stringify(Object.fromEntries(known)));
    })();
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
}

/** Runs the audit against a registry; its exit code, what it printed, and what it asked about. */
async function audit(
  ...faulty: string[]
): Promise<{ code: unknown; output: string; asked: Record<string, string[]> }> {
  const asked: Record<string, string[]> = {};
  const env = {
    ...process.env,
    npm_config_registry: await startRegistry(faulty, asked),
    npm_config_cache: folder(),
  };
  const child = spawn(process.execPath, ['build/audit.mjs'], { cwd: ROOT, env });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { code, output, asked };
}

test('The audit asks about each package whose code is shipped, and about an old one that has a fault.', async () => {
  const { code, output, asked } = await audit('minimist');
  expect(output).toBe(`Of ${components.length} packages that are shipped, 0 have known vulnerabilities.\n`);
  expect(code).toBe(0);
  const shipped = components.map(({ group, name, version }) => [
    group === undefined ? name : `${group}/${name}`,
    [version],
  ]);
  expect(asked).toEqual({ ...Object.fromEntries(shipped), minimist: ['1.2.0'] });
  expect(Object.keys(asked)).toEqual(expect.arrayContaining(['hono', 'zod', 'yaml', '@faker-js/faker']));
});

test('A vulnerability of a shipped package fails the audit.', async () => {
  const { code, output } = await audit('minimist', 'zod');
  expect(output).toMatch(
    /, 1 have known vulnerabilities\.\nzod \d+\.\d+\.\d+ \(high\): Planted about:fault\n$/,
  );
  expect(code).toBe(1);
});

test('A registry that does not know the old fault has no audit, and the line says so.', async () => {
  for (const faulty of [[], ['nothing']]) {
    const { code, output } = await audit(...faulty);
    registry.close();
    expect(output).toContain('The registry has no audit: it does not know the fault of minimist 1.2.0.');
    expect(code).toBe(0);
  }
});
