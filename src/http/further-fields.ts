import { Fault, optional, required, type Member, wholeOf } from './fields.js';

/** Members that few contracts have; no start pays for them. */

/** A whole number within bounds. */
export const optionalWhole = (min: number, max: number): Member<number | null> =>
  optional((value) => {
    const whole = wholeOf(value) ?? -1;
    return whole >= min && whole <= max ? whole : new Fault(`must be a whole number from ${min} to ${max}`);
  });

/** One of a few words, exactly as written; it must be there. The sdk dialect takes them in any case. */
export const word = <W extends string>(...words: W[]): Member<W> =>
  required(
    (value) => {
      const found = words.find((one) => one === value);
      return found ?? new Fault(`must be one of ${words.join(', ')}`);
    },
    String(words[0]),
    words,
  );
