import * as z from 'zod';
import { createDocument, type ZodOpenApiComponentsObject, type ZodOpenApiOperationObject } from 'zod-openapi';
import type { $ZodType } from 'zod/v4/core';

import { compacted, hoisted } from './compact.js';
import { ErrorResponses, ErrorSchema } from './error-responses.js';
import type { Example, Examples } from './examples.js';
import { isControl, type OperationRow, subjectOf } from './operation.js';
import { SECTIONS } from './operations.js';
import { PARAMETERS } from './parameters.js';
import { describeMembers, type Described, isRequired, membersOf, saidOf, schemaOf } from './read-members.js';
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
  const described: Described = new Map();
  const errors = new ErrorResponses();
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { tag, rows } of SECTIONS) {
    for (const row of rows) {
      const operation = new Operation(row, tag, examples.of(row.id), described, errors);
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
      override: (context) => fitMembers(context, described),
    },
  );
  return hoisted(compacted(made)) as unknown as OpenApi;
}

/** Puts what was described of a member into its schema, and says which members of an object must be there. */
function fitMembers(
  { zodSchema, jsonSchema, io }: { zodSchema: $ZodType; jsonSchema: Record<string, unknown>; io: string },
  described: Described,
): void {
  if (io === 'output') {
    if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
    return;
  }
  Object.assign(jsonSchema, described.get(zodSchema));
  const { type, shape = {} } = zodSchema._zod.def as unknown as {
    type: string;
    shape?: Record<string, $ZodType>;
  };
  if (type !== 'object') return;
  const required = Object.keys(shape).filter((name) => isRequired(shape[name] as $ZodType));
  delete jsonSchema['required'];
  if (required.length > 0) jsonSchema['required'] = required;
}

/** One operation of the document. */
class Operation {
  constructor(
    private readonly row: OperationRow,
    private readonly tag: string,
    private readonly example: Example | undefined,
    private readonly described: Described,
    private readonly errors: ErrorResponses,
  ) {}

  object(): ZodOpenApiOperationObject {
    const { id, summary, text, body, access } = this.row;
    const parameters = this.#parameters();
    return {
      operationId: id,
      tags: [this.tag],
      summary,
      ...(text === undefined ? {} : { description: text }),
      ...(access === 'open' ? { security: [] } : {}),
      ...(access === 'public' ? { security: [{ secretKey: [] }, { publicKey: [] }] } : {}),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: this.#body(body) }),
      responses: { '200': this.#success(), ...this.errors.of(this.row) },
    } as ZodOpenApiOperationObject;
  }

  #parameters(): object[] {
    const { path, query, headers = {} } = this.row;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const inQuery =
      query === undefined ? [] : membersOf(query).map(([name, member]) => this.#parameter(name, member));
    const inHeader = Object.entries(headers).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    }));
    return [...inPath, ...inQuery, ...inHeader, ...this.#sandboxHeaders()];
  }

  #sandboxHeaders(): readonly object[] {
    if (isControl(this.row)) return [];
    return this.row.asksProvider ? [OUTCOME_HEADER, ...SERVICE_HEADERS] : SERVICE_HEADERS;
  }

  #parameter(name: string, member: $ZodType): object {
    const { description, ...schema } = schemaOf(member, saidOf(PARAMETERS, name, subjectOf(this.row.path)));
    return { name, in: 'query', ...(isRequired(member) ? { required: true } : {}), description, schema };
  }

  #body(body: $ZodType): object {
    describeMembers(body, this.row.id, this.described);
    const sent = this.example?.request;
    return {
      ...(this.row.bodyOptional ? {} : { required: true }),
      content: { 'application/json': { schema: body, ...(sent === undefined ? {} : { example: sent }) } },
    };
  }

  #success(): object {
    const { answer } = this.row;
    if (typeof answer === 'string') {
      return { description: 'The page.', content: { [answer]: { schema: z.string() } } };
    }
    const { example } = this;
    const given = example === undefined ? {} : { example: example.answer };
    const description = example?.shortened ? 'OK. The lists of the example are cut short.' : 'OK';
    return { description, content: { 'application/json': { schema: answer, ...given } } };
  }
}
