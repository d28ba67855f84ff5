import * as z from 'zod';

import { formatCount, quoteText } from '../../core/text/text.js';
import { FileError } from '../files/file-error.js';
import { readJsonFile } from '../files/json-file.js';
import { writeWhole } from '../files/whole-file.js';
import { type AnswerShape, compareTexts, shapeKey, ShapeSet, listTypes } from './shape.js';

/** The name in the file, which a later format changes. */
const FORMAT = 'playmoney shapes 1';
const SHAPES_MAX = 10_000;
const FIELDS_MAX = 2000;
const CONFLICTS_MAX = 20;
/** Readable by others, because the file is made to be committed. */
const MODE = 0o644;

const MARKS = /^(?:(?:string|number|boolean|object|array|null|text|[?+]|=\S+)(?: (?!$)|$))+$/;

const Text = z.string().max(300);
const Marks = z
  .string()
  .max(2000)
  .refine((text) => MARKS.test(text), {
    error: ({ input }) =>
      `${quoteText(String(input))} is no list of types and marks, such as "number" or "=SUCCESS string"`,
  });
const Shape = z.strictObject({
  operation: Text,
  status: z.int().min(100).max(599),
  code: z.int().nullable(),
  headers: z.array(Text).max(20),
  fields: z
    .record(Text, Marks)
    .refine((fields) => Object.keys(fields).length <= FIELDS_MAX, `has more than ${FIELDS_MAX} fields`),
});
const ShapesFile = z.strictObject({
  format: z.literal(FORMAT),
  shapes: z.array(Shape).min(1).max(SHAPES_MAX),
});

/** Reads a file of shapes. Rejects with a FileError. */
export async function readShapesFile(file: string): Promise<ShapeSet> {
  const read = ShapesFile.safeParse(await readJsonFile(file));
  if (!read.success) {
    const [issue] = read.error.issues;
    const { path, message } = issue ?? { path: [], message: '' };
    const place = path.length === 0 ? '' : ` ${path.join('.')}:`;
    throw new FileError(
      `${file} is not a file of shapes:${place} ${message}. playmoney verify --upstream URL -- COMMAND writes one`,
    );
  }
  return new ShapeSet(
    read.data.shapes.map(({ fields, ...shape }) => ({
      ...shape,
      fields: new Map(Object.entries(fields).map(([path, marks]) => [path, new Set(marks.split(' '))])),
    })),
  );
}

/** One line for each field, in a fixed order, so that two versions can be compared line by line. */
export async function writeShapesFile(file: string, shapes: readonly AnswerShape[]): Promise<void> {
  const written = shapes.map(({ operation, status, code, headers, fields }) => ({
    operation,
    status,
    code,
    headers: headers.toSorted(compareTexts),
    fields: Object.fromEntries(
      [...fields]
        .toSorted(([one], [other]) => compareTexts(one, other))
        .map(([path, marks]) => [path, [...marks].toSorted(compareTexts).join(' ')]),
    ),
  }));
  const text = `${JSON.stringify({ format: FORMAT, shapes: written }, null, 1)}\n`;
  await writeWhole(file, (write) => write(text), { mode: MODE });
}

/** Statements of two files about one field that cannot both be true of one service. */
export function listConflicts(one: ShapeSet, other: ShapeSet): readonly string[] {
  const conflicts = other.all.flatMap((shape) => {
    const known = one.find(shapeKey(shape));
    if (known === undefined) return [];
    return [...shape.fields].flatMap(([path, marks]) => {
      const [mine, theirs] = [listTypes(known.fields.get(path) ?? new Set()), listTypes(marks)];
      const isConflict = mine.length > 0 && theirs.length > 0 && !theirs.every((type) => mine.includes(type));
      return isConflict
        ? [`${shapeKey(shape)}: ${path} is ${mine.join(' or ')} and ${theirs.join(' or ')}`]
        : [];
    });
  });
  const more = conflicts.length - CONFLICTS_MAX;
  return more > 0
    ? [...conflicts.slice(0, CONFLICTS_MAX), `and ${formatCount(more, 'more conflict')}`]
    : conflicts;
}
