import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { MUTANTS } from './seeded-bugs/list.js';

const ROOT = join(import.meta.dirname, '..');

/** The layers, lowest first: each may import those above it in this list, and itself. */
const LAYERS: [layer: string, because: string][] = [
  ['browser', 'it runs in pages, which know the wire alone'],
  ['core', 'it knows no resource and no HTTP, and is read and tested alone'],
  ['record', 'what may follow what is pure data and rules, and depends on nothing that changes'],
  ['outcomes', 'a fake provider answers a question about a charge and knows of no world, service or wire'],
  ['scenarios', 'a script is asked about a call and says what shall happen; it does none of it'],
  ['journal', 'a record of exchanges is kept without knowing what they were about'],
  ['webhooks', 'what is told to receivers, and when again, is the same whatever it is about'],
  ['world', 'a world holds state and is given its job handlers, so it need not know who serves it'],
  ['service', 'an operation reads the same whether it came by HTTP, from a batch or from a test'],
  ['members', 'shared members of schemas are shapes and know no request'],
  ['schema', 'OpenAPI is made from schemas without an app'],
  ['presenter', 'what goes out is built member by member from a record alone'],
  ['http', 'reading and answering HTTP is the same for every resource'],
  ['routes', 'a route binds schema, service and presenter, and can be mounted anywhere'],
  ['control', "the sandbox's own calls use the service's pieces; the service must work without them"],
  ['dashboard', 'it runs in a page as well, and knows the types of answers alone'],
  ['client', 'a world is reached by fetch alone, so that within the process and over HTTP it is the same'],
  ['app', 'it mounts every slice and holds no state'],
  ['sandbox', 'it routes keys to worlds wherever Request and Response exist'],
  ['openapi', 'the description is made beside the program, of which it plays every call'],
  ['node', 'nothing needs Node but the program, and what the package exports for Node'],
  ['index', 'it is the outside: what the package exports'],
  ['testing', 'what runners are given is made of what the package exports'],
];

/** The slices, each with those that it may import. */
const SLICES: [slice: string, below: string[], because: string][] = [
  ['providers', [], 'a provider is asked by all others, and asks nobody'],
  ['vault', [], 'an entry is a card number and no more'],
  [
    'tokens',
    ['providers', 'vault'],
    'a token stands for a card or an agreement, and knows no customer or charge',
  ],
  ['three-d-secure', ['tokens'], 'an authentication is of a card or a token, and knows no charge'],
  [
    'payment-methods',
    ['providers', 'tokens', 'vault'],
    'a method is made from a token or an entry, and charged by others',
  ],
  [
    'customers',
    ['payment-methods', 'tokens', 'vault'],
    'a customer holds methods, and is charged through them',
  ],
  [
    'charges',
    ['payment-methods', 'providers', 'three-d-secure', 'tokens', 'vault'],
    'a charge is paid by a card, a token or a method',
  ],
  ['batches', ['charges', 'payment-methods', 'tokens', 'vault'], 'a batch is many charges'],
  ['webhook-subscriptions', [], 'a subscription is an address, and the topics that it is told of'],
  [
    'subscriptions',
    ['charges', 'payment-methods', 'providers', 'tokens', 'vault'],
    'a subscription is charges that time makes, of one payment method',
  ],
  ['payment-links', ['charges', 'providers'], 'a link asks for a charge of whatever card its payer has'],
  ['transfers', ['charges'], 'a transfer is a part of a charge'],
  ['settlements', ['charges'], 'a settlement follows from a charge, and is stored nowhere'],
];

/** Files that may be longer than 250 lines. */
const LONG_FILES: Record<string, string> = {
  'src/core/errors.ts': 'the table of codes',
  'src/outcomes/magic.ts': 'the table of published cards',
};
const LINES_MAX = 250;
/** The rows and the fields of a slice are tables. */
const TABLES = /^src\/[^/]+\/(?:routes|schema)\.ts$/;
const TABLE_LINES_MAX = 400;

interface Source {
  readonly path: string;
  /** Without comments. */
  readonly code: string;
  readonly lines: number;
  readonly imports: readonly Import[];
}

interface Import {
  /** A package by its name, a file by its path from the root. */
  readonly name: string;
  /** `import type …`: gone at run time. */
  readonly isType: boolean;
  /** `import(…)`: loaded when it is first needed. */
  readonly isLazy: boolean;
}

