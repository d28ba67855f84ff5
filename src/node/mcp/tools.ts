import type { World } from '../../client/world.js';
import type {
  ApiDescription,
  ReferenceOperation,
  ReferenceParameter,
} from '../../control/pages/reference-schema.js';
import { resolveReference } from '../../control/pages/reference-schema.js';
import { isObject, parseJson, quoteText } from '../../core/text/text.js';
import { isControlPath } from '../../http/request-key.js';
import { formatMiB } from '../files/whole-file.js';
import { readPiecesWithin, readTextUpTo } from '../remote/read-text.js';
import { ANSWER_BYTES_MAX } from '../replay/send.js';

export type ToolFields = Readonly<Record<string, unknown>>;

interface ToolOperation extends Omit<ReferenceOperation, 'parameters' | 'responses'> {
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly ReferenceParameter[];
}

/** Why a tool does not do what it was asked for. */
export class ToolError extends Error {}

/** The operations that are tools by themselves, with the same names. */
const TOOLS =
  'getTriggers queueOutcomes advanceClock useScenario getJournal getEntry getDeliveries searchWorldCharges ' +
  'lookCharge reconcile saveSnapshot restoreSnapshot resetWorld';
/** Less than most clients wait for a tool. */
const ANSWER_MS = 30_000;
const Id = { type: 'string', description: 'The name of an operation, such as chargeCard.' };
const Only = { type: 'string', description: 'List only items that contain this text, in any letter case.' };
const Full = { type: 'boolean', description: 'Return the whole answer, even if it has more than 10 kB.' };

/** The tools for a world, made from the OpenAPI description. */
export class Tools {
  readonly list: readonly ToolFields[];
  readonly #rows: readonly ToolOperation[];

  constructor(
    private readonly api: ApiDescription,
    private readonly world: World,
    private readonly adminToken: string | null,
  ) {
    this.#rows = Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, row]) => ({ ...row, method: method.toUpperCase(), path }) as ToolOperation,
      ),
    );
    this.list = this.#listed();
  }

  #listed(): ToolFields[] {
    const own = {
      Id,
      Arguments: { type: 'object', description: 'Those that the tool operations describes.' },
    };
    return [
      describeTool('operations', 'List all operations, or describe one.', { Id }),
      describeTool('call', 'Call an operation as a program does.', own, ['Id']),
      ...TOOLS.split(' ').map((id) => {
        const { summary, description, parameters = [], requestBody } = this.#row(id);
        const body = requestBody?.content['application/json']?.schema;
        const described = parameters.map(({ name, schema, description: text }) => [
          name,
          { ...schema, description: text },
        ]);
        const needed = parameters.filter(({ required }) => required).map(({ name }) => name);
        const properties = { ...(Object.fromEntries(described) as ToolFields), ...body?.properties };
        return describeTool(id, `${summary}. ${description}`, properties, [
          ...needed,
          ...(body?.required ?? []),
        ]);
      }),
    ];
  }

  /** Runs a tool. Throws if the control API refuses the call. */
  async run(name: string, given: ToolFields): Promise<ToolFields> {
    if (name === 'call') return this.#call(given['Id'], (given['Arguments'] ?? {}) as ToolFields);
    if (name !== 'operations') return this.#call(name, given);
    if (given['Id'] !== undefined) return { Body: this.#row(given['Id']) };
    return { Body: this.#rows.map((row) => `${row.operationId}: ${row.method} ${row.path} ${row.summary}`) };
  }

  /** An operation with what its references name, because models do not follow them. */
  #row(id: unknown): ToolOperation {
    const row = this.#rows.find((candidate) => candidate.operationId === id);
    if (row === undefined)
      throw new ToolError(`There is no operation ${quoteText(String(id))}. The tool operations lists them.`);
    const whole = (part: object): unknown =>
      JSON.parse(JSON.stringify(part), (_, value: unknown) =>
        isObject(value) && '$ref' in value ? whole(resolveReference(this.api, value)) : value,
      );
    return whole({ ...row, responses: undefined }) as ToolOperation;
  }

  /** Sends each argument in its place. The server refuses those that it does not know. */
  async #call(id: unknown, given: ToolFields): Promise<ToolFields> {
    const { method, requestBody, ...row } = this.#row(id);
    const [headers, query] = [new Headers({ 'content-type': 'application/json' }), new URLSearchParams()];
    const fields: Record<string, unknown> = {};
    let { path } = row;
    for (const [name, value] of Object.entries(given)) {
      if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
      else if (name.startsWith('x-')) headers.set(name, String(value));
      else if (requestBody === undefined) query.set(name, String(value));
      else fields[name] = value;
    }
    const [, missing] = /\{(\w+)\}/.exec(path) ?? [];
    if (missing !== undefined)
      throw new ToolError(`The argument ${missing} of ${row.operationId} is missing.`);
    const isControl = isControlPath(path);
    if (isControl && this.adminToken !== null) headers.set('x-sandbox-admin', this.adminToken);
    const body = requestBody === undefined ? null : JSON.stringify(fields);
    const init = { method, headers, body, signal: AbortSignal.timeout(ANSWER_MS) };
    const answer = await this.world.fetch(`${path}?${query}`, init);
    const text = await readToolAnswer(row.operationId, answer, init.signal);
    const Body = parseJson(text) ?? text;
    if (isControl && !answer.ok && isObject(Body)) throw new ToolError(String(Body['Message']));
    const shown = [...answer.headers].filter(([name]) => /^(?:x-sandbox-|retry-after)/.test(name));
    return { Status: answer.status, ...Object.fromEntries(shown), Body };
  }
}

/** Refuses what no tool can return: a stream without end, a very long answer, and a redirect. */
async function readToolAnswer(id: string, answer: Response, signal: AbortSignal): Promise<string> {
  const { status, headers } = answer;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const isRedirect = status >= 300 && status < 400;
  const text = isStream ? null : await readTextUpTo(ANSWER_BYTES_MAX, readPiecesWithin(answer, signal));
  if (text !== null && !isRedirect) return text;
  if (isStream) await answer.body?.cancel();
  throw new ToolError(
    isStream
      ? `${id} is a stream without an end, which a tool cannot return. Use getJournal, or awaitEntries to wait.`
      : isRedirect
        ? `The server redirects to ${quoteText(headers.get('location') ?? '', 200)}. No redirect is followed, since it would take the key elsewhere. Check --url.`
        : `The answer of ${id} has more than ${formatMiB(ANSWER_BYTES_MAX)}. Ask for less, with Limit.`,
  );
}

export function describeTool(
  name: string,
  description: string,
  properties: ToolFields,
  required: string[] = [],
): ToolFields {
  const inputSchema = { type: 'object', properties: { ...properties, Only, Full }, required };
  return { name, description, inputSchema };
}
