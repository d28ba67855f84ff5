import { PlaymoneyError } from './call.js';
import { element } from './elements.js';
import { type Form, placeForm } from './form.js';
import { HOME, requirePublicKey } from './home.js';
import * as ways from './page-ways.js';

/** The page's own script, under the names of the service's: a checkout that was written for it loads this one instead. */

const ENVIRONMENTS = ['sandbox', 'production'];

/** Why there is no payment. Some pages show it as a text, others read `error`. */
export class Failure extends String {
  readonly error: string;
  /** The code of the refusal, as the table of error codes lists it; null: it has none. */
  readonly code: number | null;

  constructor({ message, code }: PlaymoneyError) {
    super(message);
    this.error = message;
    this.code = code;
  }
}

/** A form in the page, and what it is paid with. */
interface Part {
  readonly way: ways.Way;
  readonly form: Form;
  /** As the page gave it; a later `setAmount` goes before the amount. */
  readonly currency: string | null;
  amount: ways.PageAmount;
}

export class Payfurl {
  #publicKey = '';
  #debug = false;
  /** The first one is sent by `execute()`, unless the customer was in another one since. */
  #parts: Part[] = [];
  #used: Part | null = null;
  #validate: () => boolean = () => true;
  #succeed: (paid: ways.Paid) => void | Promise<void> = () => {};
  #fail: (failure: Failure) => void = () => {};

  /** Both environments are the sandbox that this script was loaded from. */
  init(environment: string, publicKey: string, debug = false): this {
    if (!ENVIRONMENTS.includes(environment)) {
      throw new PlaymoneyError(
        `The environment ${environment} is unknown. Use ${ENVIRONMENTS.join(' or ')}.`,
      );
    }
    requirePublicKey(publicKey);
    this.#publicKey = publicKey;
    this.#debug = debug;
    this.#log(`speaks to ${HOME}`);
    return this;
  }

  /** The options have no effect. */
  addCardLeastCost(id: string, amount: ways.PageAmount, currency: string, _options?: object): this {
    return this.#add(id, ways.CARD, amount, currency);
  }

  /** A card, and PayPal and PayTo where the sandbox has providers of them. The options have no effect. */
  addDropIn(id: string, amount: ways.PageAmount, currency: string, _options?: object): this {
    this.#add(id, ways.CARD, amount, currency);
    void ways.readWays(this.#publicKey).then(
      ({ paypal, payTo }) => {
        if (paypal !== undefined) this.#place(placeIn(id), ways.PAYPAL, amount, currency);
        if (payTo !== undefined) this.#place(folded(placeIn(id), 'PayTo'), ways.PAY_TO, amount, currency);
      },
      // Cards are still taken; a payment will say the same.
      (error: unknown) => this.#log(`found no further ways to pay: ${String(error)}`),
    );
    return this;
  }

  addPayTo(id: string, amount: ways.PageAmount): this {
    return this.#add(id, ways.PAY_TO, amount, null);
  }

  addPaypal(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#add(id, ways.PAYPAL, amount, currency);
  }

  addGooglePay(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#add(id, ways.GOOGLE_PAY, amount, currency);
  }

  addApplePay(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#add(id, ways.APPLE_PAY, amount, currency);
  }

  /** What stands behind the provider has no effect. */
  addCheckout(
    id: string,
    amount: ways.PageAmount,
    currency: string,
    providerType: string,
    providerId: string,
    _data?: object,
    _options?: object,
  ): this {
    return this.#add(
      id,
      ways.button(providerType, () => Promise.resolve(providerId)),
      amount,
      currency,
    );
  }

  /** Changes what all forms of the page take. */
  setAmount(amount: ways.PageAmount): this {
    for (const part of this.#parts) {
      part.amount = amount;
      part.form.relabel(part.way.label(part));
    }
    return this;
  }

  /** Taken without effect, like the next two: no provider here looks at a customer. */
  setCustomerInfo(_customer: object): this {
    return this;
  }

  setBillingAddress(_address: object): this {
    return this;
  }

  setOrderInfo(_order: object): this {
    return this;
  }

  /** There is nothing to load ahead of time: the sandbox has no Click to Pay. */
  preloadClickToPay(): this {
    return this;
  }

  /** Sends the form that the customer used last, as its own button does. */
  execute(): this {
    const part = this.#used ?? this.#parts[0];
    if (part === undefined) throw new PlaymoneyError('execute() has no form to send. Add one before.');
    part.form.element.requestSubmit();
    return this;
  }

  /** Asked before anything is sent; a false answer sends nothing. */
  onValidate(validate: () => boolean): this {
    this.#validate = validate;
    return this;
  }

  onSuccess(succeed: (paid: ways.Paid) => void | Promise<void>): this {
    this.#succeed = succeed;
    return this;
  }

  onFailure(fail: (failure: Failure) => void): this {
    this.#fail = fail;
    return this;
  }

  /** A page that draws its checkout again adds to the same container: only the last form stays. */
  #add(id: string, way: ways.Way, amount: ways.PageAmount, currency: string | null): this {
    if (this.#publicKey === '')
      throw new PlaymoneyError('Call init(environment, publicKey) before a form is added.');
    const place = placeIn(id);
    place.replaceChildren();
    this.#parts = this.#parts.filter(({ form }) => form.element.isConnected);
    if (this.#used?.form.element.isConnected !== true) this.#used = null;
    this.#place(place, way, amount, currency);
    return this;
  }

  #place(place: Element, way: ways.Way, amount: ways.PageAmount, currency: string | null): void {
    const form = placeForm(place, {
      rows: way.rows,
      submitLabel: way.label({ amount, currency }),
      send: async (fields) => {
        if (click.count > 1) return;
        if (!this.#validate()) return this.#log('onValidate stopped the payment');
        const paid = await way.pay({ ...part, publicKey: this.#publicKey }, fields);
        this.#log(`succeeded: ${JSON.stringify(paid)}`);
        await this.#succeed(paid);
      },
      onError: (error) => {
        this.#log(`failed: ${error.message}`);
        this.#fail(new Failure(error));
      },
    });
    const part: Part = { way, form, amount, currency };
    this.#parts.push(part);
    form.element.addEventListener('focusin', () => (this.#used = part));
  }

  #log(message: string): void {
    // oxlint-disable-next-line no-console -- the page asked for it
    if (this.#debug) console.debug(`payfurl: ${message}`);
  }
}

function placeIn(id: string): HTMLElement {
  const place = document.getElementById(id.replace(/^#/, ''));
  if (place !== null) return place;
  throw new PlaymoneyError(`There is no element #${id}. Add the form once the page has one.`);
}

/** A way to pay that opens at a click. */
function folded(place: Element, name: string): Element {
  const details = element('details', { class: 'playmoney-way' }, element('summary', {}, name));
  place.append(details);
  return details;
}

/**
 * Which click of a double click is under way, up to the next frame; else 0. The second one may come after the answer to the first, on any
 * button of the page, and must not pay again.
 */
const click = { count: 0 };
window.addEventListener(
  'click',
  ({ detail }) => {
    click.count = detail;
    requestAnimationFrame(() => (click.count = 0));
  },
  { capture: true },
);

declare global {
  interface Window {
    payfurl: Payfurl;
    /** Of a loader of AMD modules, where the page has one. */
    define?: ((factory: () => Payfurl) => void) & { readonly amd?: object };
  }
}

const payfurl = new Payfurl();
window.payfurl = payfurl;
if (window.define?.amd) window.define(() => payfurl);
