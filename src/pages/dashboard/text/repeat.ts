import type { Again, Exchange } from '../state/wire.js';
import { shellQuoted } from '../../shell-quote.js';
import { faultPerformed, nounOf } from './why.js';

/** The forms in which a call can be copied. */
export interface Repeat {
  readonly name: string;
  readonly text: string;
}

/** A call in all its forms. `outcome` is what answered it; empty if that is not known. Commands read the key from the environment. */
export function repeatsOf(call: Exchange, again: Again, origin: string, outcome: string): Repeat[] {
  const rule = ruleOf(call, outcome);
  return [
    { name: 'curl', text: curlFor(again, origin) },
    { name: 'fetch', text: fetchFor(again, origin) },
    { name: 'test', text: testFor(call, again, rule) },
    ...(rule === null ? [] : [{ name: 'rule', text: scenarioYaml(rule) }]),
  ];
}

export function curlFor({ Method, Path, Query, Headers, Body }: Again, origin: string): string {
  const verb = Method === (Body === null ? 'GET' : 'POST') ? '' : ` -X ${Method}`;
  const headers = Object.entries(Headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  const data = Body === null ? [] : [`-d ${shellQuoted(bodyJson(Body)).replaceAll(VARIABLE, `'"$$$1"'`)}`];
  const address = shellQuoted(origin + target(Path, Query));
  return [`curl -s${verb} ${address}`, '-H "x-secretkey: $PLAYMONEY_KEY"', ...headers, ...data].join(
    ' \\\n  ',
  );
}

function fetchFor(again: Again, origin: string): string {
  const key = `'x-secretkey': process.env.PLAYMONEY_KEY`;
  return `const response = await fetch(${quoted(origin + target(again.Path, again.Query))}, ${initOf(again, key)});`;
}

/** A test that gets the same status in a world of its own, where a rule takes the place of whatever decided. */
function testFor(call: Exchange, again: Again, rule: Rule | null): string {
  const what = `${nounOf(call.Operation ?? 'call')}${call.Reference === null ? '' : ` of ${call.Reference}`}`;
  const use =
    rule === null
      ? []
      : [`  await sandbox.scenario.use({ yaml: ${indented(JSON.stringify(scenarioYaml(rule)))} });`];
  const send = `sandbox.fetch(${quoted(target(again.Path, again.Query))}, ${indented(initOf(again))})`;
  const end =
    call.Status === 0
      ? [`  await expect(${send}).rejects.toThrow();`]
      : [`  const response = await ${send};`, `  expect(response.status).toBe(${call.Status});`];
  return [
    importOf('test', 'playmoney/vitest'),
    importOf('expect', 'vitest'),
    '',
    `test(${quoted(`${what} is answered with ${call.Status === 0 ? 'nothing' : call.Status}`)}, async ({ sandbox }) => {`,
    ...use,
    ...end,
    '});',
  ].join('\n');
}

const importOf = (name: string, module: string): string => `import { ${name} } from ${quoted(module)};`;

interface Rule {
  readonly name: string;
  readonly when: Readonly<Record<string, string>>;
  readonly effect: Readonly<Record<string, string>>;
}

/** A rule that has the effect of a call; null if the call had none that a rule can have, such as a mistake of the caller. */
function ruleOf(call: Exchange, outcome: string): Rule | null {
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

function scenarioYaml({ name, when, effect }: Rule): string {
  const fields = (of: Rule['when']): string =>
    Object.entries(of)
      .map(([field, value]) => `${field}: ${scalar(value)}`)
      .join(', ');
  return `name: ${scalar(name)}
rules:
  - name: ${scalar(name)}
    when: { ${fields(when)} }
    then: { ${fields(effect)} }
`;
}

/** A text in YAML, quoted unless it is a plain word. */
function scalar(text: string): string {
  return /^[a-z][\w.=-]*(?: [a-z][\w.-]*)*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

function initOf({ Method, Headers, Body }: Again, key = ''): string {
  const headers = [
    key,
    ...Object.entries(Headers).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
  const lines = [
    `method: ${quoted(Method)},`,
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
  return JSON.stringify(withVariables(body, []));
}

/** Puts a variable in the place of each mask, named for its field: `WEBHOOK_AUTHORIZATION`. */
function withVariables(value: unknown, path: readonly string[]): unknown {
  if (value === MASK)
    return `<<${path
      .join('_')
      .replaceAll(/(?<=[a-z])(?=[A-Z])|\W/g, '_')
      .toUpperCase()}>>`;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => withVariables(item, [...path, String(at)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withVariables(inner, [...path, name])]),
  );
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

/** Encodes a path, which the journal stores decoded. */
function target(path: string, query: string): string {
  const escaped = path.replaceAll(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));
  return query === '' ? escaped : `${escaped}?${query}`;
}