const SOURCES = ['src', 'test', 'bench'].flatMap(readSources);
const SRC = SOURCES.filter((source) => source.path.startsWith('src/'));
/** What runs in a browser of its own has that browser's time; the process of the tests is their runner's, as that of the program is node's. */
const OUTSIDE_NODE = SRC.filter(({ path }) => !/^src\/(?:node|dashboard|testing)\//.test(path));

function readSources(folder: string): Source[] {
  if (!existsSync(join(ROOT, folder))) return [];
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => readSource(join(folder, name)));
}

function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const code = text.replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*$/gm, '');
  const statements = code.matchAll(/\b(import type\b)?[^;']*(?:\bfrom|\bimport)\s*(\()?'([^']+)'/g);
  const imports = [...statements].map(([, type, call, name = '']) => ({
    name: name.startsWith('.') ? join(dirname(path), name).replace(/\.js$/, '.ts') : name,
    isType: type !== undefined,
    isLazy: call !== undefined,
  }));
  return { path, code, lines: text.split('\n').length - 1, imports };
}

function sliceOf(path: string): string | undefined {
  return SLICES.find(([slice]) => path.startsWith(`src/${slice}/`))?.[0];
}

/** Files whose folder does not tell their layer. */
const LAYER_OF_FILE: [path: RegExp, layer: string][] = [
  [/^src\/(jobs|sections|events)\.ts$/, 'app'],
  [/^src\/records\.ts$/, 'world'],
  [/^src\/world-settings\.ts$/, 'world'],
  [/^src\/snapshot\.ts$/, 'service'],
  [/^src\/version\.ts$/, 'core'],
  [/^src\/version-routes\.ts$/, 'routes'],
  [/^src\/seeding\//, 'service'],
  [/^src\/worlds\.ts$/, 'world'],
  [/^src\/direct-(?:request|response)\.ts$/, 'sandbox'],
  [/^src\/(public|clock-options|node-sandbox)\.ts$/, 'index'],
  [
    /^src\/http\/(answers|field|fields|card-fields|list-fields|sent-fields|source-fields|webhook-fields|web-fields|json|json-cursor|json-fault|json-string|summaries|utf8)\.ts$/,
    'members',
  ],
];

function layerOf(path: string): string {
  const [, room = '', file = ''] = path.replace(/\.tsx?$/, '').split('/');
  if (sliceOf(path) === undefined) return LAYER_OF_FILE.find(([files]) => files.test(path))?.[1] ?? room;
  // search-schema.ts is a schema too; what is named otherwise does the service's work.
  return /(?:^|-)(schema|record|presenter|routes)$/.exec(file)?.[1] ?? 'service';
}

function rankOf(path: string): number {
  return LAYERS.findIndex(([layer]) => layer === layerOf(path));
}

/** "path: what" of every import that is against a rule. */
function importsAgainst(
  sources: readonly Source[],
  isBarred: (imported: Import, from: Source) => boolean,
): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((imported) => isBarred(imported, source))
      .map(({ name }) => `${source.path}: ${name}`),
  );
}

/** "path: what" of every match in the code. */
function matchesOf(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap((source) =>
    [...source.code.matchAll(pattern)].map(([found]) => `${source.path}: ${found.trim()}`),
  );
}

describe('layers', () => {
  test.each(LAYERS)('%s imports nothing above itself, because %s', (layer) => {
    const sources = SRC.filter(({ path }) => layerOf(path) === layer);
    const rank = LAYERS.findIndex(([name]) => name === layer);
    expect(importsAgainst(sources, ({ name }) => name.startsWith('src/') && rankOf(name) > rank)).toEqual([]);
  });

  test('every source is in a layer, because no rule applies to a file without one', () => {
    expect(SRC.filter(({ path }) => rankOf(path) === -1).map(({ path }) => path)).toEqual([]);
  });
});

describe('pages', () => {
  const PAGES: [folder: string, packages: RegExp, because: string][] = [
    ['src/browser/', /^$/, 'a page loads one small script'],
    ['src/dashboard/', /^hono\/jsx\/dom$/, 'its script is bounded too'],
  ];

  test.each(PAGES)(
    'nothing imports from %s, because it is bundled separately and served as text',
    (folder) => {
      const outside = SRC.filter(({ path }) => !path.startsWith(folder));
      expect(importsAgainst(outside, ({ name }) => name.startsWith(folder))).toEqual([]);
    },
  );

  test.each(PAGES)('%s imports no package but %s, because %s', (folder, packages) => {
    const inside = SRC.filter(({ path }) => path.startsWith(folder));
    const isAnswer = ({ name, isType }: Import): boolean =>
      isType && folder === 'src/dashboard/' && /^src\/control\/(?:.*\/)?(?:schema|live)\.ts$/.test(name);
    const barred = (imported: Import): boolean =>
      !imported.name.startsWith(folder) && !packages.test(imported.name) && !isAnswer(imported);
    expect(importsAgainst(inside, barred)).toEqual([]);
  });
});

describe('the client', () => {
  test('imports types of the rest alone, because it speaks to a sandbox that may run elsewhere', () => {
    const inside = SRC.filter(({ path }) => path.startsWith('src/client/'));
    const barred = importsAgainst(inside, ({ name, isType }) => !isType && !name.startsWith('src/client/'));
    expect(barred).toEqual([]);
  });

  test('is imported by the package alone, because the sandbox must work without it', () => {
    const below = SRC.filter(
      ({ path }) => !/^src\/(?:client|testing)\/|^src\/(?:index|node-sandbox|public)\.ts$/.test(path),
    );
    expect(importsAgainst(below, ({ name }) => name.startsWith('src/client/'))).toEqual([]);
  });
});

describe('the description', () => {
  test('nothing of the program imports what makes it, because it is made once and handed out as text', () => {
    const program = SRC.filter(({ path }) => !path.startsWith('src/openapi/'));
    expect(importsAgainst(program, ({ name }) => name.startsWith('src/openapi/'))).toEqual([]);
  });
});

describe('slices', () => {
  // The type of another slice's record may be named anywhere: it binds nothing at run time.
  test.each(SLICES)('%s imports no slice but %j, because %s', (slice, below) => {
    const sources = SRC.filter(({ path }) => sliceOf(path) === slice);
    const barred = importsAgainst(sources, ({ name, isType }) => {
      const other = sliceOf(name) ?? slice;
      return other !== slice && !below.includes(other) && !(isType && layerOf(name) === 'record');
    });
    expect(barred).toEqual([]);
  });

  test.each(SLICES)('%s has the files of every slice, because who knows one knows all', (slice) => {
    const files = SRC.filter(({ path }) => sliceOf(path) === slice).map(({ path }) => path.split('/')[2]);
    expect(files).toEqual(expect.arrayContaining(['record.ts', 'service.ts']));
    expect(files.includes('schema.ts') || !files.includes('routes.ts')).toBe(true);
  });
});

/** The modules of which each is imported, in the end, by itself. */
function circlesIn(sources: readonly Source[]): string[] {
  const importsOf = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ isType }) => !isType).map(({ name }) => name),
    ]),
  );
  for (let before = 0; before !== importsOf.size;) {
    before = importsOf.size;
    const imported = new Set([...importsOf.values()].flat());
    for (const [path, names] of importsOf) {
      // Where nothing leads on, or nothing leads to it, no circle goes through it.
      if (!imported.has(path) || !names.some((name) => importsOf.has(name))) importsOf.delete(path);
    }
  }
  return [...importsOf.keys()];
}

