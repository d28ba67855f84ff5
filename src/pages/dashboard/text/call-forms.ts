import type { RepeatableCall, FullCall } from '../state/wire.js';
import { quoteShellWord } from '../../shell-quote.js';
import { faultPerformed } from './faults.js';
import { nounOf } from './why.js';

/** The forms in which a call can be copied. */
export interface CallForm {
  readonly name: string;
  readonly text: string;
}

/** A call in all its forms. `outcome` is what answered it; empty if that is not known. Commands read the key from the environment. */
export function listCallForms(
  call: FullCall,
  request: RepeatableCall,
  origin: string,
  outcome: string,
): CallForm[] {
  const rule = buildRepeatRule(call, outcome);
  const scenario = rule === null ? null : formatRuleScenario(rule);
  return [
    { name: 'curl', text: formatCurl(request, origin) },
    { name: 'fetch', text: formatFetch(request, origin) },
    { name: 'test', text: formatTest(call, request, scenario) },
    ...(scenario === null ? [] : [{ name: 'rule', text: scenario }]),
  ];
}

export function formatCurl(request: RepeatableCall, origin: string): string {
  const { Method, Headers, Body } = request;
  const method = Method === (Body === null ? 'GET' : 'POST') ? '' : ` -X ${Method}`;
  const headers = Object.entries(Headers).map(([name, value]) => `-H ${quoteShellWord(`${name}: ${value}`)}`);
  const data = Body === null ? [] : [`-d ${insertVariables(quoteShellWord(formatBody(Body)), `'"$$$1"'`)}`];
  const url = insertVariables(quoteShellWord(origin + encodeTarget(request)), `'"$$$1"'`);
  const parts = [`curl -s${method} ${url}`, '-H "x-secretkey: $PLAYMONEY_KEY"', ...headers, ...data];
  return parts.join(' \\\n  ');
}

function formatFetch(request: RepeatableCall, origin: string): string {
  const url = quoteTarget(request, origin);
  const init = formatInit(request, [`'x-secretkey': process.env.PLAYMONEY_KEY`]);
  return `const response = await fetch(${url}, ${init});`;
}

/** A test that gets the same status in a world of its own, where a scenario takes the place of whatever decided. */
function formatTest(call: FullCall, request: RepeatableCall, scenario: string | null): string {
  const send = `sandbox.fetch(${quoteTarget(request)}, ${indentLines(formatInit(request))})`;
  const [answer, lines] =
    call.Status === 0
      ? ['nothing', [`  await expect(${send}).rejects.toThrow();`]]
      : [
          call.Status,
          [`  const response = await ${send};`, `  expect(response.status).toBe(${call.Status});`],
        ];
  const title = quoteSingle(`${formatCallTitle(call)} is answered with ${answer}`);
  return [
    formatImport('test', 'playmoney/vitest'),
    formatImport('expect', 'vitest'),
    '',
    `test(${title}, async ({ sandbox }) => {`,
    ...(scenario === null
      ? []
      : [`  await sandbox.scenario.use({ yaml: ${indentLines(JSON.stringify(scenario))} });`]),
    ...lines,
    '});',
  ].join('\n');
}

function formatImport(name: string, module: string): string {
  return `import { ${name} } from ${quoteSingle(module)};`;
}

