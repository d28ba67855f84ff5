import { formatCount, isObject } from '../../core/text/text.js';
import type { IdentifierMap } from './identifier-map.js';
import { maskPans } from '../../core/cards/card.js';
import { findFieldOrders, findMovedItems, type OrderChange } from './order.js';

const DIFFERENCES_MAX = 20;
const VALUE_LENGTH_MAX = 100;
/** If more fields are missing, they share a line. */
const GONE_MAX = 3;
const ALIKE_LENGTH = 20;

/** A difference from the recorded answer; undefined stands for a missing field. */
export interface AnswerDifference {
  /** The path of the field, such as `Refunds.0.Amount`. */
  readonly place: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
  /** Set when the difference is not about a value. */
  readonly about?: 'answer' | 'status' | 'order';
}

export interface DiffOptions {
  readonly ignored: ReadonlySet<string>;
  /** Whether an answer was cut, so that nothing is known of its rest. */
  readonly cut: { readonly recorded: boolean; readonly replayed: boolean };
}

/** The differences between two answers, in the order of the recorded one. Pairs new identifiers. */
export function diffAnswers(
  recorded: unknown,
  replayed: unknown,
  ids: IdentifierMap,
  options: DiffOptions,
): readonly AnswerDifference[] {
  const found: AnswerDifference[] = [];
  new AnswerComparison(ids, options, found).compare([], recorded, replayed);
  return found;
}

class AnswerComparison {
  constructor(
    private readonly ids: IdentifierMap,
    private readonly options: DiffOptions,
    private readonly found: AnswerDifference[],
  ) {}

  compare(path: readonly string[], recorded: unknown, replayed: unknown): void {
    const field = path.findLast((name) => !/^\d+$/.test(name)) ?? '';
    if (this.options.ignored.has(field) || this.#isCutAway(recorded, replayed)) return;
    if (typeof recorded === 'string' && typeof replayed === 'string') {
      return this.#texts(path, field, recorded, replayed);
    }
    if (Array.isArray(recorded) && Array.isArray(replayed)) return this.#lists(path, recorded, replayed);
    if (isObject(recorded) && isObject(replayed)) {
      const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
      for (const name of names)
        this.compare([...path, name], fieldNamed(recorded, name), fieldNamed(replayed, name));
      this.#noteOrder(path, findFieldOrders(recorded, replayed, this.options.ignored));
      return;
    }
    if (recorded !== replayed) this.#note(path, recorded, replayed);
  }

  #isCutAway(recorded: unknown, replayed: unknown): boolean {
    const { cut } = this.options;
    return (recorded === undefined && cut.recorded) || (replayed === undefined && cut.replayed);
  }

  #lists(path: readonly string[], recorded: readonly unknown[], replayed: readonly unknown[]): void {
    const { cut } = this.options;
    const isShort = recorded.length < replayed.length ? cut.recorded : cut.replayed;
    if (recorded.length !== replayed.length && !isShort) {
      this.#note(
        path,
        new ShownLabel(formatCount(recorded.length, 'item')),
        new ShownLabel(formatCount(replayed.length, 'item')),
      );
    }
    const moved = findMovedItems(recorded, replayed, this.ids);
    this.#noteOrder(path, moved);
    const both = Math.min(recorded.length, replayed.length);
    for (let n = 0; n < both; n++) {
      this.compare([...path, String(n)], recorded[n], replayed[moved?.places[n] ?? n]);
    }
  }

  #texts(path: readonly string[], field: string, recorded: string, replayed: string): void {
    const { cut } = this.options;
    const [one, other] =
      cut.recorded || cut.replayed ? cutToSameLength(recorded, replayed) : [recorded, replayed];
    if (this.ids.isAlike(field, one, other)) return;
    const [ones, others] = [one.split('\n'), other.split('\n')];
    // In a table, such as the Results of a batch, only the lines that differ are of interest.
    if (ones.length === 1 || ones.length !== others.length) return this.#note(path, one, other);
    for (const [n, line] of ones.entries()) {
      const now = others[n] ?? '';
      if (!this.ids.isAlike('', line, now)) this.#note([...path, `line ${n + 1}`], line, now);
    }
  }

  #noteOrder(path: readonly string[], orders: OrderChange | null): void {
    if (orders === null) return;
    const [recorded, replayed] = [new ShownLabel(orders.recorded), new ShownLabel(orders.replayed)];
    this.found.push({ place: joinPlace(path), recorded, replayed, about: 'order' });
  }

  #note(path: readonly string[], recorded: unknown, replayed: unknown): void {
    this.found.push({ place: joinPlace(path), recorded, replayed });
  }
}

