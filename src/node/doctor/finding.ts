/** What was found: good, worth knowing, or in need of attention. */
export interface Finding {
  /** What was looked at, such as `node` or `PLAYMONEY_PORT`. */
  readonly name: string;
  readonly status: 'ok' | 'note' | 'attention';
  /** One line; keys and tokens are not in it. */
  readonly message: string;
}

/** What is as it should be. */
export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message };
}

/** What is worth knowing. */
export function note(name: string, message: string): Finding {
  return { name, status: 'note', message };
}

/** What needs attention. */
export function attention(name: string, message: string): Finding {
  return { name, status: 'attention', message };
}