describe('modules', () => {
  test('never import each other in a circle, not even lazily, because then none can be read alone', () => {
    expect(circlesIn(SRC)).toEqual([]);
  });

  const LAZY: [module: RegExp, because: string][] = [
    [/^yaml$|^src\/scenarios\/(schema|definition|people)\.ts$/, 'most starts play no scenario'],
    [/^src\/control\/snapshots\/state-(read|write)\.ts$/, 'they need the schema of scenarios'],
    [/^src\/control\/pages\/(assets|reference-page)\.ts$/, 'they are long texts, which people ask for'],
    [/^src\/node\/state\/kept-worlds\.ts$/, 'few servers keep their worlds'],
    [/^src\/node\/tls\/secure\.ts$|^node:https$/, 'few speak TLS'],
    [/^src\/node\/webhooks\/deliverer\.ts$/, 'most tests have no receiver'],
    [/^src\/node\/cli\/run-verb\.ts$/, 'most of these verbs start no server'],
    [/^node:child_process$/, 'few servers run a command'],
    [/^src\/node\/http\/serve\.ts$/, 'most tests within a process serve nothing'],
  ];

  test.each(LAZY)('%s may be imported lazily, because %s', (module) => {
    const lazy = SRC.flatMap(({ imports }) => imports.filter(({ isLazy }) => isLazy));
    expect(lazy.filter(({ name }) => module.test(name))).not.toEqual([]);
  });

  test('are imported lazily where that is listed alone, because it costs an await', () => {
    const isBarred = ({ name, isLazy }: Import): boolean =>
      isLazy && !LAZY.some(([module]) => module.test(name));
    expect(importsAgainst(SRC, isBarred)).toEqual([]);
  });
});

