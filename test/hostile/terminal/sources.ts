import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openBundle } from '../../../src/node/bundles/open.js';
import { parseCommand } from '../../../src/node/cli/parse.js';
import { formatStartNote } from '../../../src/node/cli/start/start-note.js';
import { CommandError, formatLines } from '../../../src/node/terminal/terminal.js';
import type { CommandOf } from '../../../src/node/cli/parse.js';
import { commandLine, type Printed } from './command-line.js';
import { JSON_TYPE } from '../../node/http/support.js';
import { answering, answeringJson, type Behaviour, type StandIn, standIn } from './stand-in.js';
import { BUNDLE, ENTRY, HAR, TRACE } from './trace.js';

/** Where a hostile text comes from, and what is done with it; the folder is the row's own. */
export type Source = (text: string, folder: string) => Promise<Printed>;

function fileOf(folder: string, content: unknown, name = 'file.json'): string {
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** A text as far as a file can be named by it. */
const nameOf = (text: string): string =>
  Buffer.from(text.replaceAll(/[/\0]/g, '_')).subarray(0, 200).toString().replaceAll('\uFFFD', '');

const checked =
  (definition: (text: string) => object): Source =>
  (text, folder) =>
    commandLine(['check', fileOf(folder, definition(text))]);

const replayed =
  (trace: (text: string) => object): Source =>
  (text, folder) =>
    calling(
      ['replay', fileOf(folder, trace(text)), '--against', 'URL'],
      answeringJson(() => ({ Count: 1 })),
      folder,
    );

/** The note of `open`, for a bundle with a field of its own. */
const opened =
  (more: (text: string) => object): Source =>
  async (text, folder) => {
    const { options } = parseCommand(['open', 'x'], {}) as CommandOf<'open'>;
    try {
      const bundle = await openBundle(fileOf(folder, { ...BUNDLE, ...more(text) }), options);
      const note = formatStartNote(
        bundle.options,
        { port: 1, authority: null },
        bundle.scenario,
        bundle.restored,
      );
      return { code: 0, stdout: '', stderr: note + bundle.note('http://127.0.0.1:1') };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return { code: error.exitCode, stdout: '', stderr: formatLines([`playmoney: ${error.message}`]) };
    }
  };

/** What a verb prints of a server that answers each path with hostile JSON. */
const answered =
  (words: readonly string[], bodyOf: (text: string) => unknown, status?: string): Source =>
  (text, folder) =>
    calling(
      words,
      answeringJson((path) => (path === '/_sandbox/worlds' ? worlds(text) : bodyOf(text)), [], status),
      folder,
    );

async function calling(words: readonly string[], behaviour: Behaviour, folder: string): Promise<Printed> {
  const server: StandIn = await standIn(behaviour);
  const names: Record<string, string> = { URL: server.url, FILE: join(folder, 'new.json') };
  try {
    return await commandLine(words.map((word) => names[word] ?? word));
  } finally {
    server.close();
  }
}

/** The list of worlds, in which every text is hostile. */
const worlds = (text: string): object => ({
  Message: text,
  Worlds: [{ World: text, Name: text, Counts: { JournalEntries: 3 } }],
});

/** An answer that suits every verb, in which every text is hostile. */
const all = (text: string): object => ({
  Version: text,
  Node: text,
  Uptime: 1,
  Worlds: 1,
  Status: text,
  From: text,
  Now: text,
  Jobs: 2,
  Ran: [{ At: text, Kind: text, Ref: text }],
  Seed: text,
  Dialect: text,
  Clock: { Mode: text, Now: text },
  Scenario: text,
  Definition: { name: text },
  Counts: { [text]: 3 },
  Count: 1,
  Evicted: 1,
  Entries: [{ At: text, Method: text, Path: text, Status: 200, Trigger: text }],
});

const VERBS: Readonly<Record<string, readonly string[]>> = {
  doctor: ['doctor', '--url', 'URL'],
  'doctor --json': ['doctor', '--json', '--url', 'URL'],
  reset: ['reset', '--url', 'URL'],
  advance: ['advance', '1h', '--url', 'URL'],
  journal: ['journal', '--url', 'URL'],
  health: ['health', '--url', 'URL'],
  bundle: ['bundle', 'FILE', '--url', 'URL'],
};

function eachVerb(what: string, source: (words: readonly string[]) => Source): Record<string, Source> {
  return Object.fromEntries(
    Object.entries(VERBS).map(([verb, words]) => [`${what}, called by ${verb}`, source(words)]),
  );
}

const rule = (more: object): object => ({
  name: 'x',
  rules: [{ when: { operation: 'charge.create' }, ...more }],
});

export const SOURCES: Readonly<Record<string, Source>> = {
  'a scenario whose name is': checked((name) => ({ name, rules: 1 })),
  'a scenario whose description is': checked((description) => ({ name: 'x', description, rules: 1 })),
  'a scenario with a field named': checked((key) => ({ name: 'x', [key]: 1 })),
  'a scenario with an operation named': checked((operation) => rule({ when: { operation } })),
  'a scenario with an outcome named': checked((outcome) => rule({ then: { outcome } })),
  'a scenario with a rule named': checked((name) => rule({ name, then: { outcome: 'nonsense' } })),
  'a scenario with a condition named': checked((key) => rule({ when: { [key]: 1 } })),
  'a scenario with a time named': checked((at) => ({ name: 'x', timeline: [{ at, provider: 'x' }] })),
  'a scenario that is not YAML but': async (text, folder) =>
    commandLine(['check', fileOf(folder, `a: [${text}`)]),
  'a scenario in a file named': async (text, folder) =>
    commandLine(['check', fileOf(folder, { name: 1 }, `${nameOf(text)}.yaml`)]),
  'a valid scenario in a file named': async (text, folder) =>
    commandLine(['check', fileOf(folder, { name: 'x' }, `${nameOf(text)}.yaml`)]),
  'a missing file named': async (text, folder) => commandLine(['check', join(folder, nameOf(text))]),
  'the name of a command': async (text) => commandLine([text]),
  'the name of an option': async (text) => commandLine([`--${text}`]),
  'the value of an option': async (text) => commandLine(['journal', '--url', text]),
  'the word after advance': async (text) => commandLine(['advance', text]),
  'the variable PLAYMONEY_URL': async (text) => commandLine(['journal'], { PLAYMONEY_URL: text }),
  'the variable PLAYMONEY_KEY': async (text) =>
    commandLine(['journal'], { PLAYMONEY_KEY: `sk_test_a,${text}` }),
  'a variable that doctor reads': async (text) =>
    commandLine(['doctor', '--url', 'http://127.0.0.1:1'], {
      PLAYMONEY_SEED: text,
      PLAYMONEY_PORT: text,
      PLAYMONEY_SCENARIO: text,
      PLAYMONEY_STATE: text.replaceAll('\0', ''),
      PORT: text,
      HOST: text,
      NODE_EXTRA_CA_CERTS: text,
      HTTP_PROXY: text,
    }),
  'a variable whose name doctor reads': async (text) =>
    commandLine(['doctor', '--url', 'http://127.0.0.1:1'], { [`PLAYMONEY_${text}`]: text }),
  'a trace with the path': replayed((Path) => ({ ...TRACE, Entries: [{ ...ENTRY, Path: `/${Path}` }] })),
  'a trace with the query': replayed((Query) => ({ ...TRACE, Entries: [{ ...ENTRY, Query }] })),
  'a trace with the method': replayed((Method) => ({ ...TRACE, Entries: [{ ...ENTRY, Method }] })),
  'a trace with the time': replayed((At) => ({ ...TRACE, Entries: [{ ...ENTRY, At }] })),
  'a trace with a header named': replayed((name) => ({
    ...TRACE,
    Entries: [{ ...ENTRY, Headers: { [name]: 'x' } }],
  })),
  'a trace with a header that is': replayed((value) => ({
    ...TRACE,
    Entries: [{ ...ENTRY, Headers: { 'x-sandbox-outcome': value } }],
  })),
  'a trace with an answer that has': replayed((text) => ({
    ...TRACE,
    Entries: [{ ...ENTRY, Response: { [text]: text, Count: text } }],
  })),
  'a trace with a fault named': replayed((Fault) => ({ ...TRACE, Entries: [{ ...ENTRY, Fault }] })),
  'a trace of a format named': replayed((Format) => ({ ...TRACE, Format })),
  'a trace of a version named': replayed((Version) => ({ ...TRACE, Version })),
  'an archive of a world named': replayed((world) => HAR(world)),
  'an archive with a path that has': replayed((path) => HAR('x', `/${path}`)),
  'an archive in a file named': async (text, folder) =>
    commandLine(['replay', fileOf(folder, HAR('x'), nameOf(text)), '--against', 'http://127.0.0.1:1']),
  'a journal of a world named': replayed((World) => ({
    Format: 'playmoney-journal',
    Version: 1,
    Worlds: [{ World, Entries: [{ ...ENTRY, ResponseBody: { [World]: World } }] }, { Entries: [] }],
  })),
  'bundles of a world named': replayed((Name) => ({
    Format: 'playmoney-bundles',
    Version: 1,
    Bundles: [{ ...BUNDLE, Name }, BUNDLE],
  })),
  'a scenario from a trace with an answer that has': async (text, folder) => {
    const entry = { ...ENTRY, Method: 'POST', Path: '/charge/card', Status: 201, Response: { [text]: text } };
    return commandLine(['scenario', 'from-trace', fileOf(folder, { ...TRACE, Entries: [entry, ENTRY] })]);
  },
  'a scenario from a trace in a file named': async (text, folder) =>
    commandLine(['scenario', 'from-trace', fileOf(folder, TRACE, `${nameOf(text)}.json`)]),
  'a scenario that is written to a file named': async (text, folder) =>
    commandLine(['scenario', 'from-trace', fileOf(folder, TRACE), '--out', join(folder, `o${nameOf(text)}`)]),
  'a bundle of a server named': opened((text) => ({ Server: { Playmoney: text, Node: text } })),
  'a bundle of a dialect named': opened((Dialect) => ({ Dialect })),
  'a bundle of a format named': opened((Format) => ({ Format })),
  'a bundle with a scenario named': opened((name) => ({ Scenario: { name } })),
  'a bundle with a scenario that has': opened((text) => ({ Scenario: { name: 'x', [text]: text } })),
  'a bundle with a state that has': opened((text) => ({ State: { [text]: text } })),
  'a bundle with a trace of a clock named': opened((Mode) => ({ Trace: { ...TRACE, Clock: { Mode } } })),
  ...eachVerb('a server that answers', (words) => answered(words, all)),
  ...eachVerb('a server that refuses with the message', (words) =>
    answered(words, (Message) => ({ Message }), '400 Bad Request'),
  ),
  ...eachVerb(
    'a server whose type is',
    (words) => (text, folder) =>
      calling(words, answering('200 OK', [`Content-Type: ${headerOf(text)}`], text), folder),
  ),
  ...eachVerb(
    'a server whose world is',
    (words) => (text, folder) =>
      calling(
        words,
        answering('200 OK', [JSON_TYPE, `x-sandbox-world: ${headerOf(text)}`], JSON.stringify(all('x'))),
        folder,
      ),
  ),
  ...eachVerb(
    'a server that redirects to',
    (words) => (text, folder) =>
      calling(words, answering('302 Found', [`Location: ${headerOf(text)}`], text), folder),
  ),
  ...eachVerb(
    'a server whose status text is',
    (words) => (text, folder) => calling(words, answering(`500 ${headerOf(text)}`, [], text), folder),
  ),
  ...eachVerb(
    'a server that speaks only',
    (words) => (text, folder) => calling(words, (socket) => socket.end(text), folder),
  ),
};

/** A text as far as a header can hold it: no line ends, and one byte a character. */
const headerOf = (text: string): string => text.replaceAll(/[\r\n\0]|[^\0-\u00FF]/gu, '').slice(0, 10_000);
