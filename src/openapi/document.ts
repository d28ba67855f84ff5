import * as z from 'zod';
import { createDocument, type ZodOpenApiComponentsObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { $ZodType } from 'zod/v4/core';

import { innerOf } from '../http/issues.js';
import { compacted, hoisted } from './compact.js';
import { ErrorResponses, ErrorSchema } from './error-responses.js';
import type { Example, Examples } from './examples.js';
import { isControl } from '../http/route.js';
import type { OperationRow } from './operation.js';
import { SECTIONS } from './operations.js';
import { fitField, fitParameter, type Parameter } from './request-fields.js';
import { DESCRIPTION, OUTCOME_HEADER, SERVICE_HEADERS } from './words.js';

/** A description in OpenAPI 3.1, as far as it is looked into here. */
export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

/** The description of all operations, with answers that were really given. */
export function describe(examples: Examples): OpenApi {
  const errors = new ErrorResponses();
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { tag, rows } of SECTIONS) {
    for (const row of rows) {
      const operation = new Operation(row, tag, examples.of(row.id), errors);
      (paths[row.path] ??= {})[row.method] = operation.object();
    }
  }
  const made = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'playmoney',
        version: 'v1',
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [
        { url: 'http://127.0.0.1:4010', description: 'Where playmoney listens unless told otherwise.' },
      ],
      tags: SECTIONS.map(({ tag, text }) => ({ name: tag, description: text })),
      security: [{ secretKey: [] }],
      paths,
      components: {
        schemas: { Error: ErrorSchema.meta({ examples: examples.refusals }) },
        responses: errors.components() as ZodOpenApiComponentsObject['responses'] & object,
        securitySchemes: {
          secretKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-secretkey',
            description: 'Any key that starts with sk_test_; each opens a world of its own.',
          },
          publicKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-publickey',
            description: 'For pages: pk_test_X makes tokens in the world of sk_test_X.',
          },
        },
      },
    },
    {
      allowEmptySchema: { transform: true, unknown: true, any: true },
      override: fitSchema,
    },
  );
  return hoisted(compacted(withParameters(made))) as unknown as OpenApi;
}

/** The same document with its query parameters as they are sent. */
function withParameters(document: object): object {
  const copy = structuredClone(document) as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  };
  for (const item of Object.values(copy.paths)) {
    for (const operation of Object.values(item)) {
      const { parameters } = operation;
      if (parameters === undefined) continue;
      const order = (one: Parameter): number => ['path', 'query', 'header'].indexOf(one.in);
      operation.parameters = parameters
        .map((one) => (one.in === 'query' ? fitParameter(one) : one))
        .toSorted((a, b) => order(a) - order(b));
    }
  }
  return copy;
}

/** Answers may grow fields; what is sent is described as it is sent. */
function fitSchema({ zodSchema, jsonSchema, io }: Fitted): void {
  if (io === 'output') {
    if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
    return;
  }
  fitField(zodSchema, jsonSchema);
}

interface Fitted {
  readonly zodSchema: $ZodType;
  readonly jsonSchema: Record<string, unknown>;
  readonly io: string;
}

/** The object that a schema reads: parameters are described one by one. */
function objectOf(schema: $ZodType): z.ZodObject {
  const inner = innerOf(schema);
  return inner === undefined ? (schema as z.ZodObject) : objectOf(inner);
}

/** One operation of the document. */
class Operation {
  constructor(
    private readonly row: OperationRow,
    private readonly tag: string,
    private readonly example: Example | undefined,
    private readonly errors: ErrorResponses,
  ) {}

  object(): ZodOpenApiOperationObject {
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
      ...(query === undefined ? {} : { requestParams: { query: objectOf(query) } }),
      ...(body === undefined ? {} : { requestBody: this.#body(body) }),
      responses: { '200': this.#success(), ...this.errors.of(this.row) },
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
      content: { 'application/json': { schema: body, ...(sent === undefined ? {} : { example: sent }) } },
    };
  }

  #success(): object {
    const { response: answer } = this.row;
    if (typeof answer === 'string') {
      return { description: 'The page.', content: { [answer]: { schema: z.string() } } };
    }
    const { example } = this;
    const given = example === undefined ? {} : { example: example.answer };
    const description = example?.shortened ? 'OK. The lists of the example are cut short.' : 'OK';
    return { description, content: { 'application/json': { schema: answer, ...given } } };
  }
}
