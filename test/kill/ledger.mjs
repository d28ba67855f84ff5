import { randomUUID } from 'node:crypto';

import { WORLDS_MAX } from './server.mjs';

/** Several times as many worlds as a server has in memory, and few calls to each, so that they come and go. */
const KEYS = Array.from({ length: 4 * WORLDS_MAX }, (_, n) => `sk_test_kill_${n}`);
const PROVIDER = '00000000000000000000000000000001';
const CLIENTS = 6;
/** How often a client asks until when calls are saved, and how long it waits between two calls. */
const ASK_EVERY_MS = 15;
const PACE_MS = 3;
const CHECKS_AT_A_TIME = 6;

/** What a server has answered, and what of that it reported as saved. */
export class Ledger {
  /** The largest number of worlds that were not in memory. */
  asleep = 0;
  calls = 0;
  /** The statuses of each charge in order, with the time at which the client received them. */
  #charges = new Map();
  #savedUntil = 0;

  note(id, key, reference, status) {
    this.calls++;
    const charge = this.#charges.get(id) ?? { key, reference, seen: [] };
    charge.seen.push({ status, at: Date.now(), isSaved: false });
    this.#charges.set(id, charge);
  }

  noteSaved(text) {
    if (text !== null) this.#savedUntil = Math.max(this.#savedUntil, Date.parse(text));
  }

  /** Marks what is saved for certain; returns how many more calls that are. */
  confirm() {
    let more = 0;
    for (const { seen } of this.#charges.values()) {
      for (const one of seen) {
        if (one.isSaved || one.at >= this.#savedUntil) continue;
        one.isSaved = true;
        more++;
      }
    }
    return more;
  }

  /** Compares a server that was started again; returns what it has lost. From then on, what it has is what was saved. */
  async lostIn(url) {
    const lost = [];
    // World by world, so that each is loaded once.
    const left = [...this.#charges].toSorted(([, a], [, b]) => a.key.localeCompare(b.key)).values();
    const check = async () => {
      for (const [id, { key, reference, seen }] of left) {
        const sure = seen.findLastIndex(({ isSaved }) => isSaved);
        const answer = await fetch(`${url}/charge/${id}`, { headers: { 'x-secretkey': key } });
        const { Status: status, Reference } = await answer.json();
        // An identifier is given again if the first charge was lost, for instance to a row of the batch.
        const isThere = answer.status === 200 && Reference === reference;
        // A later change may be saved too, even if SavedUntil has not said so yet.
        const accepted = seen.slice(Math.max(0, sure)).map((one) => one.status);
        if (sure >= 0 && !(isThere && accepted.includes(status))) {
          lost.push(
            `charge ${id} was confirmed as ${seen[sure].status}, but is ${isThere ? status : answer.status}`,
          );
        }
        if (isThere) this.#charges.set(id, { key, reference, seen: [{ status, at: 0, isSaved: true }] });
        else this.#charges.delete(id);
      }
    };
    await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, check));
    return lost;
  }
}

/** Fills a world by a batch, so that saving it takes long enough to be killed. */
export async function fill(url, rows, key = KEYS[0]) {
  const ask = asking(url);
  const PaymentInformation = { CardNumber: '4242424242424242', ExpiryDate: '12/40' };
  const method = await ask('/payment_method/card', key, { ProviderId: PROVIDER, PaymentInformation });
  const lines = Array.from({ length: rows }, () => `${method.PaymentMethodId},5.00,AUD,order-1`);
  await ask('/batch/transaction/payment_method', key, {
    Count: rows,
    Description: 'Many',
    Batch: ['PaymentMethodId,Amount,Currency,Reference', ...lines].join('\n'),
  });
  await ask('/_sandbox/clock/advance', key, { By: '1d' });
}

/** Sends a call; rejects with a TypeError if the server is gone, and with an error if it refuses the call. */
export function asking(url) {
  return async (path, key, body) => {
    const headers = { 'x-secretkey': key, 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url + path, { headers, ...init });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
}

/** Calls a server until it is killed: charges, and captures of them. The returned function waits for the calls. */
export function load(url, ledger) {
  const ask = asking(url);
  const until = async (work) => {
    try {
      for (;;) await work();
    } catch (error) {
      // A TypeError of fetch: the server was killed.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  const pace = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const charge = async (key) => {
    const reference = randomUUID();
    const { ChargeId: id, Status: status } = await ask('/charge/token', key, {
      Amount: 5,
      Token: 'tok_approve',
      Capture: false,
      Reference: reference,
    });
    ledger.note(id, key, reference, status);
    const captured = await ask(`/charge/${id}/capture`, key, { Amount: 5 });
    ledger.note(id, key, reference, captured.Status);
    await pace(PACE_MS);
  };
  const poll = async () => {
    ledger.noteSaved((await ask('/_sandbox/health', 'sk_test_kill')).SavedUntil);
    const { Count, Awake } = await ask('/_sandbox/worlds?Limit=1', 'sk_test_kill');
    ledger.asleep = Math.max(ledger.asleep, Count - Awake);
    await pace(ASK_EVERY_MS);
  };
  let next = 0;
  const all = Array.from({ length: CLIENTS }, () => until(() => charge(KEYS[next++ % KEYS.length])));
  all.push(until(poll));
  return () => Promise.all(all);
}
