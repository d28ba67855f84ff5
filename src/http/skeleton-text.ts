import { JsonFault } from './json-fault.js';
import { type JsonValue, readJson } from './json.js';
import { badUtf8Message, decodeUtf8, findBadUtf8, positionOf } from './utf8.js';

/**
 * Begins the stand-in for a lifted string. A client cannot write it: UTF-8 has no lone surrogate, and readJson
 * refuses one in an escape.
 */
const MARK = '\ud800#';

/** The number of the lifted string that a string stands for, or -1 for one that stands for itself. */
export function standInIndex(text: string): number {
  return text.startsWith(MARK) ? Number(text.slice(MARK.length)) : -1;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The skeleton with stand-ins; its faults and positions are those of the body. */
export class SkeletonText {
  private text = '';
  /** Where the stand-ins are, and by how much each is shorter than what it stands for. */
  private readonly standIns: { at: number; missing: number }[] = [];

  /** Adds bytes that stand at `offset` of the body. */
  addBytes(bytes: Uint8Array, offset: number): void {
    try {
      this.text += decodeUtf8(bytes);
    } catch (error) {
      const bad = findBadUtf8(bytes);
      if (bad < 0) throw error;
      this.text += decodeUtf8(bytes.subarray(0, bad));
      const { line, column } = this.end();
      throw new JsonFault(badUtf8Message(offset + bad), line, column);
    }
  }

  addStandIn(index: number, characters: number): void {
    const standIn = `"${MARK}${index}"`;
    this.standIns.push({ at: this.text.length, missing: characters + 2 - standIn.length });
    this.text += standIn;
  }

  end(): Position {
    return this.inBody(positionOf(this.text, this.text.length));
  }

  read(): JsonValue {
    try {
      return readJson(this.text);
    } catch (error) {
      throw error instanceof JsonFault ? this.placed(error) : error;
    }
  }

  /** Throws when the skeleton is wrong before its end, or may not go on with a string. */
  readUpToString(): void {
    const text = `${this.text}"`;
    const end = positionOf(text, text.length);
    try {
      readJson(text);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      if (error.line !== end.line || error.column !== end.column) throw this.placed(error);
    }
  }

  private placed(fault: JsonFault): JsonFault {
    const { line, column } = this.inBody(fault);
    return new JsonFault(fault.message, line, column);
  }

  private inBody({ line, column }: Position): Position {
    let seen = indexOfLine(this.text, line);
    let skeletonColumn = 1;
    let missing = 0;
    for (const standIn of this.standIns) {
      if (standIn.at < seen) continue;
      const between = positionOf(this.text.slice(seen, standIn.at), standIn.at - seen);
      skeletonColumn += between.column - 1;
      if (between.line > 1 || skeletonColumn >= column) break;
      seen = standIn.at;
      missing += standIn.missing;
    }
    return { line, column: column + missing };
  }
}

function indexOfLine(text: string, line: number): number {
  let at = 0;
  for (let n = 1; n < line; n += 1) at = text.indexOf('\n', at) + 1;
  return at;
}
