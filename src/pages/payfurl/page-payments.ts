import { PlaymoneyError, Failure } from '../calls/error.js';
import { removeSpacing, normaliseExpiry } from '../forms/card-rules.js';
import { requireContainer, addFolded } from '../forms/elements.js';
import { click, countClicks, type Form, placeForm } from '../forms/form.js';
import { type Gateway, sandboxAddress, requirePublicKey } from '../calls/gateway.js';
import * as ways from './page-ways.js';
import { authenticatePayer, type Purchase } from './three-d-secure.js';
import { warnOfMissingWallet, WalletSearch } from './wallet-search.js';

const ENVIRONMENTS = ['sandbox', 'production'];

interface PlacedForm {
  readonly way: ways.PaymentWay;
  readonly form: Form;
  order: ways.PageOrder;
}

type Payer = Omit<Purchase, keyof Gateway>;

/** The stand-in for the object that the service's script adds to a page. */
export class Payfurl {
  readonly #address: string;
  #publicKey = '';
  #debug = false;
  /** `execute()` sends the one that was used last, or else the first. */
  #forms: PlacedForm[] = [];
  #lastUsed: PlacedForm | null = null;
  readonly #wallets = new WalletSearch();
  /** Whether a payment is running. A second one would charge the customer twice. */
  #isPaying = false;
  #onValidate: () => boolean = () => true;
  #onSuccess: (paid: ways.Paid) => void | Promise<void> = () => {};
  #onFailure: (failure: Failure) => void = () => {};

  constructor(baseUrl?: string) {
    this.#address = sandboxAddress(baseUrl);
    countClicks();
  }

  /** Sets the key of the page. `sandbox` and `production` are the same sandbox. */
  init(environment: string, publicKey: string, debug = false): this {
    if (!ENVIRONMENTS.includes(environment)) {
      throw new PlaymoneyError(`Unknown environment ${environment}. Use ${ENVIRONMENTS.join(' or ')}.`);
    }
    requirePublicKey(publicKey);
    this.#publicKey = publicKey;
    this.#debug = debug;
    this.#log(`uses ${this.#address}`);
    return this;
  }

  addCardLeastCost(id: string, amount: ways.PageAmount, currency: string, options?: ways.CardOptions): this {
    return this.#add(id, ways.CARD, ways.toPageOrder(amount, currency, options));
  }

  /** A card form, and each wallet and PayTo if the world has a provider for it. */
  addDropIn(id: string, amount: ways.PageAmount, currency: string, options?: ways.CardOptions): this {
    const order = ways.toPageOrder(amount, currency, options);
    this.#add(id, ways.CARD, order);
    const container = requireContainer(id);
    this.#wallets.begin(container, this.#gateway, order, (providers, latest) => {
      for (const wallet of ways.WALLETS)
        if (providers[wallet.kind] !== undefined) this.#place(container, ways.walletWay(wallet), latest);
      if (providers.payTo !== undefined) this.#place(addFolded(container, 'PayTo'), ways.PAY_TO, latest);
    });
    return this;
  }

  addPayTo(id: string, amount: ways.PageAmount): this {
    return this.#add(id, ways.PAY_TO, ways.toPageOrder(amount, null));
  }

  addPaypal(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#addWallet(id, ways.PAYPAL, ways.toPageOrder(amount, currency));
  }

  addGooglePay(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#addWallet(id, ways.GOOGLE_PAY, ways.toPageOrder(amount, currency));
  }

  addApplePay(id: string, amount: ways.PageAmount, currency: string): this {
    return this.#addWallet(id, ways.APPLE_PAY, ways.toPageOrder(amount, currency));
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
    const way = ways.buttonWay(providerType, () => Promise.resolve(providerId));
    return this.#add(id, way, ways.toPageOrder(amount, currency));
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
    const card = {
      cardNumber: removeSpacing(number),
      expiryDate: normaliseExpiry(expiryDate),
      cardholder,
      ccv,
    };
    const makeToken = (gateway: Gateway) => ways.requestToken(gateway, providerId, card);
    return this.#begin(makeToken, { email, amount, currency });
  }

  setAmount(amount: ways.PageAmount): this {
    this.#wallets.change(amount);
    for (const placed of this.#forms) {
      placed.order = { ...placed.order, amount };
      placed.form.relabel(placed.way.label(placed.order));
    }
    return this;
  }

  /** Has no effect, like the next three: the sandbox's providers do not use this data, and Click to Pay needs no loading. */
  readonly setCustomerInfo = (_customer: object): this => this;
  readonly setBillingAddress = (_address: object): this => this;
  readonly setOrderInfo = (_order: object): this => this;
  readonly preloadClickToPay = (): this => this;

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

  #add(id: string, way: ways.PaymentWay, order: ways.PageOrder): this {
    this.#place(this.#clear(id), way, order);
    return this;
  }

  /** Empties the container, because pages that render again add their form again. */
  #clear(id: string): HTMLElement {
    this.#requireKey();
    const container = requireContainer(id);
    container.replaceChildren();
    this.#wallets.forget(container);
    this.#forms = this.#forms.filter(({ form }) => form.element.isConnected);
    if (this.#lastUsed?.form.element.isConnected !== true) this.#lastUsed = null;
    return container;
  }

  #addWallet(id: string, wallet: ways.WalletButton, order: ways.PageOrder): this {
    const container = this.#clear(id);
    this.#wallets.begin(container, this.#gateway, order, (providers, latest) => {
      if (providers[wallet.kind] === undefined) warnOfMissingWallet(wallet.name, wallet.kind);
      else this.#place(container, ways.walletWay(wallet), latest);
    });
    return this;
  }

  #place(container: Element, way: ways.PaymentWay, order: ways.PageOrder): void {
    const form = placeForm(container, {
      rows: way.rows,
      submitLabel: way.label(order),
      send: async (fields) => {
        if (click.count > 1) return;
        await this.#pay((gateway) => way.pay({ ...placed.order, ...gateway }, fields));
      },
      onError: (error) => this.#reportFailure(error),
    });
    const placed: PlacedForm = { way, form, order };
    this.#forms.push(placed);
    form.element.addEventListener('focusin', () => (this.#lastUsed = placed));
  }

  /** Authenticates a payer without a form. Starts after the page's chain of calls, which may still set callbacks. */
  #begin(tokenOf: (gateway: Gateway) => Promise<string>, payer: Payer): this {
    this.#requireKey();
    const pay = async (gateway: Gateway): Promise<ways.Paid> => {
      const token = await tokenOf(gateway);
      await authenticatePayer(token, { ...payer, ...gateway });
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

  async #pay(pay: (gateway: Gateway) => Promise<ways.Paid>): Promise<void> {
    if (this.#isPaying) return this.#log('ignored a payment, because another one is running');
    if (!this.#onValidate()) return this.#log('onValidate stopped the payment');
    this.#isPaying = true;
    // Reset before onSuccess, which may start another step.
    const paid = await pay(this.#gateway).finally(() => (this.#isPaying = false));
    this.#log(`succeeded: ${JSON.stringify(paid)}`);
    await this.#onSuccess(paid);
  }

  get #gateway(): Gateway {
    return { address: this.#address, publicKey: this.#publicKey };
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
