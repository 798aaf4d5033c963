import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import { ownValue } from '@wherry/kubeapi';
import type { PlugInConfiguration } from '../../../configuration/images/credential-plug-ins.ts';
import type { AssignedPod } from '../../../pod/assigned-pod.ts';
import { pluginCredentials, type RegistryCredentials } from '../pull-credentials.ts';
import type { PullServiceAccount } from '../pull-records/pull-record.ts';
import { isMeant, registryPlace } from '../registry-match.ts';
import type { CredentialRequest, CredentialResponse } from './exec-plug-in.ts';
import { LoginCache } from './login-cache.ts';

/** The service account of a pod, as plug-ins are told of it. */
export interface PodAccount {
  uid: string;
  annotations: Readonly<Record<string, string>>;
}

/** Where service accounts and their tokens come from. Both throw when they can not be had. */
export interface AccountSource {
  account(pod: AssignedPod, signal: AbortSignal): Promise<PodAccount>;
  /** A token of this very account, bound to the pod. */
  token(
    pod: AssignedPod,
    options: { audience: string; accountUid: string; signal: AbortSignal },
  ): Promise<string>;
}

/** What a plug-in is made of. */
export interface CredentialPlugInOptions {
  configuration: PlugInConfiguration;
  accounts: AccountSource;
  clock: Clock;
  run(request: CredentialRequest): Promise<CredentialResponse>;
}

/** On whose behalf a plug-in is asked. */
interface Bearer {
  account: PullServiceAccount;
  token: string;
  annotations: Readonly<Record<string, string>>;
  /** Tells those apart whose answers must not be mixed up. */
  key: string;
}

type Logins = CredentialResponse['logins'];

const globalKey = '<global>';
const none: RegistryCredentials = { entries: [] };

/** One plug-in: asked once at a time for the same, and not again while what it said holds. */
export class CredentialPlugIn {
  readonly #options: CredentialPlugInOptions;
  readonly #cache: LoginCache<Logins>;
  readonly #running = new Map<string, Promise<CredentialResponse>>();

  constructor(options: CredentialPlugInOptions) {
    this.#options = options;
    this.#cache = new LoginCache(options.clock);
  }

  get name(): string {
    return this.#options.configuration.name;
  }

  /**
   * What the plug-in says for an image without tag and digest: nothing for images that are not its own, nor for pods
   * without the account or the annotations that it needs. Throws when it fails.
   */
  async credentials(image: string, pod: AssignedPod, signal: AbortSignal): Promise<RegistryCredentials> {
    const { matchImages, tokenAttributes } = this.#options.configuration;
    const place = registryPlace(image);
    if (!matchImages.some((pattern) => isMeant(registryPlace(pattern), place))) return none;
    const hasAccount = (pod.spec.serviceAccountName ?? '') !== '';
    if (tokenAttributes?.requireServiceAccount && !hasAccount) return none;
    if (!tokenAttributes || !hasAccount)
      return pluginCredentials(await this.#logins(image, undefined), undefined);
    const bearer = await this.#bearer(pod, signal);
    return bearer ? pluginCredentials(await this.#logins(image, bearer), bearer.account) : none;
  }

  async #logins(image: string, bearer: Bearer | undefined): Promise<Logins> {
    const registry = image.split('/')[0] ?? '';
    const keys = { Image: image, Registry: registry, Global: globalKey };
    const keyOf = (base: string) => JSON.stringify([base, bearer?.key ?? '']);
    for (const base of Object.values(keys)) {
      const cached = this.#cache.get(keyOf(base));
      if (cached) return cached;
    }
    const response = await this.#ask(image, bearer);
    const { configuration } = this.#options;
    const isEcho = Object.values(response.logins).some(({ password }) => password === bearer?.token);
    if (isEcho && configuration.tokenAttributes?.cacheType !== 'Token')
      throw new Error(
        "credential provider plugin returned the service account token as the password which is not allowed when service account cache type is not set to 'Token'",
      );
    const forMs = response.cacheMs ?? configuration.defaultCacheDuration ?? 0;
    this.#cache.set(keyOf(keys[response.cacheKeyType]), response.logins, forMs);
    return response.logins;
  }

  #ask(image: string, bearer: Bearer | undefined): Promise<CredentialResponse> {
    const key = JSON.stringify([image, bearer?.key ?? '', bearer?.token ?? '']);
    const running = this.#running.get(key);
    if (running) return running;
    const asked = this.#options
      .run({
        image,
        ...(bearer && { serviceAccountToken: bearer.token, serviceAccountAnnotations: bearer.annotations }),
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, asked);
    return asked;
  }

  /** Undefined when the account lacks an annotation that says it wants this. */
  async #bearer(pod: AssignedPod, signal: AbortSignal): Promise<Bearer | undefined> {
    const { configuration, accounts } = this.#options;
    const attributes = configuration.tokenAttributes;
    if (!attributes) return undefined;
    const { uid, annotations } = await accounts.account(pod, signal);
    const { requiredServiceAccountAnnotationKeys: required } = attributes;
    const keys = [...required, ...attributes.optionalServiceAccountAnnotationKeys];
    const given = keys.filter((key) => ownValue(annotations, key) !== undefined).sort();
    if (required.some((key) => !given.includes(key))) return undefined;
    const chosen = Object.fromEntries(given.map((key) => [key, ownValue(annotations, key) ?? '']));
    const audience = attributes.serviceAccountTokenAudience;
    const token = await accounts.token(pod, { audience, accountUid: uid, signal });
    const account = { uid, namespace: pod.metadata.namespace, name: pod.spec.serviceAccountName ?? '' };
    const isForTokenAlone = attributes.cacheType === 'Token';
    const parts = [account, chosen, ...(isForTokenAlone ? [hash(token)] : [])];
    return { account, token, annotations: chosen, key: JSON.stringify(parts) };
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
