import type { Clock } from '@wherry/clock';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { askAgain } from '../asking/ask-again.ts';
import type { KubeconfigWebhook } from '../asking/kubeconfig-webhook.ts';
import { RememberedAnswers } from '../asking/remembered-answers.ts';
import { reviewStatus } from '../asking/review-status.ts';
import { SparseLog } from '../asking/sparse-log.ts';
import { StrictReader } from '../documents/strict-reader.ts';
import { limits } from '../limits.ts';
import type { UserInfo } from './identity.ts';

/** A webhook that knows tokens; names follow kube-apiserver's flags (`--authentication-token-webhook-*`). */
export interface TokenWebhookOptions {
  /** A kubeconfig: where to, and as whom. */
  configFile: string;
  /** Of the TokenReview that it is sent, and answers. Default `v1beta1`, as upstream. */
  version?: 'v1' | 'v1beta1' | undefined;
  /** How long its answers are remembered, in milliseconds. Default two minutes. */
  cacheTtlMs?: number | undefined;
}

/** What it is asked with. */
export interface TokenWebhookParts {
  webhook: KubeconfigWebhook;
  clock: Clock;
  logger: Logger;
}

/** Whose a token is, and which of the audiences that were asked for it is for. */
export interface KnownToken {
  user: UserInfo;
  audiences: readonly string[];
  /** What its bearer may not have meant. */
  warning?: string | undefined;
}

const defaultTtlMs = 120_000;

/** Users by a webhook's word (upstream: plugin/pkg/authenticator/token/webhook). */
export class TokenWebhook {
  readonly #apiVersion: string;
  readonly #ttlMs: number;
  readonly #parts: TokenWebhookParts;
  readonly #answers: RememberedAnswers<JsonObject>;
  readonly #log: SparseLog;

  constructor(
    { version = 'v1beta1', cacheTtlMs = defaultTtlMs }: TokenWebhookOptions,
    parts: TokenWebhookParts,
  ) {
    this.#apiVersion = `authentication.k8s.io/${version}`;
    this.#ttlMs = cacheTtlMs;
    this.#parts = parts;
    this.#answers = new RememberedAnswers(parts.clock, limits.webhookTokensMax);
    this.#log = new SparseLog(parts.logger, parts.clock);
  }

  close(): void {
    this.#parts.webhook.close();
  }

  /**
   * Who bears a token for one of `audiences`; `own` are those that it is for where the webhook names none. Undefined where it
   * does not know him, and where it can't be asked or answers nonsense, which the log tells.
   */
  async find(
    token: string,
    { audiences, own }: { audiences: readonly string[]; own: readonly string[] },
  ): Promise<KnownToken | undefined> {
    try {
      const status = await this.#review(token, audiences);
      return knownToken(status, audiences, own);
    } catch (error) {
      this.#log.tell('the webhook for tokens can not tell whose one is', { error });
      return undefined;
    }
  }

  #review(token: string, audiences: readonly string[]): Promise<JsonObject> {
    return this.#answers.answer(JSON.stringify([audiences, token]), async () => {
      const review = {
        ...{ kind: 'TokenReview', apiVersion: this.#apiVersion, metadata: {} },
        ...{ spec: { token, audiences }, status: { user: {} } },
      };
      const { webhook, clock } = this.#parts;
      const answer = await askAgain(webhook, JSON.stringify(review), clock);
      const value = reviewStatus(answer, { kind: 'TokenReview', apiVersion: this.#apiVersion });
      return { value, lifetimeMs: this.#ttlMs };
    });
  }
}

function knownToken(
  status: JsonObject,
  audiences: readonly string[],
  own: readonly string[],
): KnownToken | undefined {
  const reader = new StrictReader();
  if (reader.flag('status.authenticated', ownValue(status, 'authenticated')) !== true) return undefined;
  const told = textsOf(reader, status, 'status', 'audiences');
  const good = (told.length > 0 ? told : own).filter((audience) => audiences.includes(audience));
  if (good.length === 0) return undefined;
  const user = userOf(reader, ownValue(status, 'user') ?? {});
  if (user.name === '') throw new Error('the webhook names nobody');
  return { user, audiences: good };
}

function userOf(reader: StrictReader, value: JsonValue): UserInfo {
  const path = 'status.user';
  if (!isJsonObject(value)) throw new Error(`${path} must be an object`);
  const extra = ownValue(value, 'extra') ?? {};
  if (!isJsonObject(extra)) throw new Error(`${path}.extra must be an object`);
  return {
    name: reader.text(`${path}.username`, ownValue(value, 'username')),
    uid: reader.text(`${path}.uid`, ownValue(value, 'uid')),
    groups: textsOf(reader, value, path, 'groups'),
    extra: Object.fromEntries(
      Object.keys(extra).map((key) => [key, textsOf(reader, extra, `${path}.extra`, key)]),
    ),
  };
}

function textsOf(reader: StrictReader, object: JsonObject, path: string, name: string): string[] {
  return reader.list(object, path, name).map(([place, item]) => reader.text(place, item));
}
