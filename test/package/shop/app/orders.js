import { Refusal } from './gateway.js';

/** @typedef {import('./gateway.js').Gateway} Gateway */
/** @typedef {import('./gateway.js').Charge} Charge */

/**
 * @typedef {object} Order
 * @property {string} id Also the Reference of its charge.
 * @property {number} amount
 * @property {string} status `unknown` after an answer was lost, when its charge may or may not exist.
 * @property {string} [chargeId]
 * @property {string} [reason] Why it was declined.
 * @property {string[]} events The statuses that webhooks reported.
 */

/** @type {Readonly<Record<string, string>>} */
const STATUS_OF_CHARGE = {
  SUCCESS: 'paid',
  Authorised: 'authorised',
  REFUND: 'refunded',
  PARTIAL_REFUND: 'partly refunded',
};

/** A bug to find: an order whose charge may exist is charged again. */
const FORGETS_TO_LOOK = process.env.SHOP_BUG === 'charges-twice';

/** The orders of the shop, and how they are paid. */
export class Orders {
  /** @type {Map<string, Order>} */
  #orders = new Map();
  #gateway;

  /** @param {Gateway} gateway */
  constructor(gateway) {
    this.#gateway = gateway;
  }

  /** @param {string} id */
  find(id) {
    return this.#orders.get(id);
  }

  /**
   * Pays an order. It can be called again for the same order: it is charged only once.
   *
   * @param {{ id: string, amount: number }} ordered
   * @param {string} path
   * @param {object} payment
   * @returns {Promise<Order>}
   */
  async checkout({ id, amount }, path, payment) {
    /** @type {Order} */
    const order = this.#orders.get(id) ?? { id, amount, status: 'new', events: [] };
    this.#orders.set(id, order);
    try {
      // The gateway has no idempotency key, but it finds charges by their reference.
      const isUnsure = order.status === 'unknown' && !FORGETS_TO_LOOK;
      const made = isUnsure ? await this.#gateway.findCharge(id) : undefined;
      const charge = { Amount: amount, Currency: 'AUD', Reference: id, ...payment };
      book(order, made ?? (await this.#gateway.call('POST', path, charge)));
    } catch (error) {
      if (error instanceof Refusal) Object.assign(order, { status: 'declined', reason: error.message });
      else order.status = 'unknown';
    }
    return order;
  }

  /**
   * Captures what was authorised.
   *
   * @param {string} id
   */
  async ship(id) {
    const order = this.#require(id);
    return book(
      order,
      await this.#gateway.call('POST', `/charge/${order.chargeId}`, { Amount: order.amount }),
    );
  }

  /**
   * @param {string} id
   * @param {{ amount: number, reason: string }} refund
   */
  async refund(id, { amount, reason }) {
    const order = this.#require(id);
    const query = new URLSearchParams({ Amount: String(amount), Comment: reason });
    return book(order, await this.#gateway.call('DELETE', `/refund/${order.chargeId}?${query}`));
  }

  /** @param {{ reference?: string, status: string }} charge */
  receive({ reference = '', status }) {
    this.#orders.get(reference)?.events.push(status);
  }

  /** @param {string} id */
  #require(id) {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`There is no order ${id}.`);
    return order;
  }
}

/**
 * @param {Order} order
 * @param {Charge} charge
 */
function book(order, { ChargeId, Status }) {
  return Object.assign(order, { chargeId: ChargeId, status: STATUS_OF_CHARGE[Status] ?? Status });
}
