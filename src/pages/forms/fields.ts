import type { PlaymoneyError } from '../calls/error.js';
import {
  ccvMistake,
  removeSpacing,
  expiryMistake,
  groupCardNumber,
  normaliseExpiry,
  numberMistake,
} from './card-rules.js';
import { makeElement } from './elements.js';
import type { CardInput } from '../calls/tokenise.js';

export interface FieldRow {
  readonly name: string;
  /** The field's name in requests and in error details, such as `PaymentInformation.CardNumber`. */
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  readonly isHalf?: true;
  readonly attributes: Readonly<Record<string, string>>;
  readonly findMistake: (text: string, textOf: (name: string) => string) => string | null;
  /** Formats the text while the user types at its end. */
  readonly formatTyped?: (text: string) => string;
}

const DIGITS = { inputmode: 'numeric', spellcheck: 'false' };

export const CARD_ROWS: readonly (FieldRow & { readonly name: keyof CardInput })[] = [
  {
    name: 'cardNumber',
    path: 'PaymentInformation.CardNumber',
    label: 'Card number',
    attributes: { ...DIGITS, autocomplete: 'cc-number', maxlength: '40', required: '' },
    findMistake: numberMistake,
    formatTyped: groupCardNumber,
  },
  {
    name: 'expiryDate',
    path: 'PaymentInformation.ExpiryDate',
    label: 'Expiry date',
    hint: 'MM/YY',
    isHalf: true,
    attributes: { ...DIGITS, autocomplete: 'cc-exp', maxlength: '12', required: '' },
    findMistake: expiryMistake,
    formatTyped: (text) => (/^\d{3,4}$/.test(text) ? `${text.slice(0, 2)}/${text.slice(2)}` : text),
  },
  {
    name: 'ccv',
    path: 'PaymentInformation.Ccv',
    label: 'Security code',
    hint: 'optional',
    isHalf: true,
    attributes: { ...DIGITS, autocomplete: 'cc-csc', maxlength: '4' },
    findMistake: (text, textOf) => ccvMistake(text, textOf('cardNumber')),
  },
  {
    name: 'cardholder',
    path: 'PaymentInformation.Cardholder',
    label: 'Name on card',
    hint: 'optional',
    attributes: { autocomplete: 'cc-name', maxlength: '256' },
    findMistake: () => null,
  },
];

class FormField {
  readonly input: HTMLInputElement;
  readonly block: HTMLElement;
  readonly #fault: HTMLElement;

  constructor(
    readonly row: FieldRow,
    id: string,
    private readonly textOf: (name: string) => string,
  ) {
    const { label, hint, isHalf, attributes } = row;
    this.input = makeElement('input', {
      ...attributes,
      id,
      name: row.name,
      'aria-describedby': `${id}-fault`,
    });
    this.#fault = makeElement('p', { class: 'playmoney-error', id: `${id}-fault` });
    const labelled = makeElement('label', { for: id }, label);
    if (hint !== undefined) labelled.append(makeElement('span', { class: 'playmoney-hint' }, ` (${hint})`));
    this.block = makeElement(
      'div',
      isHalf ? { class: 'playmoney-half' } : {},
      labelled,
      this.input,
      this.#fault,
    );
    this.input.addEventListener('input', () => this.#onInput());
    // An empty field shows no error until the form is sent.
    this.input.addEventListener('blur', () => this.input.value.trim() !== '' && this.check());
  }

  check(): boolean {
    this.show(this.row.findMistake(this.input.value, this.textOf));
    return !this.isFaulty;
  }

  show(fault: string | null): void {
    this.#fault.textContent = fault ?? '';
    if (fault === null) this.input.removeAttribute('aria-invalid');
    else this.input.setAttribute('aria-invalid', 'true');
  }

  get isFaulty(): boolean {
    return this.#fault.textContent !== '';
  }

  #onInput(): void {
    const { input, row } = this;
    // Formatting in the middle of the text would move the caret.
    const atEnd = input.selectionStart === input.value.length;
    if (row.formatTyped && atEnd) input.value = row.formatTyped(input.value);
    if (this.isFaulty) this.check();
  }
}

export function readCardInput(fields: FormFields): CardInput {
  return {
    cardNumber: removeSpacing(fields.readTyped('cardNumber')),
    expiryDate: normaliseExpiry(fields.readTyped('expiryDate')),
    ccv: fields.readTyped('ccv'),
    cardholder: fields.readTyped('cardholder'),
  };
}

export class FormFields {
  readonly #fields: readonly FormField[];

  constructor(id: string, rows: readonly FieldRow[]) {
    this.#fields = rows.map((row) => new FormField(row, `${id}-${row.name}`, (name) => this.readTyped(name)));
  }

  get blocks(): readonly HTMLElement[] {
    return this.#fields.map(({ block }) => block);
  }

  write(texts: Readonly<Record<string, string | undefined>>): void {
    for (const field of this.#fields) {
      const { row, input } = field;
      const text = texts[row.name];
      if (text === undefined) continue;
      input.value = row.formatTyped?.(text) ?? text;
      field.show(null);
    }
  }

  /** Checks all fields and focuses the first invalid one; returns whether all are valid. */
  check(): boolean {
    for (const field of this.#fields) field.check();
    return this.#focusFirst();
  }

  /** Shows an error next to the fields that it names; returns whether it names any. */
  showErrors({ message, details }: PlaymoneyError): boolean {
    const reasons = Object.entries(details);
    for (const [path, reason] of reasons) {
      const field = this.#fields.find(({ row }) => row.path === path);
      // The message says more than the reason, but it covers all wrong fields.
      field?.show(reasons.length === 1 ? message : `${field.row.label}: ${reason}.`);
    }
    return !this.#focusFirst();
  }

  #focusFirst(): boolean {
    const faulty = this.#fields.find(({ isFaulty }) => isFaulty);
    faulty?.input.focus();
    return faulty === undefined;
  }

  readTyped(name: string): string {
    return (this.#fields.find(({ row }) => row.name === name)?.input.value ?? '').trim();
  }
}
