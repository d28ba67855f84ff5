/** An event of a stream: its name, and what it tells. */
export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

/** The events of an answer, as they come; comments are left out. It ends with the answer, and throws where that breaks off. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== null) yield event;
    }
  }
}

function eventOf(block: string): StreamEvent | null {
  const members = new Map(
    block.split('\n').map((line): [string, string] => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const name = members.get('event');
  return name === undefined ? null : { name, data: JSON.parse(members.get('data') ?? 'null') as unknown };
}
