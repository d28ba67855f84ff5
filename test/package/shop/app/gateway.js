/** The gateway refused a call: the card was declined, or the call was wrong. */
export class Refusal extends Error {
  /** @param {{ Message: string }} answer */
  constructor({ Message }) {
    super(Message);
  }
}

/** @typedef {{ ChargeId: string, Status: string }} Charge */

/** The payment gateway, as the shop calls it. */
export class Gateway {
  #url;
  #key;

  /**
   * @param {string} url
   * @param {string} key
   */
  constructor(url, key) {
    this.#url = url;
    this.#key = key;
  }

  /**
   * Rejects with a Refusal if the gateway refused the call, and with another error if its answer was lost.
   *
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<any>}
   */
  async call(method, path, body) {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-secretkey': this.#key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Refusal(answer);
    return answer;
  }

  /**
   * The charge with a reference, unless it was declined.
   *
   * @param {string} reference
   * @returns {Promise<Charge | undefined>}
   */
  async findCharge(reference) {
    const { Charges } = await this.call('GET', `/charge?Reference=${encodeURIComponent(reference)}`);
    return Charges.find((/** @type {Charge} */ { Status }) => Status !== 'FAILED');
  }
}
