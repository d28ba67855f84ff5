import type { CST } from 'yaml';

/** Each opening bracket or quote, and the character that closes it. */
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', "'": "'", '"': '"' };

export interface Unclosed {
  readonly offset: number;
  readonly message: string;
}

/** The last bracket or quote before the offset that is never closed. The parser only notices it where the text cannot go on. */
export function unclosedBefore(tokens: readonly CST.Token[], offset: number): Unclosed | null {
  let last: Unclosed | null = null;
  // A loop, because hostile texts are nested deeply.
  const todo: unknown[] = [...tokens];
  for (let token = todo.pop(); todo.length > 0 || token !== undefined; token = todo.pop()) {
    if (typeof token !== 'object' || token === null) continue;
    const opened = findUnclosed(token as CST.Token);
    if (opened !== null && opened.offset < offset && opened.offset >= (last?.offset ?? 0)) last = opened;
    todo.push(...Object.values(token).filter((inside) => typeof inside === 'object'));
  }
  return last;
}

function findUnclosed(token: CST.Token): Unclosed | null {
  if (token.type === 'flow-collection') {
    const { source, offset } = token.start;
    return token.end.some((end) => end.source === CLOSING[source]) ? null : describeUnclosed(source, offset);
  }
  if (token.type !== 'single-quoted-scalar' && token.type !== 'double-quoted-scalar') return null;
  const { source, offset } = token;
  const quote = source.charAt(0);
  return source.length > 1 && source.endsWith(quote) ? null : describeUnclosed(quote, offset);
}

function describeUnclosed(opening: string, offset: number): Unclosed {
  return { offset, message: `YAML: ${opening} is not closed; add ${CLOSING[opening]} after what it begins` };
}
