/** The maximum number of bytes that are logged of the body of a response: our own limit. */
export const ANSWER_LOGGED_MAX = 4_096;

/** Why a post that was aborted has no response. */
export const ABORTED = 'it was aborted';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Which receivers are allowed: only loopback and private addresses, or public ones as well. */
  readonly reach: 'private' | 'public';
  /** Aborted when the time for a response is over, or when the world has ended. */
  readonly signal: AbortSignal;
}

/** The result of a post: the status of the response, why there was none, or why it was not sent. */
export type Posted =
  | {
      readonly status: number;
      /** The headers of the response, for the log. */
      readonly headers?: Readonly<Record<string, string>>;
      /** The beginning of the body of the response, for the log. */
      readonly body?: string;
      /** For the log, such as that a certificate was not checked. */
      readonly note?: string;
    }
  | {
      readonly failed: string;
      /** Whether the host name did not resolve or the time ran out. Later attempts are then given less time. */
      readonly cause?: 'name' | 'time';
    }
  | { readonly withheld: string };
