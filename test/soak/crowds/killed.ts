import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { wrongMoney } from '../../model/money.js';
import { centsOf } from '../book.js';
import { type Members, membersOf, type Player, textAt } from '../player.js';
import { amountOf, cardCharge } from '../plays/bodies.js';
import { openSocket } from './wire.js';

const ROUNDS = 10;
const CLIENTS = 100;
const PAGE = 500;
const ARRIVED_WITHIN_MS = 3_000;
const ARRIVED_GAP_MS = 100;
/** The first is answered in the turn of the last that died, perhaps; those after it are not. */
const FENCES = 3;

/** When a client dies: in its headers, before its body, within it, or after it. */
const MOMENTS = ['headers', 'before', 'within', 'after'] as const;

/** What a call would do to a charge. */
interface Attempt {
  readonly text: string;
  /** The Reference of the charge that it makes, or the one that it changes. */
  readonly reference: string;
  /** What the charge looks like once it is done; null for nothing. */
  readonly done: string;
  readonly undone: string;
  /** Whether it was sent whole, so that it may have been done; and whether its end was no reset, so that it must have been. */
  may: boolean;
  must: boolean;
}

/** Kills a thousand clients in the midst of what they ask for, and looks at the money after each hundred. */
export async function crowdOfKilled(port: number, player: Player): Promise<number> {
  const charges = new Map<string, string>();
  let killed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const attempts: Attempt[] = [];
    for (let i = 0; i < CLIENTS; i++) attempts.push(await prepare(player, `killed-${round}-${i}`));
    await Promise.all(attempts.map((attempt) => kill(port, player, attempt)));
    killed += attempts.length;
    await arrive(port, player, attempts);
    await compare(player, attempts, charges);
  }
  return killed;
}

/** A charge to be made, captured or refunded, as the dice say. */
async function prepare(player: Player, reference: string): Promise<Attempt> {
  const taken = player.dice.below(9_000) + 1_000;
  const part = 1 + player.dice.below(taken);
  const kind = player.dice.of(['charge', 'charge', 'capture', 'refund'] as const);
  const body = cardCharge(taken, { Reference: reference });
  const chances = { reference, may: false, must: false };
  const undone = `taken ${taken}, back 0`;
  if (kind === 'charge') {
    return {
      ...chances,
      text: requestText(player.key, 'POST /charge/card', body),
      undone: 'nothing',
      done: undone,
    };
  }
  if (kind === 'refund') {
    const id = textAt(await player.ask('POST /charge/card', body), 'ChargeId');
    const text = requestText(player.key, `DELETE /refund/${id}`, { Amount: amountOf(part) });
    return { ...chances, text, undone, done: `taken ${taken}, back ${part}` };
  }
  const made = await player.ask('POST /charge/card', { ...body, Capture: false });
  const text = requestText(player.key, `POST /charge/${textAt(made, 'ChargeId')}`, {
    Amount: amountOf(part),
  });
  return { ...chances, text, undone: 'taken 0, back 0', done: `taken ${part}, back 0` };
}

function requestText(key: string, line: string, body: object): string {
  const text = JSON.stringify(body);
  const head = [
    `${line} HTTP/1.1`,
    'Host: localhost',
    `x-secretkey: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}

async function kill(port: number, player: Player, attempt: Attempt): Promise<void> {
  const { text } = attempt;
  const moment = player.dice.of(MOMENTS);
  const isReset = player.dice.below(2) === 0;
  const sent = lengthAt(text, moment, player.dice.below(1_000) / 1_000);
  attempt.may = moment === 'after';
  attempt.must = attempt.may && !isReset;
  const socket = await openSocket(port);
  await new Promise((resolve) => socket.write(text.slice(0, sent), resolve));
  const closed = once(socket, 'close');
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

function lengthAt(text: string, moment: (typeof MOMENTS)[number], share: number): number {
  const head = text.indexOf('\r\n\r\n') + 4;
  switch (moment) {
    case 'headers':
      return 1 + Math.floor(share * (head - 2));
    case 'before':
      return head;
    case 'within':
      return head + 1 + Math.floor(share * (text.length - head - 1));
    case 'after':
      return text.length;
  }
}

/**
 * Waits until what was sent whole has been done: it may be on its way when its client is gone already. A server takes
 * connections in the order in which they came, so one that is answered now has all the others before it.
 */
async function arrive(port: number, player: Player, attempts: readonly Attempt[]): Promise<void> {
  for (let i = 0; i < FENCES; i++) await knock(port);
  const until = performance.now() + ARRIVED_WITHIN_MS;
  const awaited = attempts.filter(({ must }) => must);
  for (;;) {
    const now = await chargesOf(player);
    if (awaited.every(({ reference, done }) => now.get(reference) === done)) return;
    if (performance.now() > until) return;
    await sleep(ARRIVED_GAP_MS);
  }
}

async function knock(port: number): Promise<void> {
  const socket = await openSocket(port);
  const closed = once(socket, 'close');
  socket.resume().write('GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await closed;
}

/** Every charge must be as it was, or as it would be, and those of earlier hundreds as they were then. */
async function compare(
  player: Player,
  attempts: readonly Attempt[],
  charges: Map<string, string>,
): Promise<void> {
  const now = await chargesOf(player);
  for (const { reference, done, undone, may, must } of attempts) {
    const is = now.get(reference) ?? 'nothing';
    const allowed = must ? [done] : [undone, ...(may ? [done] : [])];
    if (!allowed.includes(is))
      player.report(`${reference} is ${is}, where ${allowed.join(' or ')} is possible`);
    if (is !== 'nothing') charges.set(reference, is);
  }
  for (const [reference, was] of charges) {
    if (now.get(reference) !== was) player.report(`${reference} was ${was}, and is ${now.get(reference)}`);
  }
  if (now.size !== charges.size) player.report(`there are ${now.size} charges in place of ${charges.size}`);
}

async function chargesOf(player: Player): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let skip = 0; ; skip += PAGE) {
    const page = membersOf(await player.send(`GET /charge?Limit=${PAGE}&Skip=${skip}`));
    const charges = page['Charges'] as Members[];
    for (const charge of charges) found.set(String(charge['Reference']), moneyOf(player, charge));
    if (charges.length < PAGE) break;
  }
  await player.see('GET /_sandbox/world', { has: { Counts: { Charges: found.size } } });
  return found;
}

function moneyOf(player: Player, charge: Members): string {
  const back = centsOf(charge['RefundedAmount']);
  const wrong = wrongMoney(charge);
  if (wrong !== null) player.report(wrong);
  const taken = charge['Status'] === 'Authorised' ? 0 : centsOf(charge['Amount']);
  return `taken ${taken}, back ${back}`;
}
