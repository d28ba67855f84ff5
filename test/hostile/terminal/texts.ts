/** A ready line that this program did not print. */
export const FORGED = 'playmoney listening on http://evil.example:1';

/** Texts that would change what a terminal shows, or what a program reads from the output. */
export const TEXTS: Readonly<Record<string, string>> = {
  'a colour': '\u001B[31mred\u001B[0m',
  'a cursor that moves up and clears': '\u001B[1A\u001B[2Kgone',
  'a cleared screen': '\u001B[2J\u001B[H',
  'a link of OSC 8': '\u001B]8;;http://evil.example\u0007click\u001B]8;;\u0007',
  'a title': '\u001B]0;title\u001B\\',
  'a clipboard': '\u001B]52;c;aGk=\u0007',
  'a control sequence of C1': '\u009B31mred\u009D0;title\u009C',
  'a carriage return': `x\r${FORGED}`,
  'a line end': `x\n${FORGED}`,
  both: `x\r\n${FORGED}\r\n`,
  'a vertical tab and a form feed': `x\u000B${FORGED}\u000C${FORGED}`,
  'a next line of C1': `x\u0085${FORGED}`,
  'separators of Unicode': `x\u2028${FORGED}\u2029${FORGED}`,
  'text from right to left': '\u202Eelif\u202C \u2066x\u2069 \u200F\u061C',
  'characters without width': 'play\u200Bmoney\u2060\uFEFF\u00AD',
  'tags of Unicode': 'x\u{E0041}\u{E007F}',
  'backspaces and deletes': 'bad\b\b\bgood\u007F',
  'a bell and a shift': '\u0007\u000E\u000F',
  'a hundred thousand letters': 'x'.repeat(100_000),
  'all at once': `\u001B[31m\u009B1m\r\n${FORGED}\u2028\u202E\u0085\b\u0007`,
};
