import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { MUTANTS } from './seeded-bugs/list.js';

const ROOT = join(import.meta.dirname, '..');

/**
 * The rooms of `src/`, the lowest first. A file imports from its own room and from the rooms below it, types included. Rooms
 * that stand side by side do not import each other.
 */
const ROOMS: [sideBySide: string[], because: string][] = [
  [['core'], 'money, cards, time and text are rules that every room may use'],
  [['records'], 'what is stored is data, and rules that change nothing'],
  [['outcomes'], 'a fake provider answers a question about a charge, and knows no world and no wire'],
  [['journal', 'scenarios'], 'a call is recorded, and decided, without knowing who serves it'],
  [['webhooks'], 'deliveries and retries are the same whatever they report'],
  [['world'], 'a world holds state; the handlers of its jobs are passed in'],
  [['http'], 'requests are read and answered in the same way for every resource'],
  [['resources'], 'an operation needs a world, and a way to read and answer'],
  [['control'], "the sandbox's own calls look into the service, which works without them"],
  [
    ['client', 'pages'],
    'programs and pages speak HTTP to the sandbox, and know nothing of how it is put together',
  ],
  [['sweep'], 'a sweep runs a program and looks at a world through its handle, in process as over HTTP'],
  [
    ['app'],
    'the app puts the sandbox together: for every runtime, for a program in its process, and for a page',
  ],
  [['openapi', 'node'], 'the description plays every call of the app; Node serves it'],
  [['index'], 'the package exports what the rooms below offer'],
  [['testing'], 'test runners receive what the package exports'],
];

