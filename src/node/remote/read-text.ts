/** An answer is longer than its reader allows. */
export class AnswerTooLong extends Error {}

/** The text of an answer, which a fault may send slowly, and a stream without end. Rejects if the signal aborts, or with AnswerTooLong. */
export async function readTextWithin(
  { body }: Response,
  signal: AbortSignal,
  bytesMax: number,
): Promise<string> {
  const reader = body?.getReader();
  if (reader === undefined) return '';
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
  const read: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return Buffer.concat(read).toString();
      length += value.length;
      if (length > bytesMax) throw new AnswerTooLong(`the answer has more than ${bytesMax} bytes`);
      read.push(value);
    }
  } finally {
    // Ends the stream at its source. Nothing waits for this: a hanging one may never end.
    reader.cancel().catch(() => {});
  }
}
