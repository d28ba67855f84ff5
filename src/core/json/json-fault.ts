/** Why a text is not JSON. `line` and `column` count from 1. Its message has no digits of the text: they might be a card's. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';

  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
  }
}

/** A fault at an index of a text. Columns count code points, like editors. */
export function buildJsonFault(text: string, at: number, message: string): JsonFault {
  let line = 1;
  let column = 1;
  for (let before = 0; before < at; before += 1) {
    const code = text.charCodeAt(before);
    if (code === 0x0a) {
      line += 1;
      column = 1;
    } else if (code < 0xdc00 || code > 0xdfff) {
      column += 1;
    }
  }
  return new JsonFault(message, line, column);
}