/** The second argument of `fetch`. */
function formatInit({ Method, Headers, Body }: RepeatableCall, moreHeaders: readonly string[] = []): string {
  const headers = Object.entries(Headers).map(
    ([name, value]) => `${quoteSingle(name)}: ${quoteSingle(value)}`,
  );
  const lines = [
    `method: ${quoteSingle(Method)},`,
    `headers: { ${[...moreHeaders, ...headers].join(', ')} },`,
    ...(Body === null
      ? []
      : [
          `body: JSON.stringify(${insertVariables(formatBody(Body).replaceAll(QUOTED_VARIABLE, 'process.env.$1'), '" + process.env.$1 + "')}),`,
        ]),
  ];
  return `{\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
}

/** The mask of the journal, but not that of a number. A variable stands for it, such as `<<WEBHOOK_AUTHORIZATION>>`, also within a text. */
const MASK = /(?<![\d*])\*{3}(?![\d*])/g;
const VARIABLE = /<<(\w+)>>/g;
const QUOTED_VARIABLE = /"<<(\w+)>>"/g;

function formatBody(body: unknown): string {
  return JSON.stringify(replaceMasks(body, []));
}

/** Puts a variable in the place of each mask, named for the path of its field. */
function replaceMasks(value: unknown, path: readonly string[]): unknown {
  if (typeof value === 'string') return value.replaceAll(MASK, nameVariable(path));
  if (Array.isArray(value))
    return value.map((item: unknown, index) => replaceMasks(item, [...path, String(index)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceMasks(inner, [...path, name])]),
  );
}

function nameVariable(path: readonly string[]): string {
  const words = path.join('_').replaceAll(/(?<=[a-z])(?=[A-Z])|\W/g, '_');
  return `<<${words.toUpperCase()}>>`;
}

const insertVariables = (quoted: string, form: string): string => quoted.replaceAll(VARIABLE, form);

function quoteTarget(request: RepeatableCall, origin = ''): string {
  const quoted = insertVariables(quoteSingle(origin + encodeTarget(request)), "' + process.env.$1 + '");
  return quoted.replace(/ \+ ''$/, '');
}

function indentLines(text: string): string {
  return text.replaceAll('\n', '\n  ');
}

function quoteSingle(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

/** Path and query. The journal stores the path decoded. */
function encodeTarget({ Path, Query }: RepeatableCall): string {
  const path = Path.replaceAll(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
  const query = Query.replaceAll(
    /(?<=^|&)([^=&]+)=\*{3}(?=&|$)/g,
    (_, name: string) => `${name}=${nameVariable([name])}`,
  );
  return query === '' ? path : `${path}?${query}`;
}

/** A rule of a scenario that has the effect of a call. */
interface RepeatRule {
  readonly name: string;
  readonly when: Readonly<Record<string, string>>;
  readonly effect: Readonly<Record<string, string>>;
}

/** The rule for a call that an outcome answered; null if the call had no effect that a rule can have, such as a mistake of the caller. */
function buildRepeatRule(call: FullCall, outcome: string): RepeatRule | null {
  const { Operation: operation, Reference: reference } = call;
  if (operation === null) return null;
  const fault = findFault(call);
  if (fault === null && (outcome === '' || outcome === 'approve')) return null;
  return {
    name: formatCallTitle(call),
    when: { operation, ...(reference === null ? {} : { reference }) },
    effect: fault === null ? { outcome } : { fault },
  };
}

/** The fault of a call. One that got no answer for another reason is repeated as `empty`. */
function findFault(call: FullCall): string | null {
  if (call.Fault !== null) return faultPerformed(call);
  return call.Status === 0 ? 'empty' : null;
}

/** A call in a few words, such as `charge of order-1`. */
function formatCallTitle({ Operation, Reference }: FullCall): string {
  return `${nounOf(Operation ?? 'call')}${Reference === null ? '' : ` of ${Reference}`}`;
}

/** A scenario that has this rule alone. */
function formatRuleScenario({ name, when, effect }: RepeatRule): string {
  return `name: ${formatYamlText(name)}
rules:
  - name: ${formatYamlText(name)}
    when: ${formatYamlFields(when)}
    then: ${formatYamlFields(effect)}
`;
}

function formatYamlFields(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([field, value]) => `${field}: ${formatYamlText(value)}`);
  return `{ ${pairs.join(', ')} }`;
}

/** A text in YAML, quoted unless it is a plain word. */
function formatYamlText(text: string): string {
  return /^[a-z][\w.=-]*(?: [a-z][\w.-]*)*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