function joinPlace(path: readonly string[]): string {
  return path.join('.') || 'body';
}

/** Text that is shown instead of a value. */
export class ShownLabel {
  constructor(readonly text: string) {}
}

function fieldNamed(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Cuts two texts to the length of the shorter one, and drops the last word, which may be incomplete. */
function cutToSameLength(one: string, other: string): [string, string] {
  if (one === other) return [one, other];
  const length = Math.min(one.length, other.length);
  const end = (text: string): string => text.slice(0, length).replace(/[\w.:+-]*$/, '');
  return [end(one), end(other)];
}

export function changesOutcome({ about, recorded, replayed }: AnswerDifference): boolean {
  return about === 'status' && isSuccess(recorded) !== isSuccess(replayed);
}

function isSuccess(status: unknown): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** A refusal has other fields than a success: the status, the code and the message are enough. */
function pickTelling(differences: readonly AnswerDifference[]): readonly AnswerDifference[] {
  if (!differences.some(changesOutcome)) return differences;
  return differences.filter(({ about, place }) => about === 'status' || /^(?:code|message)$/i.test(place));
}

/** A line for each difference: changed fields, then new ones, then missing ones. */
export function formatDifferences(all: readonly AnswerDifference[]): string[] {
  const differences = pickTelling(all);
  const changed: string[] = [];
  const added: string[] = [];
  const gone: AnswerDifference[] = [];
  const empty: string[] = [];
  for (const difference of differences) {
    const { place, recorded, replayed } = difference;
    if (replayed === undefined) gone.push(difference);
    // An error has many fields that may be null; these share a line.
    else if (recorded === undefined && replayed === null) empty.push(place);
    else (recorded === undefined ? added : changed).push(formatDifference(difference));
  }
  if (empty.length > 0) added.push(`absent → null: ${shortenValue(empty.join(', '))}`);
  const goneLines =
    gone.length > GONE_MAX
      ? [`missing: ${shortenValue(gone.map(({ place }) => place).join(', '))}`]
      : gone.map(formatDifference);
  const lines = [...changed, ...added, ...goneLines];
  const more = lines.length - DIFFERENCES_MAX;
  return more > 0 ? [...lines.slice(0, DIFFERENCES_MAX), `and ${more} more`] : lines;
}

function formatDifference(difference: AnswerDifference): string {
  return `${difference.place}: ${formatChange(difference)}`;
}

/** A change such as `"AUD" → "NZD"`. */
export function formatChange({
  recorded,
  replayed,
}: Pick<AnswerDifference, 'recorded' | 'replayed'>): string {
  const [one, other] = trimCommonStart(formatValue(recorded), formatValue(replayed));
  return `${shortenValue(one)} → ${shortenValue(other)}`;
}

function formatValue(value: unknown): string {
  if (value === undefined) return 'absent';
  return maskPans(value instanceof ShownLabel ? value.text : JSON.stringify(value));
}

/** Two texts, from a little before their first difference when one is long. */
function trimCommonStart(one: string, other: string): [string, string] {
  if (Math.max(one.length, other.length) <= VALUE_LENGTH_MAX) return [one, other];
  let alike = 0;
  while (alike < one.length && one[alike] === other[alike]) alike++;
  const from = alike - ALIKE_LENGTH;
  return from <= 0 ? [one, other] : [`…${one.slice(from)}`, `…${other.slice(from)}`];
}

function shortenValue(text: string): string {
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
