import { ApiError } from '../../core/errors.js';

/** What messages call an option: on the command line, and after it in a program. */
const OPTION = /--[a-z]+(?:-[a-z]+)*/g;
const IN_PROGRAM = /, in a program with the option \w+/g;

/** What has the settings of a sandbox, as far as messages need them. */
interface Settled {
  readonly settings: { readonly optionNames: Readonly<Record<string, string>> | null };
}

/** An error with the names that options have where the sandbox runs. */
export function inWordsOf({ settings: { optionNames: names } }: Settled, error: ApiError): ApiError {
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
