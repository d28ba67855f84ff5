/** What was found: good, worth knowing, or in need of attention. */
export interface Finding {
  /** What was looked at, such as `node` or `PLAYMONEY_PORT`. */
  readonly name: string;
  readonly status: 'ok' | 'note' | 'attention';
  /** One line; keys and tokens are not in it. */
  readonly message: string;
}
