import * as z from 'zod';
import { createDocument, type ZodOpenApiComponentsObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { $ZodType } from 'zod/v4/core';

import { unwrapped } from '../http/fields/issues.js';
import { type AnyRow, isControl, findSuccessStatus } from '../http/route.js';
import { FAULT_NAMES, PLAIN_FAULTS } from '../scenarios/file/fault.js';
import { SECTIONS } from '../app/sections.js';
import { compactDocument, hoistRepeated } from './compact.js';
import { type Example, type Examples, playExamples } from './examples.js';
import { DeclineCode, ErrorResponses, ErrorSchema } from './refusals.js';
import { fitField, fitParameter, dropInternalMeta, type QueryParameter } from './request-fields.js';
import { EVENT_SCHEMAS, addWebhooks } from './webhooks.js';

const DESCRIPTION = `A local sandbox for the payFURL API: in memory, deterministic, for tests.

Field names are those of the documented dialect. In the sdk dialect (\`x-sandbox-dialect: sdk\`, \`--dialect sdk\`,
or a client library that names itself) the field names of requests are read in any letter case, responses are in camelCase,
an authorised charge has the status \`AUTHORISE\`, fields marked as optional in the sdk dialect may be left out, and an
error's \`type\` is a link to the service's own page.

Amounts can be sent as numbers or as decimal strings; responses contain numbers. An optional field with the value \`null\`
is treated as if it were left out. Every field of a response is always present; fields without a value are null. Unknown
fields of a request are ignored and listed in the response header \`x-sandbox-warning\`; under \`/_sandbox\`, and with
\`--strict\`, they are refused. \`x-server-checks\` describes what the server checks beyond the schema.

Each key has its own world, and worlds share nothing. Calls under \`/_sandbox\` can name their world in \`x-sandbox-world\` instead
of sending its key, if the server has an admin token or listens on a loopback address only. The examples are real responses to the key \`sk_test_local\`, whose
clock started at 2026-01-01T00:00:00Z.

Webhooks are sent to the Webhook of the request and to the subscriptions of the topic, with their Authorization. They are
in camelCase, without fields that have no value. A status is written as in the dialect that created the record.`;

const YAML_TEXT = z.string().describe('The same as the field Yaml of the JSON.');

/** The header of all calls that ask a provider. */
const OUTCOME_HEADER = {
  name: 'x-sandbox-outcome',
  in: 'header',
  description:
    'The outcome of the provider, such as insufficient_funds, optionally with a delay: approve, delay=2s.',
  schema: { type: 'string', pattern: '^\\w+( *, *delay=[\\w.]+)?$' },
};

/** The headers of all calls of the service. */
const SERVICE_HEADERS: readonly object[] = [
  {
    name: 'x-sandbox-fault',
    in: 'header',
    description: `The fault to simulate: ${FAULT_NAMES}. Append ; phase=before or ; phase=after to let it happen before or after the operation.`,
    schema: {
      type: 'string',
      pattern: `^(${PLAIN_FAULTS.join('|')}|status=[2-5]\\d\\d)( *; *phase=(before|after))?$`,
    },
  },
  {
    name: 'x-sandbox-dialect',
    in: 'header',
    description: 'The dialect of this call.',
    schema: { type: 'string', enum: ['documented', 'sdk'] },
  },
];

/** The description of all operations, with real answers as examples. */
function buildDocument(examples: Examples): object {
  const errors = new ErrorResponses();
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { tag, rows } of SECTIONS) {
    for (const row of rows) {
      const operation = new DescribedOperation(row, tag, examples.findExample(row.id), errors);
      (paths[row.path] ??= {})[row.method] = operation.toObject();
    }
  }
  const made = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'playmoney',
        version: 'v1',
        description: DESCRIPTION,
        contact: { name: 'playmoney' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: 'http://127.0.0.1:4010', description: 'The default address of playmoney.' }],
      tags: SECTIONS.map(({ tag, text }) => ({ name: tag, description: text })),
      security: [{ secretKey: [] }],
      paths,
      components: {
        schemas: { Error: ErrorSchema.meta({ examples: examples.refusals }), DeclineCode, ...EVENT_SCHEMAS },
        responses: errors.components() as ZodOpenApiComponentsObject['responses'] & object,
        securitySchemes: {
          secretKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-secretkey',
            description: 'Any key that starts with sk_test_. Each key has its own world.',
          },
          publicKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-publickey',
            description: 'For pages: pk_test_X creates tokens in the world of sk_test_X.',
          },
        },
      },
    },
    {
      allowEmptySchema: { transform: true, unknown: true, any: true },
      override: fitSchema,
    },
  );
  return addWebhooks(hoistRepeated(compactDocument(fitQueryParameters(made))), examples);
}

