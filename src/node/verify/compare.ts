import { ERROR_ROWS } from '../../core/errors.js';
import { type AnyRow, findSuccessStatus } from '../../http/route.js';
import { whyNotCompared } from './account.js';
import { type Contract, findCallNamed, guessDialect } from './contract.js';
import {
  type AnswerShape,
  type FieldMarks,
  type FieldShapes,
  lacksField,
  listTypes,
  listWords,
  MAYBE,
  shapeKey,
  type ShapeSet,
  UNKNOWN_WORD,
  MORE_FIELDS,
} from './shape.js';
import { type ShapeVerdict, toVerdict } from './verdict.js';

/** Two sides, as the lines name them. */
export interface Sides {
  readonly mine: string;
  readonly theirs: string;
}

const PLAYMONEY_AND_SERVICE: Sides = { mine: 'playmoney', theirs: 'the service' };
/** A record of a search. A fresh world lists others, which lack other values. */
const LISTED = /^(?:\$|[A-Za-z]+s)\[\]\./;

/** Compares shapes with playmoney's own description, without any call. */
export function compareWithContract(shapes: readonly AnswerShape[], contract: Contract): ShapeVerdict[] {
  return shapes.map((shape) => {
    const failure = whyNotCompared({ ...shape, lost: null });
    if (failure !== null) return toVerdict(shape, failure);
    const row = findCallNamed(shape.operation);
    if (row !== undefined) return toVerdict(shape, diffContract(shape, row, contract));
    const lack = 'playmoney has no such call';
    return toVerdict(shape, shape.status < 400 ? [lack] : `${lack}, and the service refused it`);
  });
}

/** The differences, or why nothing was compared. */
function diffContract(shape: AnswerShape, row: AnyRow, contract: Contract): readonly string[] | string {
  const { status, code, headers, fields } = shape;
  const lines: string[] = [];
  if (status < 400) {
    const own = findSuccessStatus(row);
    if (status !== own) lines.push(`status: playmoney answers ${own}, the service ${status}`);
  } else if (code !== null) {
    const usual = ERROR_ROWS.find((known) => known.code === code)?.httpStatus;
    const statuses = contract.listStatusesOfCode(row, code);
    if (usual === undefined) lines.push(`code: playmoney has no error code ${code}`);
    else if (statuses.length === 0 && usual === status)
      return `playmoney never refuses this call with code ${code}`;
    else if (!statuses.includes(status) && usual !== status)
      lines.push(`status: playmoney answers code ${code} with ${usual}, the service with ${status}`);
  }
  for (const header of headers)
    if (/^content-type: (?!application\/json(;|$))/.test(header))
      lines.push(`${header}: playmoney has application/json`);
  const described = findDescribedFields(shape, contract);
  lines.push(...diffFields(described, fields, described, PLAYMONEY_AND_SERVICE));
  return requireNamed(lines, described, fields);
}

function findDescribedFields({ operation, status, fields }: AnswerShape, contract: Contract): FieldShapes {
  return contract.findFields(findCallNamed(operation), status < 400, guessDialect([...fields.keys()]));
}

/** The differences, or why nothing was compared, of the answers to one call. */
export function diffAnswerShapes(
  mine: AnswerShape,
  theirs: AnswerShape,
  contract: Contract,
  sides: Sides = PLAYMONEY_AND_SERVICE,
): readonly string[] | string {
  const lines: string[] = [];
  if (mine.status !== theirs.status)
    lines.push(`status: ${sides.mine} has ${mine.status}, ${sides.theirs} ${theirs.status}`);
  if (mine.code !== theirs.code)
    lines.push(`code: ${sides.mine} has ${mine.code ?? 'none'}, ${sides.theirs} ${theirs.code ?? 'none'}`);
  // Refusals have other fields than successes: what they differ in says nothing.
  if (mine.status < 400 !== theirs.status < 400) return lines;
  const described = findDescribedFields(theirs, contract);
  const [own, other] = [ignoreListedNulls(mine.fields), ignoreListedNulls(theirs.fields)];
  lines.push(
    ...listOnlyIn(theirs.headers, mine.headers, sides.theirs),
    ...listOnlyIn(mine.headers, theirs.headers, sides.mine),
    ...diffFields(own, other, described, sides),
    // How far a batch is depends on the pace of the service.
    ...(theirs.operation.includes('/batch') ? [] : diffStatusWords(own, other, described, sides)),
  );
  return requireNamed(lines, own, other);
}

