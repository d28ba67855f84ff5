import { TRACE_FIELD } from '../../control/journal/trace.js';
import { parsePan } from '../../core/cards/card.js';
import { isTestCard } from '../../outcomes/magic.js';

const DIGITS = /"(\d[\d -]+)"/g;
/** Longer than a number in quotes, and than the beginning of a trace. */
const TAIL_LENGTH = 64;
/** The calls of a trace have stand-ins for card numbers. */
const TRACE = `${TRACE_FIELD}{"Format"`;

/** Finds full card numbers, other than published test cards, in a bundle that is read in pieces. */
export class CardNumberFinder {
  isFound = false;
  #tail = '';
  #isInTrace = false;

  read(piece: string): void {
    if (this.#isInTrace) return;
    const text = this.#tail + piece;
    const end = text.indexOf(TRACE);
    this.#isInTrace = end >= 0;
    this.#search(this.#isInTrace ? text.slice(0, end) : text);
    this.#tail = text.slice(-TAIL_LENGTH);
  }

  #search(text: string): void {
    this.isFound ||= [...text.matchAll(DIGITS)].some(([, digits = '']) => {
      const { pan } = parsePan(digits);
      return pan !== undefined && !isTestCard(pan);
    });
  }
}
