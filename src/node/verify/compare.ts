import { requireErrorRow, ERROR_ROWS } from '../../core/errors.js';
import { findSuccessStatus } from '../../http/route.js';
import { type Contract, findCallNamed, findField, isSdkOnly, listKnownWords } from './contract.js';
import {
  type AnswerShape,
  type FieldMarks,
  type FieldShapes,
  lacksField,
  MAYBE,
  shapeKey,
  type ShapeSet,
  listTypes,
  listWords,
} from './shape.js';
import { type ShapeVerdict, toVerdict } from './verdict.js';

/** Two sides, as the lines name them. */
export interface Sides {
  readonly mine: string;
  readonly theirs: string;
}

const PLAYMONEY_AND_SERVICE: Sides = { mine: 'playmoney', theirs: 'the service' };
/** The records of a search. A fresh world lists others, which lack other values. */
const LISTED = /^(?:\$|[A-Za-z]+s)\[\]\./;

/** Compares shapes with playmoney's own description, without any call. */
export function compareWithContract(shapes: readonly AnswerShape[], contract: Contract): ShapeVerdict[] {
  return shapes.map((shape) => toVerdict(shape, diffContract(shape, contract)));
}

function diffContract(shape: AnswerShape, contract: Contract): string[] | { readonly reason: string } {
  const { operation, status, code } = shape;
  const row = findCallNamed(operation);
  const isSuccess = status < 400;
  if (row === undefined)
    return isSuccess
      ? ['playmoney has no such call']
      : { reason: 'playmoney has no such call, and the service refused it' };
  const lines: string[] = [];
  if (isSuccess) {
    const own = findSuccessStatus(row);
    if (status !== own) lines.push(`status: playmoney answers ${own}, the service ${status}`);
  } else if (code !== null) {
    const statuses = contract.listStatusesOfCode(row, code);
    if (!ERROR_ROWS.some((known) => known.code === code))
      lines.push(`code: playmoney has no error code ${code}`);
    else if (statuses.length === 0 && requireErrorRow(code).httpStatus === status)
      return { reason: `playmoney never refuses this call with code ${code}` };
    else if (!statuses.includes(status) && requireErrorRow(code).httpStatus !== status)
      lines.push(
        `status: playmoney answers code ${code} with ${requireErrorRow(code).httpStatus}, the service with ${status}`,
      );
  }
  const types = shape.headers.filter((header) => header.startsWith('content-type:'));
  const others = types.filter((header) => !/^content-type: application\/json(;|$)/.test(header));
  for (const header of others) lines.push(`${header}: playmoney has application/json`);
  return [...lines, ...diffDescribed(shape.fields, contract.findFields(row, isSuccess))];
}

function diffDescribed(fields: FieldShapes, described: FieldShapes): string[] {
  const lines: string[] = [];
  const hasPath = (path: string): boolean => fields.has(path) || fields.has(toSdkPath(path));
  for (const [path, marks] of fields) {
    const own = findField(described, path);
    if (own === undefined) {
      if (!isSdkOnly(path))
        lines.push(`${path}: only the service has it${describeLetterCase(path, described)}`);
      continue;
    }
    const known = listTypes(own);
    // A description without a type allows all.
    if (known.length > 0) lines.push(...diffTypes(path, own, marks));
    lines.push(...listUnknownWords(path, listKnownWords(own, path), marks));
  }
  for (const [path, own] of described) {
    if (own.has(MAYBE) || hasPath(path) || isInsideMissing(path, hasPath)) continue;
    if (lacksField(fields, path) || lacksField(fields, toSdkPath(path)))
      lines.push(`${path}: only playmoney has it`);
  }
  return lines;
}

function diffTypes(path: string, own: FieldMarks, marks: FieldMarks): string[] {
  const known = listTypes(own);
  const others = listTypes(marks).filter((type) => !known.includes(type));
  if (others.length > 0)
    return [`${path}: playmoney has ${known.join(' or ')}, the service ${others.join(' or ')}`];
  return marks.has('null') && !own.has('null') ? [`${path}: null at the service, never at playmoney`] : [];
}

function listUnknownWords(path: string, known: readonly string[], marks: FieldMarks): string[] {
  if (known.length === 0) return [];
  const others = listWords(marks).filter((word) => !known.includes(word));
  return others.map((word) => `${path}: playmoney does not know the word ${word}`);
}

function toSdkPath(path: string): string {
  return path.replaceAll(/(^|\.)([A-Z])/g, (_, dot: string, letter: string) => dot + letter.toLowerCase());
}

function isInsideMissing(path: string, hasPath: (path: string) => boolean): boolean {
  const dot = path.lastIndexOf('.');
  return dot > 0 && !hasPath(path.slice(0, dot));
}

