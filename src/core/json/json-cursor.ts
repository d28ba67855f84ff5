import { buildJsonFault } from './json-fault.js';

/** A position in a text that is read once, from start to end. */
export class TextCursor {
  protected at = 0;

  constructor(protected readonly text: string) {}

  protected takeWord(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  protected step(): void {
    this.at += 1;
    this.skipBlanks();
  }

  protected skipBlanks(): void {
    while (isBlank(this.code())) this.at += 1;
  }

  protected code(): number {
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : -1;
  }

  protected failExpecting(expected: string): never {
    this.fail(`Found ${describeCharacter(this.text, this.at)}, expected ${expected}`);
  }

  protected fail(message: string, at = this.at): never {
    throw buildJsonFault(this.text, at, message);
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const BLANK_NAMES = new Map([
  ['\t', 'a tab'],
  ['\n', 'a line feed'],
  ['\r', 'a carriage return'],
  [' ', 'a space'],
  ['"', 'a double quote'],
]);

/** A description of the character at an index, for messages. Never shows digits. */
export function describeCharacter(text: string, at: number): string {
  if (at >= text.length) return 'the end of the text';
  const character = text.charAt(at);
  const code = text.charCodeAt(at);
  if (isDigit(code)) return 'a digit';
  if (/[a-z]/i.test(character)) return 'a letter';
  if (code > 0x7f) return 'a non-ASCII character';
  const isControl = code < 0x20 || code === 0x7f;
  return BLANK_NAMES.get(character) ?? (isControl ? 'a control character' : `"${character}"`);
}

/** At most 20 characters of a name, with digits and unprintable characters hidden. */
export function quoteName(name: string): string {
  const characters = Array.from(name);
  const shown = characters
    .slice(0, 20)
    .join('')
    .replace(/\p{N}/gu, '#')
    .replace(/[\p{C}\p{Z}]/gu, ' ');
  return characters.length > 20 ? `"${shown}…"` : `"${shown}"`;
}
