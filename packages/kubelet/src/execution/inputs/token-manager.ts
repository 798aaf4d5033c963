import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { TokenRequest } from '@wherry/kubeapi';
import { tokenAgeMsMax, tokenRetryMs } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

interface Token {
  value: string;
  expirationTimestamp: string;
  expiresMs: number;
  refreshMs: number;
  /** The same on the monotonic clock: one that is set back does not make it live longer for others. */
  refreshMonotonicMs: number;
}

/** A token that a pod asks for. */
export interface TokenWish {
  pod: AssignedPod;
  /** '' is the API server's own audience. */
  audience: string;
  expirationSeconds: number;
  /** The account that is meant: another of its name gets none. */
  accountUid?: string;
  /** The pod shows it in a file, where it is replaced in time: {@link TokenManager.dueInMs} counts it. Default false. */
  isShown?: boolean;
  signal: AbortSignal;
}

/** Service account tokens bound to pods, replaced at 80 % of their life or after a day. */
export class TokenManager {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #tokens = new Map<string, Token>();
  /** Keys of tokens that pods show in files. */
  readonly #shown = new Set<string>();

  constructor(options: { client: KubeClient; clock: Clock }) {
    this.#client = options.client;
    this.#clock = options.clock;
  }

  /** A valid token; an old one is used on when no new one can be had and it has not expired. Throws otherwise. */
  async token(wish: TokenWish): Promise<string> {
    return (await this.#valid(wish)).value;
  }

  /** The same with its end, as the API server gave it out. */
  async issue(wish: TokenWish): Promise<{ token: string; expirationTimestamp: string }> {
    const { value: token, expirationTimestamp } = await this.#valid(wish);
    return { token, expirationTimestamp };
  }

  async #valid(wish: TokenWish): Promise<Token> {
    const { pod, audience, expirationSeconds, accountUid = '' } = wish;
    const account = pod.spec.serviceAccountName ?? 'default';
    const key = `${pod.metadata.uid}/${account}/${audience}/${expirationSeconds}/${accountUid}`;
    if (wish.isShown) this.#shown.add(key);
    const known = this.#tokens.get(key);
    const nowMs = this.#clock.nowMs();
    if (known && this.#dueInMs(known) > 0) return known;
    try {
      const fresh = await this.#request(wish, account);
      this.#tokens.set(key, fresh);
      return fresh;
    } catch (error) {
      if (known && nowMs < known.expiresMs) return known;
      const cause = error as Error;
      const why = known
        ? `token of "${pod.metadata.namespace}/${account}" expired and refresh failed`
        : 'failed to fetch token';
      throw new Error(`${why}: ${cause.message}`, { cause });
    }
  }

  /**
   * Milliseconds until one of the tokens that the pod shows is due; undefined when it shows none. One that could not be
   * replaced in time is due again after a while.
   */
  dueInMs(uid: string): number | undefined {
    const due = [...this.#tokens].flatMap(([key, token]) =>
      key.startsWith(`${uid}/`) && this.#shown.has(key) ? [this.#dueInMs(token)] : [],
    );
    return due.length === 0 ? undefined : Math.max(tokenRetryMs, Math.min(...due));
  }

  #dueInMs({ refreshMs, refreshMonotonicMs }: Token): number {
    return Math.min(refreshMs - this.#clock.nowMs(), refreshMonotonicMs - this.#clock.monotonicMs());
  }

  forget(uid: string): void {
    for (const known of [this.#tokens, this.#shown])
      for (const key of known.keys()) if (key.startsWith(`${uid}/`)) known.delete(key);
  }

  async #request(wish: TokenWish, name: string): Promise<Token> {
    const { pod, audience, expirationSeconds, accountUid, signal } = wish;
    const { namespace, uid } = pod.metadata;
    const request: TokenRequest = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: accountUid === undefined ? {} : { uid: accountUid },
      spec: {
        audiences: audience === '' ? [] : [audience],
        expirationSeconds,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid },
      },
    };
    const accounts = this.#client.resource(kinds.serviceAccounts);
    const answer = await accounts.create(request, { name, namespace, subresource: 'token', signal });
    const { token, expirationTimestamp } = answer.status ?? {};
    if (!token || !expirationTimestamp)
      throw new Error(`the answer to a token request for "${namespace}/${name}" has no token`);
    const nowMs = this.#clock.nowMs();
    const expiresMs = Date.parse(expirationTimestamp);
    const lifeMs = Math.min(0.8 * (expiresMs - nowMs), tokenAgeMsMax);
    const refreshMonotonicMs = this.#clock.monotonicMs() + lifeMs;
    return { value: token, expirationTimestamp, expiresMs, refreshMs: nowMs + lifeMs, refreshMonotonicMs };
  }
}
