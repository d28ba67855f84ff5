import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Attributes of fields for names and keys, which no browser should correct. */
export const PLAIN_TEXT = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

/** How long after the last keystroke a list is searched, in milliseconds. */
const TYPING_MS = 200;

export interface ListFilter {
  readonly name: string;
  readonly label: string;
  /** The values to choose from; a filter without them is a text field. */
  readonly options?: readonly string[];
  /** How the values are shown, if not as they are. */
  readonly words?: Readonly<Record<string, string>>;
  /** Values that the server lists, with how they are shown. */
  readonly read?: () => Readonly<Record<string, string>>;
  /** A field for something short; the value of a date is the instant at which it begins. */
  readonly type?: 'short' | 'date';
}

interface FiltersProps {
  readonly filters: readonly ListFilter[];
  readonly values: URLSearchParams;
  readonly changed: (name: string, value: string) => void;
}

/** The filters of a list, which apply at once. */
export function Filters({ filters, values, changed }: FiltersProps) {
  return (
    <search class="filters row">
      {filters.map(({ name, label, type, read, words = read?.() ?? {}, ...given }) => {
        const value = values.get(name) ?? '';
        const options = read === undefined ? given.options : Object.keys(words);
        const found = (text: string): void => changed(name, text);
        if (type === 'date') return <DateField key={name} {...{ name, label, value, found }} />;
        if (options === undefined) return <Search key={name} {...{ name, label, value, type, found }} />;
        return <ChoiceField key={name} {...{ name, label, value, options, words, found }} />;
      })}
    </search>
  );
}

interface SearchProps {
  readonly label: string;
  readonly name?: string;
  readonly value?: string;
  readonly type?: ListFilter['type'];
  readonly found: (text: string) => void;
}

/** A search field. What is typed is never replaced by what was found for an earlier text. */
export function Search({ label, name = 'search', value = '', type, found }: SearchProps) {
  const field = useRef<HTMLInputElement>(null);
  const typing = useRef(0);
  useLayoutEffect(() => {
    const { current: input } = field;
    if (input === null || (document.activeElement === input && typing.current !== 0)) return;
    if (input.value.trim() !== value) input.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(typing.current), []);
  const search = (): void => {
    clearTimeout(typing.current);
    typing.current = window.setTimeout(() => {
      typing.current = 0;
      found(field.current?.value.trim() ?? '');
    }, TYPING_MS);
  };
  return (
    <input
      ref={field}
      type="search"
      class={type}
      name={name}
      aria-label={label}
      placeholder={label}
      onInput={search}
      {...PLAIN_TEXT}
    />
  );
}

function DateField({ label, name, value = '', found }: SearchProps) {
  return (
    <label class="soft">
      {label}{' '}
      <input
        type="date"
        name={name}
        value={value.slice(0, 10)}
        onChange={({ currentTarget: { value: day } }) => found(day === '' ? '' : `${day}T00:00:00Z`)}
      />
    </label>
  );
}

interface ChoiceProps extends Required<Omit<SearchProps, 'found' | 'type'>> {
  readonly options: readonly string[];
  readonly words: Readonly<Record<string, string>>;
  readonly found: (value: string) => void;
}

function ChoiceField({ label, name, value, options, words, found }: ChoiceProps) {
  return (
    <select
      name={name}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => found(currentTarget.value)}
    >
      <option value="">Any {label.toLowerCase()}</option>
      <OptionList
        words={value === '' || options.includes(value) ? options : [...options, value]}
        labels={words}
      />
    </select>
  );
}

interface OptionListProps {
  readonly words: readonly string[];
  /** How the words are shown, if not as they are. */
  readonly labels?: Readonly<Record<string, string>>;
}

export function OptionList({ words, labels = {} }: OptionListProps) {
  return (
    <>
      {words.map((word) => (
        <option key={word} value={word}>
          {labels[word] ?? word}
        </option>
      ))}
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly name: string;
  readonly note?: string;
  readonly isSecret?: boolean;
  readonly first?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
}

/** A field of a form that is read when the form is sent. It keeps what is typed while the page renders again. */
export function TextField({
  label,
  name,
  note,
  isSecret = false,
  first = '',
  hint,
  isRequired = false,
}: TextProps) {
  const kind = isSecret ? ({ type: 'password' } as const) : ({ type: 'text' } as const);
  return (
    <label>
      {label} {note === undefined ? null : <span class="soft">{note}</span>}
      <input
        name={name}
        {...kind}
        defaultValue={first}
        placeholder={hint}
        required={isRequired}
        {...PLAIN_TEXT}
      />
    </label>
  );
}

/** The texts of a form that is being sent. */
export function readForm(event: Event): {
  readonly form: HTMLFormElement;
  readonly texts: Readonly<Record<string, string>>;
} {
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  const pairs = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : '',
  ]);
  return { form, texts: Object.fromEntries(pairs) as Record<string, string> };
}
