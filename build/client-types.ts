import type { $ZodType, $ZodTypes } from 'zod/v4/core';

import * as charges from '../src/resources/charges/schema.js';
import { FOREIGN } from '../src/client/spelling.js';
import * as journal from '../src/control/journal/entry-schema.js';
import * as reconcile from '../src/control/reconcile/schema.js';
import * as holds from '../src/control/scenario/hold-schema.js';
import * as scenario from '../src/control/scenario/schema.js';
import { ACTION_NAMES } from '../src/control/scenario/simulate.js';
import * as world from '../src/control/schema.js';
import * as snapshots from '../src/control/snapshots/schema.js';
import * as webhooks from '../src/control/webhooks/schema.js';
import { PLAIN_FAULTS } from '../src/scenarios/file/fault.js';
import { innerOf, metaAt, unwrapped } from '../src/http/fields/issues.js';
import { OUTCOME_NAMES } from '../src/outcomes/outcomes.js';
import { TOPIC_OF_EVENT } from '../src/records/webhook-subscription.js';

/**
 * Writes out the types that the sources derive from schemas and tables. The package contains neither zod nor the schemas, and
 * editors show the descriptions of fields from the types.
 */

const SCHEMAS = {
  ...charges,
  ...journal,
  ...holds,
  ...scenario,
  ...world,
  ...reconcile,
  ...snapshots,
  ...webhooks,
};

/** The types that are keys or items of a table. */
const WORDS: Readonly<Record<string, string>> = {
  NamedOutcome: union(OUTCOME_NAMES),
  Fault: `${union(PLAIN_FAULTS)} | \`status=\${number}\``,
  WebhookEvent: union(Object.keys(TOPIC_OF_EVENT)),
  SimulatedAction: union(ACTION_NAMES),
};

/** A derived type: `ClientAnswer<Schema>`, `ClientAnswer<Schema, { some: Exact }>` or `AsSent<Schema>`. */
const DERIVED = /export type (\w+) = (ClientAnswer|AsSent)<\s*(\w+)(?:,\s*\{([^]*?)\})?\s*>;/g;
const ALIAS = /export type (\w+) = [^;{]+;/g;
const IMPORT = /import type \{([^}]*)\} from '[^']*';\n/g;

/** A declaration file with its derived types written out. */
export function writtenOut(declarations: string): string {
  const text = declarations
    .replaceAll(DERIVED, (_, name: string, kind: string, schema: string, exact = '') => {
      const printer = new Printer(kind === 'ClientAnswer' ? camelCase : (field) => field);
      return `export interface ${name} ${printer.object(schemaOf(schema), 0, exactTypes(exact as string))}`;
    })
    .replaceAll(ALIAS, (whole, name: string) => {
      const words = WORDS[name];
      return words === undefined ? whole : `export type ${name} = ${words};`;
    });
  return withoutUnused(text);
}

function schemaOf(name: string): $ZodType {
  const found = (SCHEMAS as Readonly<Record<string, unknown>>)[name];
  if (found === undefined) throw new Error(`Failed to write out a type: there is no schema ${name}.`);
  return found as $ZodType;
}

/** The types that the source gives for some fields. */
function exactTypes(text: string): ReadonlyMap<string, string> {
  const fields = text.split(';').map((field) => field.trim().split(/:\s+/));
  return new Map(fields.map(([name = '', type = '']) => [name, type]));
}

/** Removes imports that are no longer used. */
function withoutUnused(text: string): string {
  const body = text.replaceAll(IMPORT, '');
  return text.replaceAll(IMPORT, (whole, names: string) => {
    const all = names.split(',').map((name) => name.trim());
    const used = all.filter((name) => new RegExp(String.raw`\b${name}\b`).test(body));
    return used.length === 0 ? '' : whole.replace(/\{[^}]*\}/, `{ ${used.join(', ')} }`);
  });
}

const NOTHING: ReadonlyMap<string, string> = new Map();

const camelCase = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function union(words: readonly unknown[]): string {
  return words.map((word) => (typeof word === 'string' ? `'${word}'` : String(word))).join(' | ');
}

/** Prints the outputs of schemas as TypeScript, with the descriptions of fields. */
class Printer {
  constructor(private readonly rename: (name: string) => string) {}

  /** An object. The types in `exact` replace those of the schemas. */
  object(schema: $ZodType, depth: number, exact = NOTHING): string {
    const { def } = unwrapped(schema)._zod as $ZodTypes['_zod'];
    if (def.type !== 'object')
      throw new Error(`Failed to write out a type: it must be an object, but is ${def.type}.`);
    const indent = '    '.repeat(depth + 1);
    const lines = Object.entries(def.shape).flatMap(([sent, field]) => {
      const name = this.rename(sent);
      const { description } = metaAt(field, []);
      const isForeign = (FOREIGN as readonly string[]).includes(sent);
      const printer = isForeign ? new Printer((inner) => inner) : this;
      const type = exact.get(name) ?? printer.type(field, depth + 1);
      const isOptional = (field._zod as $ZodTypes['_zod']).def.type === 'optional';
      return [
        ...(description === undefined ? [] : [`${indent}/** ${description} */`]),
        `${indent}readonly ${name}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};`,
      ];
    });
    return ['{', ...lines, `${'    '.repeat(depth)}}`].join('\n');
  }

  type(schema: $ZodType, depth: number): string {
    const { def } = schema._zod as $ZodTypes['_zod'];
    switch (def.type) {
      case 'nullable':
        return `${this.type(def.innerType, depth)} | null`;
      case 'array': {
        const item = this.type(def.element, depth);
        return `readonly ${item.includes(' | ') && !item.startsWith('{') ? `(${item})` : item}[]`;
      }
      case 'record':
        return `Readonly<Record<string, ${this.type(def.valueType, depth)}>>`;
      case 'union':
        return def.options.map((option) => this.type(option, depth)).join(' | ');
      case 'enum':
        return union(Object.values(def.entries));
      case 'literal':
        return union(def.values);
      case 'object':
        return this.object(schema, depth);
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'unknown':
        return def.type;
      default: {
        const inner = innerOf(schema);
        if (inner === undefined)
          throw new Error(`Failed to write out a type: unknown kind of schema ${def.type}.`);
        return this.type(inner, depth);
      }
    }
  }
}
