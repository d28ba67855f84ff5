import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/** The folder that the package contains, and the schema that editors load from it. */
const FOLDER = join(import.meta.dirname, '../../scenarios');
const SCHEMA = JSON.parse(readFileSync(join(FOLDER, 'schema.json'), 'utf8')) as object;
const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(SCHEMA);
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

test.each(NAMES)('The schema of editors accepts %s', (name) => {
  isValid(parse(readFileSync(join(FOLDER, name), 'utf8')));
  expect(isValid.errors).toBeNull();
});

test.each([
  ['an unknown field', 'name: x\nrule: []'],
  ['an unknown field of a rule', 'name: x\nrules: [{ when: { operation: charge.create }, than: {} }]'],
  ['an unknown word', 'name: x\ndialect: soap'],
  ['a value of another type', 'name: x\nrules: 3'],
  ['no name', 'rules: []'],
])('The schema of editors refuses %s', (_, text) => {
  expect(isValid(parse(text))).toBe(false);
});
