import type { IncomingMessage, ServerResponse } from 'node:http';

import { answerBy } from './answer.js';
import { Framing } from './framing.js';
import { giveUp, loseAnswer, type Served } from './serve.js';
import { Turns } from './turns.js';
import { SEND_TIMEOUT_MS, Unsent, UNSENT_BYTES_MAX } from './unsent.js';

/** Answers the requests that the server of an app passes on. */
export function listenInApp({
  app,
  worlds,
}: Served): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const framing = new Framing(worlds?.dialect);
  const limits = { timeoutMs: SEND_TIMEOUT_MS, bytesMax: UNSENT_BYTES_MAX };
  return answerBy((request, env) => app.fetch(request, env), {
    giveUp: (error, response) => giveUp(error, response, { lose: loseAnswer }, framing),
    isClosing: () => false,
    turns: new Turns(),
    unsent: new Unsent(limits, ({ socket }) => socket),
    overrideGlobalObjects: false,
    isMounted: true,
  });
}