/** The slices in `src/resources/`, each with those that it may import. */
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
  [
    'checkouts',
    ['charges', 'payment-methods', 'providers'],
    'a check-out is charged, or stored as a method, once its payer has approved it',
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
};
const LINES_MAX = 250;
/** The rows and the fields of a slice are tables. */
const TABLES = /^src\/resources\/[^/]+\/(?:routes|schema)\.ts$/;
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
/** A page has the time of its browser; the fixtures run in the process of the test runner. */
const OUTSIDE_NODE = SRC.filter(
  ({ path }) => !/^src\/(?:app\/browser|node|pages\/dashboard|testing)\//.test(path),
);

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
  const statements = code.matchAll(
    /\b((?:import|export) type\b)?[^;']*(?:\bfrom|\bimport)\s*(\()?'([^']+)'/g,
  );
  const imports = [...statements].map(([, type, call, name = '']) => ({
    name: name.startsWith('.') ? join(dirname(path), name).replace(/\.js$/, '.ts') : name,
    isType: type !== undefined,
    isLazy: call !== undefined,
  }));
  return { path, code, lines: text.split('\n').length - 1, imports };
}

function roomOf(path: string): string {
  return path.replace(/\.tsx?$/, '').split('/')[1] ?? '';
}

function levelOf(room: string): number {
  return ROOMS.findIndex(([sideBySide]) => sideBySide.includes(room));
}

function sliceOf(path: string): string | undefined {
  return /^src\/resources\/([^/]+)\//.exec(path)?.[1];
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

describe('rooms', () => {
  test.each(ROOMS)('%j import only what is below them, because %s', (sideBySide) => {
    const sources = SRC.filter(({ path }) => sideBySide.includes(roomOf(path)));
    const isBarred = ({ name }: Import, from: Source): boolean =>
      name.startsWith('src/') &&
      roomOf(name) !== roomOf(from.path) &&
      levelOf(roomOf(name)) >= levelOf(roomOf(from.path));
    expect(importsAgainst(sources, isBarred)).toEqual([]);
  });

  test('are all in the list, because no rule applies to a file outside of it', () => {
    expect(SRC.filter(({ path }) => levelOf(roomOf(path)) === -1).map(({ path }) => path)).toEqual([]);
  });

  test('are drawn in this order in CONTRIBUTING.md, because a newcomer starts there', () => {
    const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const [, house = ''] = /## The house[^]*?```\n([^]*?)```/.exec(page) ?? [];
    const drawn = Array.from(
      house.matchAll(/(?:^| {4,})([a-z]+)(?:\/|\.ts) {2,}/gm),
      ([, room = '']) => room,
    );
    expect(drawn.toSorted()).toEqual(ROOMS.flatMap(([sideBySide]) => sideBySide).toSorted());
    expect(drawn.toSorted((a, b) => levelOf(b) - levelOf(a))).toEqual(drawn);
  });

  test('have at most 20 files directly inside, because a longer list explains nothing', () => {
    const folders = SRC.map(({ path }) => dirname(path));
    const crowded = folders.filter((folder) => folders.filter((other) => other === folder).length > 20);
    expect([...new Set(crowded)]).toEqual([]);
  });
});

describe('what is bundled for a page, or speaks to a sandbox elsewhere', () => {
  test.each([
    ['src/pages/', /^(?:preact(?:\/hooks)?|@preact\/signals)$/],
    ['src/client/', /^$/],
  ])('%s takes types alone from other rooms, and no package but %s', (folder, packages) => {
    const inside = SRC.filter(({ path }) => path.startsWith(folder));
    const isBarred = ({ name, isType }: Import): boolean =>
      !isType && !name.startsWith(folder) && !packages.test(name);
    expect(importsAgainst(inside, isBarred)).toEqual([]);
  });

  test('is not imported by the program, because pages and the description are embedded as text', () => {
    // In a page the program does what the script of a challenge does elsewhere.
    const inside = /^src\/(?:pages\/|openapi\/|app\/browser\/challenge-frames\.ts$)/;
    const outside = SRC.filter(({ path }) => !inside.test(path));
    expect(importsAgainst(outside, ({ name }) => /^src\/(?:pages|openapi)\//.test(name))).toEqual([]);
  });
});

describe('slices', () => {
  test.each(SLICES)('%s imports no slice but %j, because %s', (slice, below) => {
    const sources = SRC.filter(({ path }) => sliceOf(path) === slice);
    const barred = importsAgainst(sources, ({ name }) => {
      const other = sliceOf(name) ?? slice;
      return other !== slice && !below.includes(other);
    });
    expect(barred).toEqual([]);
  });

  test('are all in the list, because no rule applies to a slice outside of it', () => {
    const found = new Set(SRC.flatMap(({ path }) => sliceOf(path) ?? []));
    expect([...found].toSorted()).toEqual(SLICES.map(([slice]) => slice).toSorted());
  });

  test('have a service that knows no wire, because a batch or a test calls it as HTTP does', () => {
    const services = SRC.filter(({ path }) => path.endsWith('/service.ts'));
    const wire = /\/(?:schema|presenter|routes)\.ts$|^src\/http\/|^(?:hono|@hono|zod)/;
    expect(importsAgainst(services, ({ name }) => wire.test(name))).toEqual([]);
  });
});

/** "path, path, …" of the modules in each circle of imports. */
function circlesIn(sources: readonly Source[]): string[] {
  const importsOf = new Map(
    sources.map(({ path, imports }) => [moduleOf(path), imports.map(({ name }) => moduleOf(name))]),
  );
  const reached = new Map([...importsOf.keys()].map((module) => [module, reachedFrom(module, importsOf)]));
  const circles = [...reached]
    .filter(([module, names]) => names.has(module))
    .map(([module, names]) => [...names].filter((name) => reached.get(name)?.has(module)).toSorted());
  return [...new Set(circles.map((modules) => modules.join(', ')))];
}

/** An import of a `.tsx` file names it `.js` as well. */
function moduleOf(path: string): string {
  return path.replace(/\.tsx?$/, '');
}

function reachedFrom(module: string, importsOf: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const add = (from: string): void => {
    for (const name of importsOf.get(from) ?? []) {
      if (reached.has(name)) continue;
      reached.add(name);
      add(name);
    }
  };
  add(module);
  return reached;
}

describe('modules', () => {
  test('never import each other in a circle, not even lazily or for a type, because then none can be read alone', () => {
    expect(circlesIn(SRC)).toEqual([]);
  });

  const LAZY: [module: RegExp, because: string][] = [
    [/^yaml$|^src\/scenarios\/file\/(schema|definition)\.ts$/, 'most starts play no scenario'],
    [/^src\/control\/snapshots\/state-(read|write)\.ts$/, 'they need the schema of scenarios'],
    [/^src\/control\/opening\/operations\.ts$/, 'few people open a file or a call'],
    [
      /^src\/control\/pages\/(assets|reference-page|bundle-page)\.ts$/,
      'they are long texts, which people ask for',
    ],
    [/^src\/pages\/dashboard\/dashboard-later\.ts$/, 'the first view of the dashboard needs none of it'],
    [/^src\/core\/texts\.ts$/, 'a page must fetch them'],
    [/^src\/node\/state\/kept-worlds\.ts$/, 'few servers keep their worlds'],
    [/^src\/node\/tls\/secure\.ts$|^node:https$/, 'few speak TLS'],
    [/^src\/node\/webhooks\/send-thread\.ts$/, 'most tests have no receiver'],
    [/^src\/node\/cli\/run-verb\.ts$/, 'most of these verbs start no server'],
    [/^node:child_process$/, 'few servers run a command'],
    [/^src\/node\/sweep\/sweep\.ts$/, 'most tests sweep nothing'],
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
  const PACKAGES: [name: RegExp, rooms: string[], because: string][] = [
    [/^node:/, ['node', 'testing'], 'the rest runs wherever Request and Response exist'],
    [/^@hono\/node-server/, ['node'], 'it is an adapter to Node'],
    [
      /^(hono$|hono\/|@hono\/)/,
      ['pages', 'http', 'resources', 'control', 'app', 'node'],
      'only the edge knows HTTP, and only the dashboard is drawn',
    ],
    [/^zod-openapi/, ['openapi'], 'no program that somebody runs makes the description'],
    [/^@faker-js/, [], 'the build lets it invent names and addresses, and the program chooses from them'],
    [
      /^zod(?!-openapi)/,
      ['scenarios', 'http', 'resources', 'control', 'node', 'openapi'],
      'input is checked once, at the edge: that of a server, and that of a command that calls one',
    ],
  ];

  test.each(PACKAGES)('%s is imported by %j alone, because %s', (name, rooms) => {
    const others = SRC.filter(({ path }) => !rooms.includes(roomOf(path)));
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

test('folders are created by createFolder, because mkdir with `recursive` never ends in /proc', () => {
  expect(matchesOf(SRC, /\bmkdir(?:Sync)?\([^)]*recursive/g)).toEqual([]);
});

describe('legibility', () => {
  test('values in messages are in double quotes, because three kinds of quotes look like three meanings', () => {
    // Words of a shell and of pages keep single quotes.
    const pattern = /'\$\{(?!JSON\.stringify|text\.replaceAll)/g;
    const messages = SRC.filter(({ path }) => !path.includes('/pages/'));
    expect(matchesOf(messages, pattern)).toEqual([]);
  });

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
  const outside = SRC.filter(
    ({ path }) => !/^src\/(?:pages\/|app\/browser\/host\.ts$|node\/terminal\/terminal\.ts$)/.test(path),
  );

  test('goes through one function, because names and messages that others wrote could control the terminal', () => {
    const pattern = /(?<!\bprint\()\bprocess\.std(?:out|err)\b(?!\.isTTY)|\bconsole\.\w+/g;
    // Runners show it with the failure, as `callsOf` has made it.
    // An older Node could not load what prints.
    expect(matchesOf(outside, pattern).toSorted()).toEqual([
      'src/node/machine/node-version.ts: process.stderr',
      'src/testing/failure.ts: console.error',
    ]);
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
