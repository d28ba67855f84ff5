import { PlaymoneyError } from './call.js';
import { digitsIn, normalExpiry } from './card-rules.js';
import { containerOf, foldedIn } from './container.js';
import { click } from './double-click.js';
import { Failure } from './failure.js';
import { type Form, placeForm } from './form.js';
import { HOME, requirePublicKey } from './home.js';
import * as ways from './page-ways.js';
import { authenticate, type Purchase } from './three-d-secure.js';

/** The page's own script, under the names of the service's: a checkout that was written for it loads this one instead. */

const ENVIRONMENTS = ['sandbox', 'production'];

/** A form in the page, and what it is for. */
interface PlacedForm {
  readonly way: ways.Way;
  readonly form: Form;
  order: ways.Order;
}

export class Payfurl {
  #publicKey = '';
  #debug = false;
  /** `execute()` sends the first one, unless the customer has used another one since. */
  #forms: PlacedForm[] = [];
  #lastUsed: PlacedForm | null = null;
  /** Whether a payment is being made: a further one would charge the customer twice. */
  #isPaying = false;
  #onValidate: () => boolean = () => true;
  #onSuccess: (paid: ways.Paid) => void | Promise<void> = () => {};
  #onFailure: (failure: Failure) => void = () => {};

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
    this.#log(`uses ${HOME}`);
    return this;
  }

  addCardLeastCost(id: string, amount: ways.PageAmount, currency: string, options?: ways.CardOptions): this {
    return this.#add(id, ways.CARD, ways.orderOf(amount, currency, options));
  }

  /** A card, and PayPal and PayTo where the sandbox has providers of them. */
  addDropIn(id: string, amount: ways.PageAmount, currency: string, options?: ways.CardOptions): this {
    const order = ways.orderOf(amount, currency, options);
    this.#add(id, ways.CARD, order);
    void ways.readWays(this.#publicKey).then(
      ({ paypal, payTo }) => {
        if (paypal !== undefined) this.#place(containerOf(id), ways.PAYPAL, order);
        if (payTo !== undefined) this.#place(foldedIn(containerOf(id), 'PayTo'), ways.PAY_TO, order);
      },
      // Cards are still taken; a payment will say the same.
      (error: unknown) => this.#log(`found no further ways to pay: ${String(error)}`),
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

  /** The data and options of the provider have no effect. */
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

  /** Makes a token of a card that the page has asked for itself, and authenticates its payer, at once. The first argument has no effect. */
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

  /** Changes what all forms of the page take. */
  setAmount(amount: ways.PageAmount): this {
    for (const placed of this.#forms) {
      placed.order = { ...placed.order, amount };
      placed.form.relabel(placed.way.label(placed.order));
    }
    return this;
  }

  /** Has no effect, like the next two: no provider here looks at a customer. */
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
    const placed = this.#lastUsed ?? this.#forms[0];
    if (placed === undefined) throw new PlaymoneyError('execute() has no form to send. Add one before.');
    placed.form.element.requestSubmit();
    return this;
  }

  /** Called before anything is sent; unless it returns true, nothing is. */
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

  /** A page that draws its checkout again adds to the same container: only the last form stays. */
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

  /** Authenticates a payer without a form, once the page has ended its chain of calls. */
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
    if (this.#isPaying) return this.#log('a payment is under way: no further one is begun');
    if (!this.#onValidate()) return this.#log('onValidate stopped the payment');
    this.#isPaying = true;
    // The page may go on with a further step when it has its result.
    const paid = await pay(this.#publicKey).finally(() => (this.#isPaying = false));
    this.#log(`succeeded: ${JSON.stringify(paid)}`);
    await this.#onSuccess(paid);
  }

  #reportFailure(error: PlaymoneyError): void {
    this.#log(`failed: ${error.message}`);
    this.#onFailure(new Failure(error));
  }

  #requireKey(): void {
    if (this.#publicKey === '')
      throw new PlaymoneyError('Call init(environment, publicKey) before anything is added.');
  }

  #log(message: string): void {
    // oxlint-disable-next-line no-console -- the page asked for it
    if (this.#debug) console.debug(`payfurl: ${message}`);
  }
}

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
