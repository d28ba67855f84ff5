/**
 * Why a text is not acceptable JSON. `line` and `column` count from 1 in characters. The message never
 * holds digits of the text: a card number might stand there.
 */
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