function describeLetterCase(path: string, described: FieldShapes): string {
  const wanted = path.toLowerCase();
  const alike = [...described.keys()].find((known) => known.toLowerCase() === wanted);
  return alike === undefined ? '' : ` in this letter case; playmoney has ${alike}`;
}

/** Compares the answers to one call: those of a single call have nothing that may be missing. */
export function diffAnswerShapes(
  mine: AnswerShape,
  theirs: AnswerShape,
  contract: Contract,
  sides: Sides = PLAYMONEY_AND_SERVICE,
): string[] {
  const row = findCallNamed(theirs.operation);
  const described = contract.findFields(row, theirs.status < 400);
  const lines: string[] = [];
  if (mine.status !== theirs.status)
    lines.push(`status: ${sides.mine} has ${mine.status}, ${sides.theirs} ${theirs.status}`);
  if (mine.code !== theirs.code)
    lines.push(`code: ${sides.mine} has ${mine.code ?? 'none'}, ${sides.theirs} ${theirs.code ?? 'none'}`);
  // Refusals have other fields than successes: what they differ in says nothing.
  if (mine.status < 400 !== theirs.status < 400) return lines;
  lines.push(
    ...diffHeaders(mine.headers, theirs.headers, sides),
    ...diffFields(mine.fields, theirs.fields, sides),
  );
  // How far a batch is depends on the pace of the service.
  const isInProgress = theirs.operation.includes('/batch');
  for (const [path, marks] of theirs.fields) {
    const own = findField(described, path);
    const other = mine.fields.get(path);
    if (own === undefined || other === undefined) continue;
    const words = listUnknownWords(path, [...listKnownWords(own, path), ...listWords(other)], marks);
    lines.push(
      ...words,
      ...(words.length === 0 && !isInProgress ? diffStatusWord(path, other, marks, sides) : []),
    );
  }
  return lines;
}

/** Compares the words of a status only: what became of a record is part of the contract, which kind of card paid is not. */
function diffStatusWord(path: string, mine: FieldMarks, theirs: FieldMarks, sides: Sides): string[] {
  const [one, other] = [listWords(mine), listWords(theirs)];
  if (!/^status$/i.test(path) || one.length !== 1 || other.length !== 1 || one[0] === other[0]) return [];
  return [`${path}: ${sides.mine} has ${one[0]}, ${sides.theirs} ${other[0]}`];
}

function diffHeaders(mine: readonly string[], theirs: readonly string[], sides: Sides): string[] {
  return [
    ...theirs
      .filter((header) => !mine.includes(header))
      .map((header) => `header ${header}: only ${sides.theirs} has it`),
    ...mine
      .filter((header) => !theirs.includes(header))
      .map((header) => `header ${header}: only ${sides.mine} has it`),
  ];
}

/** A field counts only where the other side has its object too, and may not always be missing there. */
function diffFields(mine: FieldShapes, theirs: FieldShapes, sides: Sides): string[] {
  const lines: string[] = [];
  for (const [path, marks] of theirs) {
    const own = mine.get(path);
    if (own === undefined) {
      if (lacksField(mine, path))
        lines.push(
          `${path}: only ${sides.theirs} has it${describeLetterCase(path, mine).replace('playmoney', sides.mine)}`,
        );
      continue;
    }
    const isListed = LISTED.test(path);
    const types = describeTypes(own, isListed);
    const others = describeTypes(marks, isListed);
    if (!isSubset(others, types, isListed))
      lines.push(
        `${path}: ${types.join(' or ')} at ${sides.mine}, ${others.join(' or ')} at ${sides.theirs}`,
      );
    if (marks.has(MAYBE) && !own.has(MAYBE) && !isListed)
      lines.push(`${path}: sometimes missing at ${sides.theirs}`);
  }
  for (const [path, marks] of mine) {
    if (!theirs.has(path) && !marks.has(MAYBE) && lacksField(theirs, path))
      lines.push(`${path}: only ${sides.mine} has it`);
  }
  return lines;
}

/** Of listed records, a value that one side lacks says nothing. */
function isSubset(others: readonly string[], types: readonly string[], isListed: boolean): boolean {
  return (isListed && types.length === 0) || others.every((type) => types.includes(type));
}

function describeTypes(marks: FieldMarks, isListed: boolean): readonly string[] {
  return [...listTypes(marks), ...(marks.has('null') && !isListed ? ['null'] : [])].toSorted();
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
    if (known !== undefined) return toVerdict(shape, diffAnswerShapes(known, shape, contract, sides));
    return toVerdict(shape, { reason: `${sides.mine} has no such answer` });
  });
}
