import { textAt } from '../player.js';
import type { Receiver } from '../receiver.js';
import { cardCharge } from './bodies.js';
import type { Play } from './play.js';

type Who = Parameters<Play>[0];

/** Makes a charge of 1.00 that tells a receiver, and waits until all that is due has been tried. */
async function tell(player: Who, receiver: Receiver): Promise<string> {
  const made = await player.ask('POST /charge/card', cardCharge(100, { Webhook: { Url: receiver.url } }));
  await player.ask('POST /_sandbox/settle', {});
  return textAt(made, 'ChargeId');
}

/** The last delivery must be that of a charge, and stand like this. */
const newest = (player: Who, Ref: string, more: object): Promise<unknown> =>
  player.see('GET /_sandbox/webhooks?Limit=1', { has: { Deliveries: [{ Ref, ...more }] } });

const well =
  (receiver: Receiver): Play =>
  async (player, book) => {
    const id = await tell(player, receiver);
    book.addCharge(100);
    await newest(player, id, { Status: 'delivered', Attempt: 1, ResponseStatus: 204 });
    player.require(receiver.takenOf(id) === 1, 'a webhook did not come once');
    await player.see(`DELETE /refund/${id}`, { has: { Status: 'REFUND' } });
    book.refunded += 100;
    await player.ask('POST /_sandbox/settle', {});
    player.require(receiver.takenOf(id) === 1, 'the webhook of a refund did not come once');
  };

/** The receiver is gone, or ill, for two attempts. */
const ill =
  (receiver: Receiver): Play =>
  async (player, book) => {
    const mood = player.dice.of(['dead', 'failing', 'mute'] as const);
    if (mood === 'dead') await receiver.die();
    else receiver.mood = mood;
    const id = await tell(player, receiver);
    book.addCharge(100);
    await newest(player, id, { Status: 'pending', Attempt: 1 });
    await player.advance('5s');
    await newest(player, id, {
      Status: 'pending',
      Attempt: 2,
      ResponseStatus: mood === 'failing' ? 500 : null,
    });
    await receiver.open();
    receiver.mood = 'well';
    await player.advance('5m');
    await newest(player, id, { Status: 'delivered', Attempt: 3, ResponseStatus: 204 });
    player.require(receiver.takenOf(id) === 1, 'a webhook that was tried again did not come once');
  };

/** The receiver stays away until nobody tries any more, and asks for what it missed. */
const missed =
  (receiver: Receiver): Play =>
  async (player, book) => {
    await receiver.die();
    const id = await tell(player, receiver);
    book.addCharge(100);
    await player.advance('7d');
    const page = await player.see('GET /_sandbox/webhooks?Limit=1', {
      has: { Deliveries: [{ Ref: id, Status: 'failed', Attempt: 10 }] },
    });
    await receiver.open();
    await player.ask(`POST /_sandbox/webhooks/${textAt(page, 'Deliveries.0.DeliveryId')}/resend`, {});
    await player.ask('POST /_sandbox/settle', {});
    player.require(receiver.takenOf(id) === 1, 'a webhook that was sent again by hand did not come once');
  };

/** A receiver that dies and comes back, in a world whose clock is moved. */
export const webhookPlays = (receiver: Receiver): readonly Play[] => [
  well(receiver),
  well(receiver),
  ill(receiver),
  ill(receiver),
  missed(receiver),
];

/** A charge of a world in real time, which is told of whenever its receiver can be told. */
export const webhookCharge =
  (receiver: Receiver): Play =>
  async (player, book) => {
    await player.ask('POST /charge/card', cardCharge(100, { Webhook: { Url: receiver.url } }));
    book.addCharge(100);
  };
