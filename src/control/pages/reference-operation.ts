import { html } from 'hono/html';

import { type Html, joinHtml, markMatches } from './html.js';
import {
  type ReferenceAnswer,
  type ApiDescription,
  fieldTable,
  type ReferenceOperation,
  type ReferenceParameter,
  parameterTable,
  resolveReference,
  type ReferenceSchema,
  typeText,
} from './reference-schema.js';

/** All about an operation. */
export function operationPart(
  description: ApiDescription,
  method: string,
  path: string,
  operation: ReferenceOperation,
): Html {
  const { description: text } = operation;
  const [success, refusals] = splitAnswers(description, operation);
  return html`${text !== undefined && html`<p>${text}</p>`}
${accessText(operation)}
${commandPart(description, method, path, operation)}
${successPart(success)}
${parametersPart(description, operation)}
${bodyPart(description, operation)}
${refusalsPart(refusals)}`;
}

function accessText({ security }: ReferenceOperation): Html | null {
  if (security === undefined) return null;
  return security.length === 0
    ? html`<p class="soft">Needs no key.</p>`
    : html`<p class="soft">Accepts a public key instead of the secret key.</p>`;
}

function parametersPart(description: ApiDescription, { parameters = [] }: ReferenceOperation): Html | null {
  const own = parameters
    .map((parameter) => resolveReference<ReferenceParameter>(description, parameter))
    .filter(({ name }) => !name.startsWith('x-sandbox-'));
  return own.length === 0 ? null : parameterTable(own);
}

function bodyPart(description: ApiDescription, { requestBody }: ReferenceOperation): Html | null {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined
    ? null
    : fieldTable(description, schema, requestBody?.required ? 'Body' : 'Body (optional)');
}

type AnswerByStatus = [status: string, answer: ReferenceAnswer];
type SplitAnswers = [success: AnswerByStatus, refusals: AnswerByStatus[]];

function splitAnswers(description: ApiDescription, { responses }: ReferenceOperation): SplitAnswers {
  const all = Object.entries(responses).map(([status, answer]): AnswerByStatus => [
    status,
    resolveReference<ReferenceAnswer>(description, answer),
  ]);
  const success = all.find(([status]) => status < '300') ?? ['200', { description: '' }];
  return [success, all.filter(([status]) => status >= '300')];
}

/** The curl command that sends the example. */
function commandPart(
  description: ApiDescription,
  method: string,
  path: string,
  operation: ReferenceOperation,
): Html {
  const example = operation.requestBody?.content['application/json']?.example;
  const isOpen = operation.security?.length === 0;
  const headers = (operation.parameters ?? [])
    .map((parameter) => resolveReference<ReferenceParameter>(description, parameter))
    .filter((parameter) => parameter.in === 'header' && parameter.required === true)
    .map(({ name }) => `-H '${name}: 00000000000000000000000000000001'`);
  const lines = [
    `curl -s ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${description.servers[0]?.url ?? ''}${path}'`,
    ...(isOpen ? [] : ["-H 'x-secretkey: sk_test_local'"]),
    ...headers,
    ...(example === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${quoteJsonForShell(example)}'`]),
  ];
  return html`<div class="sample"><p class="caption">Request</p><button type="button" class="plain copy">Copy as curl</button>
<pre class="command" tabindex="0">${lines.join(' \\\n  ')}</pre></div>`;
}

/** JSON, escaped for single quotes in a shell. */
function quoteJsonForShell(value: unknown): string {
  return JSON.stringify(value).replaceAll("'", String.raw`'\''`);
}

function successPart([status, { description, content = {} }]: AnswerByStatus): Html | null {
  const [mediaType, answer] = Object.entries(content)[0] ?? [];
  if (mediaType === undefined || answer === undefined) return null;
  if (mediaType !== 'application/json')
    return html`<p class="caption">${status} <code>${mediaType}</code></p>`;
  const note = description !== 'OK' && html` <span class="soft">${description}</span>`;
  const sample =
    answer.example !== undefined &&
    html`<pre class="answer" tabindex="0">${JSON.stringify(answer.example, null, 2)}</pre>`;
  return html`<div class="sample"><p class="caption">${status} ${answerText(answer.schema)}${note}</p>${sample}</div>`;
}

/** The type of an answer: for a page of a list, the type of its records; empty for a type without a name. */
function answerText(schema: ReferenceSchema): Html | null {
  const list = Object.values(schema.properties ?? {}).find(({ items }) => items?.$ref !== undefined);
  if (list !== undefined) return html`page with a ${typeText(list)}`;
  return (schema.$ref ?? schema.items ?? schema.anyOf) ? typeText(schema) : null;
}

function refusalsPart(refusals: SplitAnswers[1]): Html {
  const rows = refusals.map(([status, { description }]) => {
    const linked = markMatches(
      description,
      /(?<=^|; |: )(\d+)(?= )/,
      (code) => html`<a href="/_sandbox/errors#${code}">${code}</a>`,
    );
    return html`<dt>${status}</dt><dd>${linked}</dd>`;
  });
  return html`<details class="refusals"><summary>Errors</summary><dl>${joinHtml(rows)}</dl></details>`;
}