/** The differences; if there are none, which objects have fields that cannot be compared. */
function requireNamed(
  lines: readonly string[],
  mine: FieldShapes,
  theirs: FieldShapes,
): readonly string[] | string {
  const paths = [...theirs].flatMap(([path, marks]) =>
    marks.has(MORE_FIELDS) || mine.get(path)?.has(MORE_FIELDS) ? [path] : [],
  );
  if (lines.length > 0 || paths.length === 0) return lines;
  return `fields whose names are left out, because somebody may have chosen them (in ${paths.join(', ')})`;
}

function listOnlyIn(headers: readonly string[], others: readonly string[], side: string): string[] {
  const own = headers.filter((header) => !others.includes(header));
  return own.map((header) => `header ${header}: only ${side} has it`);
}

/** Of listed records, it says nothing which values are null. */
function ignoreListedNulls(fields: FieldShapes): FieldShapes {
  const keep = (path: string, mark: string): boolean => mark !== 'null' || !LISTED.test(path);
  return new Map(
    [...fields].map(([path, marks]) => [path, new Set([...marks].filter((mark) => keep(path, mark)))]),
  );
}

/** A field counts only where the other side has its object too, and may not always be missing there. */
function diffFields(mine: FieldShapes, theirs: FieldShapes, described: FieldShapes, sides: Sides): string[] {
  const lines: string[] = [];
  for (const [path, marks] of theirs) {
    const own = mine.get(path);
    if (own !== undefined)
      lines.push(...diffMarks(path, own, marks, sides), ...listUnknownWords(path, own, marks, described));
    else if (lacksField(mine, path))
      lines.push(`${path}: only ${sides.theirs} has it${describeLetterCase(path, mine, sides)}`);
  }
  for (const [path, marks] of mine)
    if (!marks.has(MAYBE) && lacksField(theirs, path)) lines.push(`${path}: only ${sides.mine} has it`);
  return lines;
}

function diffMarks(path: string, mine: FieldMarks, theirs: FieldMarks, sides: Sides): string[] {
  const [types, others] = [describeTypes(mine), describeTypes(theirs)];
  // A description without a type allows all.
  if (types.length > 0 && !others.every((type) => types.includes(type)))
    return [`${path}: ${types.join(' or ')} at ${sides.mine}, ${others.join(' or ')} at ${sides.theirs}`];
  if (theirs.has(MORE_FIELDS) && !mine.has(MORE_FIELDS))
    return [`${path}: only ${sides.theirs} has fields whose names are left out`];
  const isMissed = theirs.has(MAYBE) && !mine.has(MAYBE) && !LISTED.test(path);
  return isMissed ? [`${path}: sometimes missing at ${sides.theirs}`] : [];
}

function describeTypes(marks: FieldMarks): readonly string[] {
  return [...listTypes(marks), ...(marks.has('null') ? ['null'] : [])].toSorted();
}

function listUnknownWords(
  path: string,
  mine: FieldMarks,
  theirs: FieldMarks,
  described: FieldShapes,
): string[] {
  const known = listWords(described.get(path));
  const others = listWords(theirs).filter((word) => !known.includes(word) && !listWords(mine).includes(word));
  return known.length === 0 ? [] : others.map((word) => `${path}: playmoney does not know ${nameWord(word)}`);
}

function nameWord(word: string): string {
  return word === UNKNOWN_WORD ? 'this text, which is left out' : `the word ${word}`;
}

/** Compares the words of a status only: what became of a record is part of the contract, which kind of card paid is not. */
function diffStatusWords(
  mine: FieldShapes,
  theirs: FieldShapes,
  described: FieldShapes,
  sides: Sides,
): string[] {
  return ['Status', 'status'].flatMap((path) => {
    const [[one, ...more], [other, ...others]] = [listWords(mine.get(path)), listWords(theirs.get(path))];
    const isKnown = other !== undefined && listWords(described.get(path)).includes(other);
    if (one === undefined || one === other || !isKnown || more.length > 0 || others.length > 0) return [];
    return [`${path}: ${sides.mine} has ${one}, ${sides.theirs} ${other}`];
  });
}

function describeLetterCase(path: string, fields: FieldShapes, { mine }: Sides): string {
  const alike = [...fields.keys()].find((known) => known.toLowerCase() === path.toLowerCase());
  return alike === undefined ? '' : ` in this letter case; ${mine} has ${alike}`;
}

/** Compares what was seen now with a file of shapes. What the file has, but was not seen, is nothing to compare. */
export function compareWithFile(
  seen: readonly AnswerShape[],
  file: ShapeSet,
  contract: Contract,
  sides: Sides,
): ShapeVerdict[] {
  return seen.map((shape) => {
    const known = file.find(shapeKey(shape));
    return toVerdict(
      shape,
      known ? diffAnswerShapes(known, shape, contract, sides) : `${sides.mine} has no such answer`,
    );
  });
}
