import { ApiError } from '../../core/errors.js';
import type { EdgeSettings } from '../exchange.js';

/** An option in a message: by its name on the command line, which its name in a program follows. */
const OPTION = /--[a-z]+(?:-[a-z]+)*/g;
const IN_PROGRAM = /, in a program with the option \w+/g;

/** An error with the names that options have where the sandbox runs. */
export function renameOptions(
  error: ApiError,
  { optionNames: names }: Pick<EdgeSettings, 'optionNames'>,
): ApiError {
  if (names === null) return error;
  const { refusal } = error;
  const reword = (text: string): string =>
    text.replaceAll(IN_PROGRAM, '').replaceAll(OPTION, (option) => names[option] ?? option);
  const details = Object.entries(refusal.details ?? {}).map(([name, text]) => [name, text && reword(text)]);
  return new ApiError({
    ...refusal,
    detail: reword(refusal.detail),
    ...(details.length > 0 ? { details: Object.fromEntries(details) as Record<string, string | null> } : {}),
  });
}
