import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, describe, expect, test } from 'vitest';

import { connect } from '../../src/index.js';
import { CLI, startProgram } from '../node/cli/program.js';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/guides/agents.md'), 'utf8');
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

interface Said {
  readonly isError: boolean;
  readonly text: string;
}

/** The official client, with the program as it is built. */
async function clientOf(env: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env }));
  const run = async (name: string, given: Record<string, unknown> = {}): Promise<Said> => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const text = (content as { readonly text: string }[]).map((one) => one.text).join('\n');
    return { isError: isError === true, text };
  };
  return { client, run };
}

describe('the official client', () => {
  test('gets about thirteen tools, whose descriptions and arguments are those of the operations', async () => {
    const { client } = await clientOf();
    expect(client.getServerVersion()).toMatchObject({ name: 'playmoney' });
    await client.ping();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 3)).toEqual(['operations', 'call', 'getTriggers']);
    expect(tools).toHaveLength(15);
    const queue = tools.find(({ name }) => name === 'queueOutcomes');
    expect(queue?.description).toMatch(/^Queue outcomes for the next calls\. /);
    expect(queue?.inputSchema.required).toEqual(['Operation', 'Outcomes']);
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });

  test('gets the answers of the page', async () => {
    const { run } = await clientOf();
    const dialogue = [...PAGE.matchAll(/^```json tool\n(.*)\n```\n\n```(?:json|text) answer\n(.*)\n```$/gm)];
    expect(dialogue).toHaveLength(6);
    for (const [, asked = '', shown = ''] of dialogue) {
      const { name, arguments: given } = JSON.parse(asked) as {
        name: string;
        arguments: Record<string, unknown>;
      };
      const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
      expect((await run(name, given)).text).toMatch(new RegExp(`^${parts.join('.*')}$`));
    }
  });

  test('uses the world of PLAYMONEY_URL and PLAYMONEY_KEY, with the admin token of the server', async () => {
    const server = await startProgram(['--port', '0', '--admin-token', 'let-me-in', '--quiet']);
    const key = 'sk_test_agent';
    const env = { PLAYMONEY_URL: server.url, PLAYMONEY_KEY: key, PLAYMONEY_ADMIN_TOKEN: 'let-me-in' };
    const { run } = await clientOf(env);
    const world = connect(server.url, { key, adminToken: 'let-me-in' });
    await run('call', { Id: 'chargeToken', Arguments: { Amount: 5, Token: 'tok_approve' } });
    expect(await world.charges()).toHaveLength(1);
    expect((await run('saveSnapshot', { name: 'paid' })).isError).toBe(false);
    expect((await world.snapshots()).map(({ name }) => name)).toEqual(['paid']);
    server.child.kill();
    await server.ended;
    const { isError, text } = await run('getJournal');
    expect([isError, text]).toEqual([true, expect.stringMatching(/ECONNREFUSED.*check the server/)]);
  });
});
