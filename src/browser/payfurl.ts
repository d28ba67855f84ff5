import { PlaymoneyError } from './call.js';
import { digitsIn, normalExpiry } from './card-rules.js';
import { containerOf, foldedIn } from './container.js';
import { click } from './double-click.js';
import { Failure } from './failure.js';
import { type Form, placeForm } from './form.js';
import { HOME, requirePublicKey } from './home.js';
import * as ways from './page-ways.js';
import { authenticate, type Purchase } from './three-d-secure.js';

/** The stand-in for the service's script for pages. A checkout that was written for the service loads this one instead. */

const ENVIRONMENTS = ['sandbox', 'production'];

/** A form in the page, with its way to pay. */
interface PlacedForm {
  readonly way: ways.Way;
  readonly form: Form;
  order: ways.Order;
}

export class Payfurl {
  #publicKey = '';
  #debug = false;
  /** `execute()` sends the one that was used last, or else the first. */
  #forms: PlacedForm[] = [];
  #lastUsed: PlacedForm | null = null;
  /** Whether a payment is running. A second one would charge the customer twice. */
  #isPaying = false;
  #onValidate: () => boolean = () => true;
  #onSuccess: (paid: ways.Paid) => void | Promise<void> = () => {};
  #onFailure: (failure: Failure) => void = () => {};

  /** Both environments are the sandbox that this script was loaded from. */
  init(environment: string, publicKey: string, debug = false): this {
    if (!ENVIRONMENTS.includes(environment)) {
      throw new PlaymoneyError(`Unknown environment ${environment}. Use ${ENVIRONMENTS.join(' or ')}.`);
    }
    requirePublicKey(publicKey);
    this.#publicKey = publicKey;
    this.#debug = debug;
    this.#log(`uses ${HOME}`);
    return this;
  }

  addCardLeastCost(id: string, amount: ways.PageAmount, currency: string, options?: ways.CardOptions): this {
    return this.#add(id, ways.CARD, ways.orderOf(amount, currency, options));
  }

  /** A card form, and PayPal and PayTo if the world has providers for them. */
  addDropIn(id: string, amount: ways.PageAmount, currency: string, options?: ways.CardOptions): this {
    const order = ways.orderOf(amount, currency, options);
    this.#add(id, ways.CARD, order);
    void ways.readWays(this.#publicKey).then(
      ({ paypal, payTo }) => {
        if (paypal !== undefined) this.#place(containerOf(id), ways.PAYPAL, order);
        if (payTo !== undefined) this.#place(foldedIn(containerOf(id), 'PayTo'), ways.PAY_TO, order);
      },
      // Cards still work, and a payment would report the same error.
      (error: unknown) => this.#log(`could not look for PayPal and PayTo: ${String(error)}`),
    );
    return this;
  }

  addPayTo(id: string, amount: ways.PageAmount): this {
    return this.#add(id, ways.PAY_TO, ways.orderOf(amount, null));
  }

  addPaypal(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#add(id, ways.PAYPAL, ways.orderOf(amount, currency));
  }

  addGooglePay(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#add(id, ways.GOOGLE_PAY, ways.orderOf(amount, currency));
  }

  addApplePay(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#add(id, ways.APPLE_PAY, ways.orderOf(amount, currency));
  }

  /** The data and options for the provider have no effect. */
  addCheckout(
    id: string,
    amount: ways.PageAmount,
    currency: string,
    providerType: string,
    providerId: string,
    _data?: object,
    _options?: object,
  ): this {
    const way = ways.button(providerType, () => Promise.resolve(providerId));
    return this.#add(id, way, ways.orderOf(amount, currency));
  }

  /** Authenticates the payer behind a token at once; `onSuccess` receives the same token. */
  addThreeDsWithToken(token: string, email: string, amount: ways.PageAmount, currency: string): this {
    return this.#begin(() => Promise.resolve(token), { email, amount, currency });
  }

  /** Creates a token for a card that the page's own fields collected, and authenticates the payer at once. The first argument has no effect. */
  tokeniseWith3Ds(
    _container: unknown,
    providerId: string,
    number: string,
    expiryDate: string,
    cardholder: string,
    ccv: string,
    email: string,
    amount: ways.PageAmount,
    currency: string,
  ): this {
    if (click.count > 1) return this;
    const card = { cardNumber: digitsIn(number), expiryDate: normalExpiry(expiryDate), cardholder, ccv };
    const makeToken = (publicKey: string) => ways.tokenise(publicKey, providerId, card);
    return this.#begin(makeToken, { email, amount, currency });
  }

