import { readFile } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import { loadPatternEngine } from '@wherry/kubeapi/access-expressions';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import { openKubeconfigWebhook } from '../../asking/kubeconfig-webhook.ts';
import type { Dial } from '../../dialing/dial.ts';
import { FollowedFiles } from '../../documents/followed-files.ts';
import { ReloadMetrics } from '../../documents/reload-metrics.ts';
import { Retired } from '../../documents/retired.ts';
import { limits, periods } from '../../limits.ts';
import { readingSettings } from '../../settings-error.ts';
import type { AuthorizationFigures } from '../authorization-figures.ts';
import { type Attributes, type Authorizer, AuthorizerChain, type Decision } from '../authorizer.ts';
import type { AuthorizerType } from '../configuration/authorization-configuration.ts';
import type { CompiledAuthorizer, CompiledWebhook } from '../configuration/compiled-authorizers.ts';
import {
  type AuthorizationWebhookOptions,
  authorizersOfFlags,
} from '../configuration/flags-authorization.ts';
import { readAuthorization } from '../configuration/read-authorization.ts';
import { compileAuthorization } from '../configuration/validate-authorization.ts';
import { WebhookAuthorizer } from './webhook-authorizer.ts';
import { WebhookAuthorizerFigures } from './webhook-figures.ts';

/** Those that ask nobody, by their types. */
export type LocalAuthorizers = Readonly<Record<Exclude<AuthorizerType, 'Webhook'>, Authorizer>>;

/** What webhooks are asked with. */
export interface ConfiguredAuthorizationParts {
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  /** How webhooks are reached. Default: from here. */
  dial?: Dial | undefined;
}

/** Types that have to stay, and may not come, once it has started: upstream makes what they need at the start alone. */
const settledTypes: readonly string[] = ['ABAC', 'Node', 'RBAC'];

/** The ways to decide what somebody may, as flags name them, or a file that is followed. */
export class ConfiguredAuthorization implements Authorizer {
  readonly #parts: ChainParts;
  readonly #retired: Retired;
  #chain: Chain;
  #local: readonly [LocalAuthorizers, AuthorizationFigures] | undefined;
  #followed: FollowedFiles | undefined;

  private constructor(compiled: readonly CompiledAuthorizer[], given: ConfiguredAuthorizationParts) {
    const parts = { ...given, figures: new WebhookAuthorizerFigures(given.metrics, given.clock) };
    this.#parts = parts;
    this.#retired = new Retired(parts.clock);
    this.#chain = new Chain(compiled, parts);
  }

  /** Of flags. Throws an Error that names what can't be. */
  static of(
    modes: readonly AuthorizerType[],
    webhook: AuthorizationWebhookOptions | undefined,
    parts: ConfiguredAuthorizationParts,
  ): ConfiguredAuthorization {
    return new ConfiguredAuthorization(authorizersOfFlags(modes, webhook), parts);
  }

  /** Of a file, which is followed. Rejects with an Error that names it and what can't be. */
  static async open(path: string, parts: ConfiguredAuthorizationParts): Promise<ConfiguredAuthorization> {
    await loadPatternEngine();
    const file = await readFile(path);
    return readingSettings(`the authorization configuration ${path}`, () => {
      const opened = new ConfiguredAuthorization(compileAuthorization(readAuthorization(file)), parts);
      opened.#follow(path, file);
      return opened;
    });
  }

  /** In their order. */
  get types(): readonly AuthorizerType[] {
    return this.#chain.types;
  }

  /** Before that it decides nothing. */
  use(local: LocalAuthorizers, figures: AuthorizationFigures): void {
    this.#local = [local, figures];
    this.#chain.use(local, figures);
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    return this.#chain.authorize(attributes);
  }

  close(): void {
    this.#followed?.close();
    this.#retired.close();
    this.#chain.close();
  }

  #follow(path: string, file: Uint8Array): void {
    const { clock, logger, metrics } = this.#parts;
    const names = { subsystem: 'authorization_config_controller', subject: 'authorization' };
    const reloads = new ReloadMetrics(metrics, clock, names);
    reloads.holds(file);
    const kept = new Set(this.types.filter((type) => type !== 'Webhook'));
    const fail = (error: unknown) => {
      reloads.count('failure');
      logger.error('the configuration of authorization stays as it was', { file: path, error });
    };
    this.#followed = new FollowedFiles({
      ...{ paths: [path], files: [file], clock, periodMs: periods.configurationFileMs },
      onUnreadable: fail,
      take: async ([changed = Buffer.alloc(0)]) => {
        try {
          this.#replace(compileAuthorization(readAuthorization(changed), kept));
        } catch (error) {
          fail(error);
          return true;
        }
        reloads.holds(changed);
        reloads.count('success');
        logger.info('authorization follows its changed configuration', { file: path });
        return true;
      },
    });
    this.#followed.follow();
  }

  #replace(compiled: readonly CompiledAuthorizer[]): void {
    const before = this.#chain;
    const added = compiled.find(({ type }) => settledTypes.includes(type) && !before.types.includes(type));
    if (added)
      throw new Error(
        `authorizer type ${added.type} is not allowed if it was not enabled at initial server startup`,
      );
    const next = new Chain(compiled, this.#parts);
    if (this.#local) next.use(...this.#local);
    this.#chain = next;
    this.#retired.add(before);
  }
}

type ChainParts = ConfiguredAuthorizationParts & { figures: WebhookAuthorizerFigures };

/** What one configuration comes to. */
class Chain implements Authorizer {
  readonly types: readonly AuthorizerType[];
  readonly #steps: readonly (Exclude<AuthorizerType, 'Webhook'> | WebhookAuthorizer)[];
  #authorizer: Authorizer = new AuthorizerChain([]);

  constructor(compiled: readonly CompiledAuthorizer[], parts: ChainParts) {
    this.types = compiled.map(({ type }) => type);
    this.#steps = compiled.map((each) =>
      each.type === 'Webhook' ? openWebhook(each.webhook, parts) : each.type,
    );
  }

  use(local: LocalAuthorizers, figures: AuthorizationFigures): void {
    this.#authorizer = new AuthorizerChain(
      this.#steps.map((step) =>
        step instanceof WebhookAuthorizer ? figures.counted('Webhook', step.name, step) : local[step],
      ),
    );
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    return this.#authorizer.authorize(attributes);
  }

  close(): void {
    for (const step of this.#steps) if (step instanceof WebhookAuthorizer) step.close();
  }
}

function openWebhook(webhook: CompiledWebhook, parts: ChainParts): WebhookAuthorizer {
  const { kubeConfigFile = '', timeoutMs } = webhook.configuration;
  const opened = openKubeconfigWebhook({
    ...{
      file: kubeConfigFile,
      clock: parts.clock,
      dial: parts.dial,
      timeoutMs,
      bytesMax: limits.reviewAnswerBytesMax,
    },
  });
  return new WebhookAuthorizer(webhook, { ...parts, webhook: opened });
}
