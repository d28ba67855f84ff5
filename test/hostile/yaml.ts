import { bad, GUARDED, ADMIN, PAN, put, refused, type Rows, row, taken, utf8 } from './row.js';

const YAML = 'Content-Type: application/yaml';
const scenario = (text: string, ...headers: string[]): string =>
  put('/_sandbox/scenario', text, YAML, ...headers);
const at = (line: number, column: number, ...says: string[]) =>
  bad(`line ${line}, column ${column}: `, ...says);
const names = (count: number): string => Array.from({ length: count }, (_, n) => `x${n}: 1\n`).join('');

/** A bomb: each list repeats the one before nine times. */
const BOMB = ['&a [1, 1, 1, 1, 1, 1, 1, 1, 1]']
  .concat(
    'bcdefghi'.split('').map((name, n) => `&${name} [${Array(9).fill(`*${'abcdefgh'[n]}`).join(', ')}]`),
  )
  .map((list, n) => `x${n}: ${list}\n`)
  .join('');

/** Scenarios in YAML that are none, or that ask more of their reader than they say. */
export const YAMLS: Rows = {
  'an empty file': row(scenario(''), at(1, 1, 'the file is empty')),
  'a file of comments': row(scenario('# nothing\n# here\n'), at(1, 1, 'the file is empty')),
  'a list': row(scenario('- name: a\n'), at(1, 1, 'the scenario must be an object')),
  'a text': row(scenario('name\n'), at(1, 1, 'the scenario must be an object')),
  'a NUL': row(scenario('name: "a\0"\nrules: x\n'), bad('line 2, column 8')),
  'bytes that are no UTF-8': row(
    scenario('name: \xff\n'),
    bad('The body is not YAML in UTF-8', 'line 1, column 7'),
  ),
  'UTF-16': row(
    scenario(Buffer.from('\ufeffname: a\n', 'utf16le').toString('latin1')),
    bad('The body is not YAML in UTF-8'),
  ),
  'a mark of its byte order': row(scenario(utf8('\ufeffname: a\n')), taken('"Scenario":"a"')),
  tabs: row(scenario('rules:\n\t- then: {fault: reset}\n'), at(2, 1, 'YAML cannot be indented with tabs')),
  'two documents': row(scenario('name: a\n---\nname: b\n'), at(2, 1, 'a second document begins here')),
  'a name twice': row(scenario('name: a\nseed: 1\nname: b\n'), at(3, 1, 'duplicate field')),
  'a name twice in one line': row(scenario('{name: a, "name": b}'), at(1, 11, 'duplicate field')),
  'a prototype': row(
    scenario('name: a\n__proto__: {rules: []}\n'),
    at(2, 1, 'no field may be called __proto__'),
  ),
  'a state that is a prototype': row(
    scenario('name: a\nrules: [{then: {state: {__proto__: 1}}}]\n'),
    at(2, 25, 'no field may be called __proto__'),
  ),
  'a constructor': row(scenario('name: a\nconstructor: 1\n'), at(2, 1, '"constructor" is not a field')),
  'a list as a name': row(scenario('name: a\n? [b]\n: 1\n'), at(2, 3, 'the name of a field must be a text')),
  'a tag of another language': row(
    scenario('name: !!js/function "process.exit()"\n'),
    at(1, 7, 'Unresolved tag'),
  ),
  'a tag of bytes': row(scenario('name: !!binary YWI=\n'), at(1, 7, 'Unresolved tag')),
  'YAML 1.1, which reads no as false': row(scenario('%YAML 1.1\n---\nname: no\n'), at(1, 1, 'YAML 1.2')),
  'an alias of nothing': row(scenario('name: *a\n'), at(1, 7, 'unknown alias')),
  'an alias within what it repeats': row(
    scenario('name: a\nseedData: &a {customers: [*a]}\n'),
    at(2, 27, 'the alias is within what it repeats'),
  ),
  'a bomb of aliases': row(scenario(`name: a\n${BOMB}`), bad('after its aliases are expanded')),
  'a hundred and one aliases': row(
    scenario(`name: &a a\nkeys:\n${'- *a\n'.repeat(101)}`),
    bad('more than 100 aliases, the maximum'),
  ),
  'lists in lists': row(scenario(`name: ${'['.repeat(5000)}`), bad('nested too deeply')),
  'lists in lists, line by line': row(scenario('- '.repeat(50_000)), bad('nested too deeply')),
  'forty levels of a body': row(
    scenario(`name: a\nrules: [{then: {respond: {status: 200, body: ${'['.repeat(40)}${']'.repeat(40)}}}}]`),
    bad('the maximum is 32 levels'),
  ),
  'ten thousand names': row(scenario(names(10_000)), bad('"x0" is not a field of a scenario')),
  'more tokens than a scenario has': row(scenario('-\n'.repeat(110_000)), bad('more than 200000 tokens')),
  'more characters than a scenario has': row(
    scenario(`# ${'x'.repeat(1_000_001)}`),
    bad('longer than 1000000 characters'),
  ),
  'more bytes than a body has': row(
    scenario(`# ${'x'.repeat(1_100_000)}`),
    refused(413, 90, 'The body is too large'),
  ),
  'more bytes than a body of a guarded server has': row(
    scenario(`# ${'x'.repeat(3000)}`, `x-sandbox-admin: ${ADMIN}`),
    refused(413, 90, 'The body is too large'),
    GUARDED,
  ),
  'no admin token': row(scenario('name: a\n'), refused(403, 40), GUARDED),
  'a card number out of place': row(scenario(`name: a\nclock: '${PAN}'\n`), at(2, 8, '4929********1236')),
  'a card number as a field': row(scenario(`name: a\n"${PAN}": 1\n`), at(2, 1, '4929********1236')),
  'a card number in broken YAML': row(scenario(`name: a\n]"${PAN}"\n`), bad('YAML: ')),
  'compressed YAML': row(
    scenario('name: a\n', 'Content-Encoding: gzip'),
    refused(415, 90, 'The body was sent with the Content-Encoding gzip'),
  ),
  'YAML in another charset': row(
    put('/_sandbox/scenario', 'name: a\n', 'Content-Type: text/yaml; charset=utf-16'),
    refused(415, 90, 'application/json or application/yaml'),
  ),
  'YAML as JSON': row(put('/_sandbox/scenario', 'name: a\n'), bad('The body is not valid JSON')),
  'JSON as YAML': row(scenario('{"name": "a"}'), taken('"Scenario":"a"')),
  'the name of a file in place of its text': row(scenario('./bad-day.yaml\n'), at(1, 1, 'must be an object')),
  'YAML for a call that takes none': row(
    put('/_sandbox/clock', 'Mode: manual\n', YAML),
    refused(415, 90, 'send it with Content-Type: application/json'),
  ),
};
