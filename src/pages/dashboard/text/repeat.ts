import type { RepeatableCall, FullCall } from '../state/wire.js';
import { quoteShellWord } from '../../shell-quote.js';
import { faultPerformed, nounOf } from './why.js';

/** The forms in which a call can be copied. */
export interface CallForm {
  readonly name: string;
  readonly text: string;
}

/** A call in all its forms. `outcome` is what answered it; empty if that is not known. Commands read the key from the environment. */
export function listCallForms(
  call: FullCall,
  again: RepeatableCall,
  origin: string,
  outcome: string,
): CallForm[] {
  const rule = buildRepeatRule(call, outcome);
  return [
    { name: 'curl', text: formatCurl(again, origin) },
    { name: 'fetch', text: formatFetch(again, origin) },
    { name: 'test', text: formatTest(call, again, rule) },
    ...(rule === null ? [] : [{ name: 'rule', text: scenarioYaml(rule) }]),
  ];
}

export function formatCurl({ Method, Path, Query, Headers, Body }: RepeatableCall, origin: string): string {
  const verb = Method === (Body === null ? 'GET' : 'POST') ? '' : ` -X ${Method}`;
  const headers = Object.entries(Headers).map(([name, value]) => `-H ${quoteShellWord(`${name}: ${value}`)}`);
  const data = Body === null ? [] : [`-d ${quoteShellWord(bodyJson(Body)).replaceAll(VARIABLE, `'"$$$1"'`)}`];
  const address = quoteShellWord(origin + encodeTarget(Path, Query));
  return [`curl -s${verb} ${address}`, '-H "x-secretkey: $PLAYMONEY_KEY"', ...headers, ...data].join(
    ' \\\n  ',
  );
}

function formatFetch(again: RepeatableCall, origin: string): string {
  const key = `'x-secretkey': process.env.PLAYMONEY_KEY`;
  return `const response = await fetch(${quoteSingle(origin + encodeTarget(again.Path, again.Query))}, ${formatInit(again, key)});`;
}

/** A test that gets the same status in a world of its own, where a rule takes the place of whatever decided. */
function formatTest(call: FullCall, again: RepeatableCall, rule: RepeatRule | null): string {
  const what = `${nounOf(call.Operation ?? 'call')}${call.Reference === null ? '' : ` of ${call.Reference}`}`;
  const use =
    rule === null
      ? []
      : [`  await sandbox.scenario.use({ yaml: ${indentLines(JSON.stringify(scenarioYaml(rule)))} });`];
  const send = `sandbox.fetch(${quoteSingle(encodeTarget(again.Path, again.Query))}, ${indentLines(formatInit(again))})`;
  const end =
    call.Status === 0
      ? [`  await expect(${send}).rejects.toThrow();`]
      : [`  const response = await ${send};`, `  expect(response.status).toBe(${call.Status});`];
  return [
    formatImport('test', 'playmoney/vitest'),
    formatImport('expect', 'vitest'),
    '',
    `test(${quoteSingle(`${what} is answered with ${call.Status === 0 ? 'nothing' : call.Status}`)}, async ({ sandbox }) => {`,
    ...use,
    ...end,
    '});',
  ].join('\n');
}

const formatImport = (name: string, module: string): string =>
  `import { ${name} } from ${quoteSingle(module)};`;

interface RepeatRule {
  readonly name: string;
  readonly when: Readonly<Record<string, string>>;
  readonly effect: Readonly<Record<string, string>>;
}

/** A rule that has the effect of a call; null if the call had none that a rule can have, such as a mistake of the caller. */
function buildRepeatRule(call: FullCall, outcome: string): RepeatRule | null {
  const { Operation, Reference, Status } = call;
  if (Operation === null) return null;
  const fault = call.Fault === null ? (Status === 0 ? 'empty' : null) : faultPerformed(call);
  if (fault === null && (outcome === '' || outcome === 'approve')) return null;
  const about = Reference === null ? '' : ` of ${Reference}`;
  return {
    name: `${nounOf(Operation)}${about}`,
    when: { operation: Operation, ...(Reference === null ? {} : { reference: Reference }) },
    effect: fault === null ? { outcome } : { fault },
  };
}

function scenarioYaml({ name, when, effect }: RepeatRule): string {
  const fields = (of: RepeatRule['when']): string =>
    Object.entries(of)
      .map(([field, value]) => `${field}: ${formatYamlText(value)}`)
      .join(', ');
  return `name: ${formatYamlText(name)}
rules:
  - name: ${formatYamlText(name)}
    when: { ${fields(when)} }
    then: { ${fields(effect)} }
`;
}

/** A text in YAML, quoted unless it is a plain word. */
function formatYamlText(text: string): string {
  return /^[a-z][\w.=-]*(?: [a-z][\w.-]*)*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

function formatInit({ Method, Headers, Body }: RepeatableCall, key = ''): string {
  const headers = [
    key,
    ...Object.entries(Headers).map(([name, value]) => `${quoteSingle(name)}: ${quoteSingle(value)}`),
  ];
  const lines = [
    `method: ${quoteSingle(Method)},`,
    `headers: { ${headers.filter((one) => one !== '').join(', ')} },`,
    ...(Body === null
      ? []
      : [`body: JSON.stringify(${bodyJson(Body).replaceAll(QUOTED_VARIABLE, 'process.env.$1')}),`]),
  ];
  return `{\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
}

/** The mask of the journal, and the variable that the copied text has in its place. */
const MASK = '***';
const VARIABLE = /<<(\w+)>>/g;
const QUOTED_VARIABLE = /"<<(\w+)>>"/g;

function bodyJson(body: unknown): string {
  return JSON.stringify(replaceMasks(body, []));
}

/** Puts a variable in the place of each mask, named for its field: `WEBHOOK_AUTHORIZATION`. */
function replaceMasks(value: unknown, path: readonly string[]): unknown {
  if (value === MASK)
    return `<<${path
      .join('_')
      .replaceAll(/(?<=[a-z])(?=[A-Z])|\W/g, '_')
      .toUpperCase()}>>`;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => replaceMasks(item, [...path, String(at)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceMasks(inner, [...path, name])]),
  );
}

const indentLines = (text: string): string => text.replaceAll('\n', '\n  ');

function quoteSingle(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

/** Encodes a path, which the journal stores decoded. */
function encodeTarget(path: string, query: string): string {
  const escaped = path.replaceAll(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
  return query === '' ? escaped : `${escaped}?${query}`;
}