/** Returns a document with its query parameters as clients send them. */
function fitQueryParameters(document: object): object {
  const copy = structuredClone(document) as {
    paths: Record<string, Record<string, { parameters?: QueryParameter[] }>>;
  };
  for (const item of Object.values(copy.paths)) {
    for (const operation of Object.values(item)) {
      const { parameters } = operation;
      if (parameters === undefined) continue;
      const order = (parameter: QueryParameter): number => ['path', 'query', 'header'].indexOf(parameter.in);
      operation.parameters = parameters
        .map((parameter) => (parameter.in === 'query' ? fitParameter(parameter) : parameter))
        .toSorted((a, b) => order(a) - order(b));
    }
  }
  return copy;
}

/** Lets answers have further fields, and describes requests as clients send them. */
function fitSchema({ zodSchema, jsonSchema, io }: FitInput): void {
  if (io === 'output') {
    if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
    dropInternalMeta(jsonSchema);
    return;
  }
  fitField(zodSchema, jsonSchema);
}

interface FitInput {
  readonly zodSchema: $ZodType;
  readonly jsonSchema: Record<string, unknown>;
  readonly io: string;
}

class DescribedOperation {
  constructor(
    private readonly row: AnyRow,
    private readonly tag: string,
    private readonly example: Example | undefined,
    private readonly errors: ErrorResponses,
  ) {}

  toObject(): ZodOpenApiOperationObject {
    const { id, summary, text, body, query, access } = this.row;
    const parameters = this.#parameters();
    return {
      operationId: id,
      tags: [this.tag],
      summary,
      ...(text === undefined ? {} : { description: text }),
      ...(access === 'open' ? { security: [] } : {}),
      ...(access === 'public' ? { security: [{ secretKey: [] }, { publicKey: [] }] } : {}),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(query === undefined ? {} : { requestParams: { query: unwrapped(query) as z.ZodObject } }),
      ...(body === undefined ? {} : { requestBody: this.#body(body) }),
      responses: {
        [findSuccessStatus(this.row)]: this.#success(),
        ...this.errors.referToResponses(this.row),
      },
    } as ZodOpenApiOperationObject;
  }

  #parameters(): object[] {
    const { path, headers = {} } = this.row;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const inHeader = Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    }));
    return [...inPath, ...inHeader, ...this.#sandboxHeaders()];
  }

  #sandboxHeaders(): readonly object[] {
    if (isControl(this.row)) return [];
    return this.row.asksProvider ? [OUTCOME_HEADER, ...SERVICE_HEADERS] : SERVICE_HEADERS;
  }

  #body(body: $ZodType): object {
    const sent = this.example?.request;
    return {
      ...(this.row.bodyOptional ? {} : { required: true }),
      content: {
        'application/json': { schema: body, ...(sent === undefined ? {} : { example: sent }) },
        ...(this.row.takesYaml ? { 'application/yaml': { schema: YAML_TEXT } } : {}),
      },
    };
  }

  #success(): object {
    const { response: answer } = this.row;
    if (typeof answer === 'string') {
      return { description: 'The page.', content: { [answer]: { schema: z.string() } } };
    }
    const { example } = this;
    const given = example === undefined ? {} : { example: example.answer };
    const description = example?.shortened ? 'OK. Lists in the example are shortened.' : 'OK';
    return { description, content: { 'application/json': { schema: answer, ...given } } };
  }
}

/** The text of docs/openapi.json, one field per line. */
export async function openApiText(): Promise<string> {
  return `${JSON.stringify(buildDocument(await playExamples()), null, 1)}\n`;
}
