/** One answer, read from the bytes of a connection. */
export interface Reply {
  readonly status: number;
  /** Head and body. */
  readonly text: string;
  /** The JSON object of the body; empty where it is none. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** The answers in the bytes of a connection, one after the other, each as long as its head says. */
export function repliesOf(came: string, isHead = false): Reply[] {
  const replies: Reply[] = [];
  let rest = came;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1]);
    if (end < 0 || Number.isNaN(status))
      throw new Error(`No answer begins with ${JSON.stringify(rest.slice(0, 200))}`);
    const head = rest.slice(0, end);
    const afterHead = rest.slice(end + 4);
    const [body, taken] = status < 200 || status === 204 || isHead ? ['', 0] : bodyOf(head, afterHead);
    const json = /content-type: application\/json/i.test(head) && body !== '' ? read(body) : {};
    replies.push({ status, text: `${head}\n${body}`, body: json, message: messageOf(json) ?? body });
    rest = afterHead.slice(taken);
  }
  return replies;
}

function messageOf({ Message: message }: Reply['body']): string | undefined {
  return typeof message === 'string' ? message : undefined;
}

function read(body: string): Reply['body'] {
  return JSON.parse(Buffer.from(body, 'latin1').toString()) as Reply['body'];
}

function bodyOf(head: string, after: string): [body: string, taken: number] {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return [after.slice(0, Number(length)), Number(length)];
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return [after, after.length];
  let body = '';
  let at = 0;
  for (;;) {
    const line = after.indexOf('\r\n', at);
    const size = parseInt(after.slice(at, line), 16);
    if (!(size > 0)) return [body, line + 4];
    body += after.slice(line + 2, line + 2 + size);
    at = line + 4 + size;
  }
}