describe('packages', () => {
  const PACKAGES: [name: RegExp, layers: string[], because: string][] = [
    [/^node:/, ['node', 'testing'], 'the rest runs wherever Request and Response exist'],
    [/^@hono\/node-server/, ['node'], 'it is an adapter to Node'],
    [
      /^(hono$|hono\/|@hono\/)/,
      ['dashboard', 'http', 'routes', 'control', 'app', 'sandbox', 'node'],
      'only the edge knows HTTP, and only the dashboard is drawn',
    ],
    [/^zod-openapi/, ['openapi'], 'no program that somebody runs makes the description'],
    [/^@faker-js/, ['scenarios'], 'people are made up in one place, from a seed'],
    [
      /^zod(?!-openapi)/,
      ['members', 'schema', 'scenarios', 'http', 'routes', 'control', 'openapi'],
      'input is checked once, at the edge',
    ],
  ];

  test.each(PACKAGES)('%s is imported by %j alone, because %s', (name, layers) => {
    const others = SRC.filter(({ path }) => !layers.includes(layerOf(path)));
    expect(importsAgainst(others, (imported) => name.test(imported.name))).toEqual([]);
  });
});

describe('determinism', () => {
  test('no time comes from outside, because the same seed and requests give the same bytes', () => {
    const pattern = /\bDate\.now\b|\bnew Date(?:\(\s*\)|(?![\w(]))|(?<!new )\bDate\(|\bperformance\.now\b/g;
    expect(matchesOf(OUTSIDE_NODE, pattern)).toEqual([]);
  });

  test('no chance comes from outside, because every draw is made from the seed', () => {
    expect(
      matchesOf(OUTSIDE_NODE, /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b|\brandomBytes\b/g),
    ).toEqual([]);
  });

  test('no timer is started, because a host passes time in', () => {
    expect(matchesOf(OUTSIDE_NODE, /\b(?:setTimeout|setInterval|setImmediate)\(|\bprocess\./g)).toEqual([]);
  });

  test('no module holds state, because two worlds share nothing', () => {
    expect(matchesOf(OUTSIDE_NODE, /^(?:export )?(?:let|var) .*/gm)).toEqual([]);
  });

  test('no service waits, because a request that runs to completion is atomic without locks', () => {
    const services = SRC.filter(({ path }) => path.endsWith('/service.ts'));
    expect(matchesOf(services, /.*\b(?:async|await)\b.*/g)).toEqual([]);
  });
});

describe('legibility', () => {
  test('no type is any, because then nothing after it is checked', () => {
    const pattern = /(?:[:<,|]|\bas)\s*any\s*[;,)>[\]|&={}]|@ts-(?:ignore|nocheck)\b/g;
    expect(matchesOf(SOURCES, pattern)).toEqual([]);
  });

  test(`no file is above ${LINES_MAX} lines unless it is a table, because a file is read in one go`, () => {
    const long = SOURCES.filter(
      ({ path, lines }) =>
        lines > (TABLES.test(path) ? TABLE_LINES_MAX : LINES_MAX) && !path.startsWith('test/'),
    );
    expect(
      long.filter(({ path }) => !(path in LONG_FILES)).map(({ path, lines }) => `${path}: ${lines}`),
    ).toEqual([]);
    const excused = new Set(long.map(({ path }) => path));
    expect(Object.keys(LONG_FILES).filter((path) => !excused.has(path))).toEqual([]);
  });
});

describe('what is printed', () => {
  const outside = SRC.filter(({ path }) => !/^src\/(?:browser\/|node\/cli\/terminal\.ts$)/.test(path));

  test('goes through one function, because names and messages that others wrote could control the terminal', () => {
    const pattern = /(?<!\bprint\()\bprocess\.std(?:out|err)\b(?!\.isTTY)|\bconsole\.\w+/g;
    // Runners show it with the failure, as `callsOf` has made it.
    expect(matchesOf(outside, pattern)).toEqual(['src/testing/failure.ts: console.error']);
  });

  test('is made printable in one file, because a cast elsewhere would print it as it came', () => {
    expect(matchesOf(outside, /.*\bas (?:unknown as )?Printable\b.*/g)).toEqual([]);
  });
});

describe('seeded bugs', () => {
  test('each replaces a text that stands in its file exactly once, and names tests that exist', () => {
    const stale = MUTANTS.filter(({ file, find, killedBy }) => {
      const path = join(ROOT, file);
      const times = existsSync(path) ? readFileSync(path, 'utf8').split(find).length - 1 : 0;
      return times !== 1 || killedBy.some((name) => !existsSync(join(ROOT, name)));
    });
    expect(stale.map(({ name, file }) => `${name}: ${file}`)).toEqual([]);
  });
});
