import { TextCursor, describeCharacter, isDigit } from './json-cursor.js';

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

export class StringCursor extends TextCursor {
  protected readString(): string {
    const text = this.text;
    const start = this.at;
    let hasEscape = false;
    let at = start + 1;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
      if (code >= 0x20 && code !== BACKSLASH) {
        at += 1;
        continue;
      }
      this.at = at;
      if (code !== BACKSLASH) this.failInString();
      hasEscape = true;
      this.skipEscape();
      at = this.at;
    }
    this.at = at + 1;
    // V8 copies slices of up to 12 characters. A longer slice would keep the whole text in memory, so it is parsed.
    if (!hasEscape && at - start <= 13) return text.slice(start + 1, at);
    return JSON.parse(text.slice(start, at + 1)) as string;
  }

  private failInString(): never {
    if (this.code() < 0) this.failExpecting('the closing quote of the string');
    this.fail(`Found ${describeCharacter(this.text, this.at)} in a string, expected an escape such as \\n`);
  }

  private skipEscape(): void {
    const start = this.at;
    this.at += 1;
    if (this.code() < 0 || !'"\\/bfnrtu'.includes(this.text.charAt(this.at))) {
      this.failExpecting('one of " \\ / b f n r t u after a backslash');
    }
    if (this.code() !== LOWER_U) {
      this.at += 1;
      return;
    }
    const unit = this.readHexUnit();
    if (unit === 0) this.fail('Found the escape of a NUL character, expected text without it', start);
    if (unit < 0xd800 || unit > 0xdfff) return;
    const isPair = unit < 0xdc00 && this.text.startsWith('\\u', this.at) && this.hasLowHalf();
    if (!isPair) this.fail('Found half of a surrogate pair in an escape, expected both halves', start);
  }

  private hasLowHalf(): boolean {
    this.at += 1;
    const unit = this.readHexUnit();
    return unit >= 0xdc00 && unit <= 0xdfff;
  }

  /** Reads the four digits of a `\u` escape, from its `u` on. */
  private readHexUnit(): number {
    this.at += 1;
    for (let n = 0; n < 4; n += 1, this.at += 1) {
      const code = this.code() | 0x20;
      if (!isDigit(this.code()) && !(code >= 0x61 && code <= 0x66)) {
        this.failExpecting('four hexadecimal digits after \\u');
      }
    }
    return parseInt(this.text.slice(this.at - 4, this.at), 16);
  }
}
