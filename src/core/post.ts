export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Which receivers are posted to: those on loopback and private addresses alone, or public ones as well. */
  readonly reach: 'private' | 'public';
  /** Aborted when the time for an answer is over, and when the world that posts has ended. */
  readonly signal: AbortSignal;
}

/** What became of a post: the status of its answer, why none came, or why it was not sent. */
export type Posted =
  | {
      readonly status: number;
      /** For the log, such as that a certificate was not checked. */
      readonly note?: string;
    }
  | { readonly failed: string }
  | { readonly withheld: string };