  /** Changes the amount of all forms in the page. */
  setAmount(amount: ways.PageAmount): this {
    for (const placed of this.#forms) {
      placed.order = { ...placed.order, amount };
      placed.form.relabel(placed.way.label(placed.order));
    }
    return this;
  }

  /** Has no effect, like the next two: the sandbox's providers do not use this data. */
  setCustomerInfo(_customer: object): this {
    return this;
  }

  setBillingAddress(_address: object): this {
    return this;
  }

  setOrderInfo(_order: object): this {
    return this;
  }

  /** Has no effect: the sandbox has no Click to Pay. */
  preloadClickToPay(): this {
    return this;
  }

  /** Sends the form that the customer used last, or else the first. */
  execute(): this {
    const placed = this.#lastUsed ?? this.#forms[0];
    if (placed === undefined) throw new PlaymoneyError('execute() has no form to send. Add a form first.');
    placed.form.element.requestSubmit();
    return this;
  }

  /** Called before a payment, which is sent only if this returns true. */
  onValidate(validate: () => boolean): this {
    this.#onValidate = validate;
    return this;
  }

  onSuccess(succeed: (paid: ways.Paid) => void | Promise<void>): this {
    this.#onSuccess = succeed;
    return this;
  }

  onFailure(fail: (failure: Failure) => void): this {
    this.#onFailure = fail;
    return this;
  }

  /** Replaces the content of the container, because pages that render again add their form again. */
  #add(id: string, way: ways.Way, order: ways.Order): this {
    this.#requireKey();
    const container = containerOf(id);
    container.replaceChildren();
    this.#forms = this.#forms.filter(({ form }) => form.element.isConnected);
    if (this.#lastUsed?.form.element.isConnected !== true) this.#lastUsed = null;
    this.#place(container, way, order);
    return this;
  }

  #place(container: Element, way: ways.Way, order: ways.Order): void {
    const form = placeForm(container, {
      rows: way.rows,
      submitLabel: way.label(order),
      send: async (fields) => {
        if (click.count > 1) return;
        await this.#pay((publicKey) => way.pay({ ...placed.order, publicKey }, fields));
      },
      onError: (error) => this.#reportFailure(error),
    });
    const placed: PlacedForm = { way, form, order };
    this.#forms.push(placed);
    form.element.addEventListener('focusin', () => (this.#lastUsed = placed));
  }

  /** Authenticates a payer without a form. Starts after the page's chain of calls, which may still set callbacks. */
  #begin(tokenOf: (publicKey: string) => Promise<string>, purchase: Omit<Purchase, 'publicKey'>): this {
    this.#requireKey();
    const pay = async (publicKey: string): Promise<ways.Paid> => {
      const token = await tokenOf(publicKey);
      await authenticate(token, { ...purchase, publicKey });
      return { token };
    };
    void Promise.resolve()
      .then(() => this.#pay(pay))
      .catch((error: unknown) => {
        if (!(error instanceof PlaymoneyError)) throw error;
        this.#reportFailure(error);
      });
    return this;
  }

  async #pay(pay: (publicKey: string) => Promise<ways.Paid>): Promise<void> {
    if (this.#isPaying) return this.#log('ignored a payment, because another one is running');
    if (!this.#onValidate()) return this.#log('onValidate stopped the payment');
    this.#isPaying = true;
    // Reset before onSuccess, which may start another step.
    const paid = await pay(this.#publicKey).finally(() => (this.#isPaying = false));
    this.#log(`succeeded: ${JSON.stringify(paid)}`);
    await this.#onSuccess(paid);
  }

  #reportFailure(error: PlaymoneyError): void {
    this.#log(`failed: ${error.message}`);
    this.#onFailure(new Failure(error));
  }

  #requireKey(): void {
    if (this.#publicKey === '') throw new PlaymoneyError('Call init(environment, publicKey) first.');
  }

  #log(message: string): void {
    // oxlint-disable-next-line no-console -- the page asked for it
    if (this.#debug) console.debug(`payfurl: ${message}`);
  }
}

declare global {
  interface Window {
    payfurl: Payfurl;
    /** The `define` of an AMD loader, if the page has one. */
    define?: ((factory: () => Payfurl) => void) & { readonly amd?: object };
  }
}

const payfurl = new Payfurl();
window.payfurl = payfurl;
if (window.define?.amd) window.define(() => payfurl);
