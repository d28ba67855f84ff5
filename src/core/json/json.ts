import { NumberText } from '../text/text.js';
import { describeCharacter, isDigit, quoteName } from './json-cursor.js';
import { QUOTE, StringCursor } from './json-string.js';

/** How deep arrays and objects may be nested. */
export const NESTING_MAX = 32;
export const FIELDS_MAX = 1_000;
export const ELEMENTS_MAX = 10_000;
export const NUMBER_LENGTH_MAX = 400;

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | NumberText
  | JsonValue[]
  | { [name: string]: JsonValue };

/** Converts every number to a JavaScript number, for readers that do not need the digits as sent. */
export function toPlainJson(value: JsonValue): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlainJson(inner)]));
}

/** Receives each field of an object after it was read. Its value is in the text from `from` up to `to`. */
export type OnField = (name: string, value: JsonValue, from: number, to: number) => void;

/**
 * Reads RFC 8259 text, and refuses what two parsers could read differently: duplicate names, lone
 * surrogates, names that change a prototype. Throws JsonFault.
 */
export function readJson(text: string, onField: OnField | null = null): JsonValue {
  return new JsonReader(text, onField).read();
}

const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LOWER_E = 0x65;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function isForbiddenName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

/** In one pass: JSON.parse with separate checks still took four fifths of the time, not worth having two parsers. */
class JsonReader extends StringCursor {
  constructor(
    text: string,
    private readonly onField: OnField | null,
  ) {
    super(text);
  }

  read(): JsonValue {
    if (this.text === '') this.fail('Found an empty text, expected a JSON value');
    if (this.code() === 0xfeff) this.fail('Found a byte order mark, expected a JSON value without one');
    this.skipBlanks();
    const value = this.readValue(1);
    this.skipBlanks();
    if (this.at < this.text.length) this.failExpecting('the end of the text after the JSON value');
    return value;
  }

  private readValue(depth: number, orElse = ''): JsonValue {
    const code = this.code();
    if (code === QUOTE) return this.readString();
    if (code === OPEN_OBJECT) return this.readObject(depth);
    if (code === OPEN_ARRAY) return this.readArray(depth);
    if (code === MINUS || isDigit(code)) return this.readNumber();
    if (this.takeWord('true')) return true;
    if (this.takeWord('false')) return false;
    if (this.takeWord('null')) return null;
    this.failExpecting(`an object, an array, a string, a number, true, false or null${orElse}`);
  }

  private readObject(depth: number): { [name: string]: JsonValue } {
    const object: { [name: string]: JsonValue } = {};
    if (this.skipOpening(depth, CLOSE_OBJECT)) return object;
    for (let fields = 1; ; fields += 1) {
      if (fields > FIELDS_MAX) this.fail(`Found more than ${FIELDS_MAX} fields in an object`);
      const name = this.readFieldName(object, fields);
      this.skipBlanks();
      if (this.code() !== COLON) this.failExpecting('":" after the field name');
      this.step();
      const start = this.at;
      const value = this.readValue(depth + 1);
      object[name] = value;
      this.onField?.(name, value, start, this.at);
      if (this.skipCommaOrClosing(CLOSE_OBJECT, '"," or "}" after the field')) return object;
    }
  }

  private readFieldName(object: { [name: string]: JsonValue }, nth: number): string {
    const start = this.at;
    if (this.code() !== QUOTE)
      this.failExpecting(`a field name in double quotes${nth === 1 ? ' or "}"' : ''}`);
    const name = this.readString();
    if (isForbiddenName(name)) {
      this.fail(
        `Found a field named ${name}; __proto__, constructor and prototype are not allowed as names`,
        start,
      );
    }
    if (object[name] !== undefined && Object.hasOwn(object, name)) {
      this.fail(`Found the field ${quoteName(name)} twice in an object`, start);
    }
    return name;
  }

  private readArray(depth: number): JsonValue[] {
    const values: JsonValue[] = [];
    if (this.skipOpening(depth, CLOSE_ARRAY)) return values;
    for (;;) {
      if (values.length === ELEMENTS_MAX) this.fail(`Found more than ${ELEMENTS_MAX} elements in an array`);
      values.push(this.readValue(depth + 1, values.length === 0 ? ', or "]"' : ''));
      if (this.skipCommaOrClosing(CLOSE_ARRAY, '"," or "]" after the element')) return values;
    }
  }

  /** Skips the opening bracket; true if the closing one follows immediately. */
  private skipOpening(depth: number, closing: number): boolean {
    if (depth > NESTING_MAX) {
      this.fail(
        `Found ${describeCharacter(this.text, this.at)} nested too deep; the maximum is ${NESTING_MAX} levels`,
      );
    }
    this.step();
    if (this.code() !== closing) return false;
    this.at += 1;
    return true;
  }

  /** Skips the comma or closing bracket that must follow; true for the bracket. */
  private skipCommaOrClosing(closing: number, expected: string): boolean {
    this.skipBlanks();
    const code = this.code();
    if (code !== closing && code !== COMMA) this.failExpecting(expected);
    if (code === closing) this.at += 1;
    else this.step();
    return code === closing;
  }

  private readNumber(): number | NumberText {
    const start = this.at;
    if (this.code() === MINUS) this.at += 1;
    if (this.code() === ZERO) {
      this.at += 1;
      if (isDigit(this.code()))
        this.failExpecting('".", an exponent or the end of the number after a leading zero');
    } else {
      this.skipDigits('a digit after "-"');
    }
    if (this.code() === DOT) {
      this.at += 1;
      this.skipDigits('a digit after "."');
    }
    if ((this.code() | 0x20) === LOWER_E) {
      this.at += 1;
      if (this.code() === PLUS || this.code() === MINUS) this.at += 1;
      this.skipDigits('a digit in the exponent');
    }
    if (this.at - start > NUMBER_LENGTH_MAX) {
      this.fail(`Found a number longer than ${NUMBER_LENGTH_MAX} characters`, start);
    }
    const literal = this.text.slice(start, this.at);
    const value = Number(literal);
    return String(value) === literal ? value : new NumberText(literal);
  }

  private skipDigits(expected: string): void {
    if (!isDigit(this.code())) this.failExpecting(expected);
    while (isDigit(this.code())) this.at += 1;
  }
}
