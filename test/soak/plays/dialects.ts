import { successStatus } from '../../support/conformity.js';
import { CALLS, written } from '../../support/service-calls.js';
import { SPELLINGS } from '../../support/spellings.js';
import { membersOf, textAt } from '../player.js';
import type { Play } from './play.js';

const SDK = { 'x-sandbox-dialect': 'sdk' };
/** Nobody looks for this one in the names of the internet. */
const WITHHELD_ADDRESS = '[fd00:ec2::254]';

/** Every operation as client libraries send it, in one spelling after the other: all answers are the same to the byte, each time. */
export function spellingPlay(): Play {
  let first: readonly string[] | null = null;
  return async (player) => {
    await player.ask('POST /_sandbox/reset', {});
    const spelling = player.dice.of(Object.values(SPELLINGS));
    const kept = new Map<string, string>();
    const texts: string[] = [];
    for (const call of CALLS) {
      const { path: asked, body } = written(call, spelling, kept);
      const line = `${call.method} ${asked}`;
      const reachable = body?.replaceAll('example.com', WITHHELD_ADDRESS);
      const answer = await player.send(line, reachable, { ...spelling.headers, ...call.headers, ...SDK });
      const wanted = successStatus(call.method, asked);
      player.require(
        answer.status === wanted,
        `${line}: wanted ${wanted}, got ${answer.status} ${answer.text}`,
      );
      for (const [name, path] of Object.entries(call.keeps ?? {})) {
        kept.set(name, textAt(membersOf(answer), path.join('.')));
      }
      texts.push(answer.text);
    }
    first ??= texts;
    const other = texts.findIndex((text, i) => text !== first?.[i]);
    player.require(
      other < 0,
      `call ${other + 1} of the list was answered otherwise than the first time: ${texts[other]}`,
    );
  };
}
