import { CODE } from '../../core/errors.js';
import { route } from '../../http/route.js';
import { parseDocument, receiveDocument } from '../snapshots/document.js';
import { OpenableFile, OpenedResponse } from './schema.js';

/** The operation that opens a file, as `playmoney open` does. */
export const OPEN_ROW = route({
  method: 'post',
  path: '/_sandbox/open',
  id: 'openFile',
  summary: 'Open a file in a new world',
  text: 'Opens a bundle or a state as it was saved; the calls of a trace, a journal or an HTTP archive are sent to the new world at their instants. Each new world has the key of the call, followed by -1, -2 and so on. No other world changes.',
  body: OpenableFile,
  readsBody: true,
  response: OpenedResponse,
  errors: [
    [CODE.ValidationError, 409],
    [CODE.ValidationError, 413],
  ],
  handle: async (c) => {
    const { openFile } = await import('./operations.js');
    const body = await receiveDocument(c);
    return c
      .get('edge')
      .memory.runAlone(() =>
        openFile(c, parseDocument(c, body, 'a bundle, state, trace, journal or HTTP archive (HAR)')),
      );
  },
});
