import { createInnerSandbox } from '../../app/sandbox.js';
import { WITHIN } from '../../client/call.js';
import { connect } from '../../client/connect.js';
import { World } from '../../client/world.js';
import type { ApiDescription } from '../../control/pages/reference-schema.js';
import { isObject, describeType, parseJson, quoteText } from '../../core/text/text.js';
import { VERSION } from '../../core/version.js';
import { folderLibrary } from '../library.js';
import { NODE_HOST } from '../machine/host.js';
import { readOptions } from '../options/option.js';
import type { McpOptions } from '../options/option-table.js';
import { SWEEP } from '../options/sweep-options.js';
import type { SweepReport } from '../../sweep/report/report.js';
import { sweepCommand } from '../sweep/command/command.js';
import { formatJson, type Printable, type VerbResult } from '../terminal/terminal.js';
import { SweepTools } from './sweep-tools.js';
import { type ToolFields, ToolError, Tools } from './tools.js';

/** The versions of the Model Context Protocol, the newest first. 2025-03-26 is left out, because it alone has batches. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05'];
/** The maximum size of an answer in bytes, unless all of it is asked for. */
const ANSWER_MAX = 9000;
/** The maximum number of items of a list in an answer that is cut. */
const ITEMS_MAX = 500;

/** Answers messages, one a line and one after the other, until the input ends. */
export async function runMcp(
  { url, key, adminToken, sweep }: McpOptions,
  input: AsyncIterable<string>,
  out: (text: Printable) => void,
): Promise<VerbResult> {
  const { readAsset } = await import('../../control/pages/assets.js');
  const api = JSON.parse(await readAsset('openapi.json')) as ApiDescription;
  const sandbox = createInnerSandbox(NODE_HOST, { library: folderLibrary() });
  const within = { url: WITHIN, key, adminToken: null, fetch: (request: Request) => sandbox.fetch(request) };
  const own = new Tools(api, url === null ? new World(within) : connect(url, { key }), adminToken);
  const sweeps = sweep === null ? null : new SweepTools(sweep, () => sweepForAgent(sweep));
  const tools: ToolSet = {
    list: [...own.list, ...(sweeps?.list ?? [])],
    run: async (name, given) =>
      sweeps?.list.some((tool) => tool['name'] === name) ? sweeps.run(name, given) : own.run(name, given),
  };
  let rest = '';
  for await (const piece of input) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((text) => text.trim() !== '')) {
      const answer = await answerMessage(parseJson(line), tools);
      if (answer !== null) out(formatJson({ jsonrpc: '2.0', ...answer }));
    }
  }
  sandbox.close();
  return {};
}

/** The tools that a client can use. */
type ToolSet = Pick<Tools, 'list' | 'run'>;

/** Sweeps with the options of the environment. What the command prints goes to stderr, because stdout has the messages. */
async function sweepForAgent(command: string): Promise<SweepReport> {
  return sweepCommand(command, readOptions(SWEEP, new Map(), process.env), ['ignore', 2, 2]);
}

const buildRpcError = (code: number, message: string) => ({ error: { code, message } });

/** The answer to a message; null for a notification. */
async function answerMessage(message: unknown, tools: ToolSet): Promise<object | null> {
  if (message === undefined)
    return { id: null, ...buildRpcError(-32_700, 'A line is not JSON. Send one message a line.') };
  const { id = null, method, params = {} } = isObject(message) ? message : {};
  if (typeof method !== 'string')
    return {
      id,
      ...buildRpcError(-32_600, 'A message must be an object with a method, such as tools/call.'),
    };
  if (id === null) return null;
  if (!isObject(params))
    return { id, ...buildRpcError(-32_602, `The params must be an object, not ${describeType(params)}.`) };
  return { id, ...(await answerMethod(method, params, tools)) };
}

async function answerMethod(method: string, params: ToolFields, tools: ToolSet): Promise<object> {
  const protocolVersion = VERSIONS.find((version) => version === params['protocolVersion']) ?? VERSIONS[0];
  const serverInfo = { name: 'playmoney', version: VERSION };
  switch (method) {
    case 'initialize':
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: tools.list } };
    case 'tools/call':
      return runTool(params, tools);
    default:
      return buildRpcError(
        -32_601,
        `There is no method ${quoteText(method)}. Use tools/list and tools/call.`,
      );
  }
}

async function runTool({ name, arguments: given = {} }: ToolFields, tools: ToolSet): Promise<object> {
  const names = tools.list.map((tool) => tool['name']);
  if (typeof name !== 'string' || !names.includes(name))
    return buildRpcError(-32_602, `There is no tool ${quoteText(String(name))}. Tools: ${names.join(', ')}.`);
  if (!isObject(given))
    return buildRpcError(-32_602, `The arguments must be an object, not ${describeType(given)}.`);
  const { Only = '', Full, ...others } = given;
  const content = (...texts: string[]) => ({ content: texts.map((text) => ({ type: 'text', text })) });
  try {
    const answer = await tools.run(name, others);
    const some = (most: number): string => formatFilteredJson(answer, String(Only).toLowerCase(), most);
    const max = Full === true ? Infinity : ANSWER_MAX;
    let most = Infinity;
    let json = some(most);
    for (; Buffer.byteLength(json) > max && most > 1; json = some(most))
      most = Math.floor(Math.min(most, ITEMS_MAX) * 0.8);
    if (most === Infinity) return { result: content(json) };
    const note = `This is not all: each list has at most ${most} items. Use Only, Limit and Skip, or Full: true.`;
    return { result: content(Buffer.from(json).subarray(0, ANSWER_MAX).toString(), note) };
  } catch (error) {
    const { message, cause } = error as Error;
    const lost = `There was no answer (${cause instanceof Error ? cause.message : message}). If no fault caused this, check the server.`;
    return { result: { ...content(error instanceof ToolError ? message : lost), isError: true } };
  }
}

/** An answer whose lists have only items that contain a text, and at most so many. */
function formatFilteredJson({ Body, ...others }: ToolFields, only: string, most: number): string {
  const isFound = (item: unknown): boolean => JSON.stringify(item).toLowerCase().includes(only);
  const some = (value: unknown): unknown =>
    Array.isArray(value) ? value.filter(isFound).slice(0, most) : value;
  const fields = isObject(Body) && Object.entries(Body).map(([name, value]) => [name, some(value)]);
  return JSON.stringify({
    ...others,
    Body: fields ? (Object.fromEntries(fields) as ToolFields) : some(Body),
  });
}
