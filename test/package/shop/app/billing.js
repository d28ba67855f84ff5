/** @typedef {import('./gateway.js').Gateway} Gateway */
/** @typedef {{ reference: string, amount: number, paymentMethodId: string, isPaid: boolean }} Invoice */

/** The columns of a batch's results that the shop reads. */
const REFERENCE = 3;
const STATUS = 4;

/** Invoices, which are charged to saved cards at night. */
export class Billing {
  /** @type {Map<string, Invoice>} */
  #invoices = new Map();
  #gateway;

  /** @param {Gateway} gateway */
  constructor(gateway) {
    this.#gateway = gateway;
  }

  /** @param {readonly Omit<Invoice, 'isPaid'>[]} invoices */
  add(invoices) {
    for (const invoice of invoices) this.#invoices.set(invoice.reference, { ...invoice, isPaid: false });
  }

  /** How many invoices are paid and open. */
  summary() {
    const paid = [...this.#invoices.values()].filter(({ isPaid }) => isPaid).length;
    return { paid, open: this.#invoices.size - paid };
  }

  /**
   * Submits all open invoices as one batch. `book` learns the result from a webhook.
   *
   * @param {object} webhook
   */
  async runNight(webhook) {
    const open = [...this.#invoices.values()].filter(({ isPaid }) => !isPaid);
    const rows = open.map(({ paymentMethodId, amount, reference }) =>
      [paymentMethodId, amount.toFixed(2), 'AUD', reference].join(','),
    );
    const { BatchId } = await this.#gateway.call('POST', '/batch/transaction/payment_method', {
      Count: rows.length,
      Description: 'Invoices',
      Batch: ['PaymentMethodId,Amount,Currency,Reference', ...rows].join('\n'),
      Webhook: webhook,
    });
    return { batchId: BatchId, count: rows.length };
  }

  /**
   * Marks the invoices that a batch has charged. The others stay open for the next night.
   *
   * @param {string} batchId
   */
  async book(batchId) {
    const { Results } = await this.#gateway.call('GET', `/batch/${batchId}`);
    for (const line of Results.split(/\r?\n/)) {
      // These columns come before those that can contain a comma.
      const cells = line.split(',');
      const invoice = this.#invoices.get(cells[REFERENCE]);
      if (invoice !== undefined && cells[STATUS] === 'SUCCESS') invoice.isPaid = true;
    }
  }
}
