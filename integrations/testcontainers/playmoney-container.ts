import { basename } from 'node:path';

import { connect, type World } from 'playmoney';
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

/** The port of the image. */
const PORT = 4010;
/** Where scenario files are in the container. */
const SCENARIOS = '/tmp';

/**
 * A container of playmoney's image. Options that have no method of their own are environment variables, such as
 * `withEnvironment({ PLAYMONEY_STRICT: 'true' })` for `--strict`.
 *
 * @example
 * const container = await new PlaymoneyContainer('playmoney:0.1.0').withClock('manual').start();
 * const world = container.world('sk_test_orders');
 */
export class PlaymoneyContainer extends GenericContainer {
  #adminToken: string | undefined;

  constructor(image: string) {
    super(image);
    this.withExposedPorts(PORT).withWaitStrategy(Wait.forHttp('/_sandbox/ready', PORT));
  }

  /** Plays a scenario in every world: one of the library by its name, or a file. */
  withScenario(scenario: string): this {
    if (!/\.(?:ya?ml|json)$/i.test(scenario)) return this.withEnvironment({ PLAYMONEY_SCENARIO: scenario });
    const target = `${SCENARIOS}/${basename(scenario)}`;
    return this.withCopyFilesToContainer([{ source: scenario, target }]).withEnvironment({
      PLAYMONEY_SCENARIO: target,
    });
  }

  /** The seed of all identifiers and random choices. */
  withSeed(seed: string): this {
    return this.withEnvironment({ PLAYMONEY_SEED: seed });
  }

  /** `manual`, `real`, or a speed such as `x60`. */
  withClock(mode: 'manual' | 'real' | `x${number}`): this {
    return this.withEnvironment({ PLAYMONEY_CLOCK: mode });
  }

  /** `sdk` is the format of the client libraries. */
  withDialect(dialect: 'auto' | 'documented' | 'sdk'): this {
    return this.withEnvironment({ PLAYMONEY_DIALECT: dialect });
  }

  /** Signs webhooks with this secret. */
  withWebhookSecret(secret: string): this {
    return this.withEnvironment({ PLAYMONEY_WEBHOOK_SECRET: secret });
  }

  /** Requires this token on the control API. The worlds of the started container send it. */
  withAdminToken(token: string): this {
    this.#adminToken = token;
    return this.withEnvironment({ PLAYMONEY_ADMIN_TOKEN: token });
  }

  /** Starts the container. Resolves when it is ready for calls. */
  override async start(): Promise<StartedPlaymoneyContainer> {
    return new StartedPlaymoneyContainer(await super.start(), this.#adminToken);
  }
}

/** A running container of playmoney. */
export class StartedPlaymoneyContainer extends AbstractStartedContainer {
  readonly #adminToken: string | undefined;
  /** The key of the default world. */
  readonly key: string = 'sk_test_local';

  constructor(container: StartedTestContainer, adminToken?: string) {
    super(container);
    this.#adminToken = adminToken;
  }

  /** The address for programs on this machine. In the container's network it is `http://ALIAS:4010`. */
  get url(): string {
    const host = this.getHost();
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.getMappedPort(PORT)}`;
  }

  /** The world of a key, by default that of `key`. Its methods are those of every world. */
  world(key: string = this.key): World {
    return connect(this.url, {
      key,
      ...(this.#adminToken === undefined ? {} : { adminToken: this.#adminToken }),
    });
  }
}
