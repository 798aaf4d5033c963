import { ClientError, type CredentialSource, type Credentials, type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { hasReason, type TokenRequest } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';

/** Where the accounts of controllers are. */
export const accountNamespace = 'kube-system';

/** Of whom a token is asked for. */
export interface AccountTokenOptions {
  /** Who asks: may create accounts and their tokens. */
  client: KubeClient;
  account: string;
  clock: Clock;
}

/** The token of a controller's account, asked for anew before it ends; the account is made where it is missing. */
export class AccountToken implements CredentialSource {
  readonly #options: AccountTokenOptions;
  #known: { token: string; refreshAtMs: number } | undefined;
  #running: Promise<string> | undefined;

  constructor(options: AccountTokenOptions) {
    this.#options = options;
  }

  async current(): Promise<Credentials> {
    const { clock, account } = this.#options;
    if (this.#known && clock.monotonicMs() < this.#known.refreshAtMs) return { token: this.#known.token };
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    try {
      return { token: await this.#running };
    } catch (error) {
      const whose = `service account ${accountNamespace}/${account}`;
      throw new ClientError('no-credentials', `no token of the ${whose}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** The account may have been deleted, and its tokens with it. */
  async replace({ token }: Credentials): Promise<boolean> {
    if (this.#known?.token === token) this.#known = undefined;
    return (await this.current()).token !== token;
  }

  async #ask(): Promise<string> {
    const { clock } = this.#options;
    const { status } = await this.#request();
    const { token, expirationTimestamp = '' } = status ?? {};
    if (!token) throw new Error('the answer has none');
    const lifeMs = Date.parse(expirationTimestamp) - clock.nowMs() || 0;
    const believedMs = Math.max(lifeMs, limits.accountTokenLifeMsMin);
    this.#known = { token, refreshAtMs: clock.monotonicMs() + believedMs * limits.accountTokenAgeShare };
    return token;
  }

  async #request(): Promise<TokenRequest> {
    const { client, account: name } = this.#options;
    const accounts = client.resource(kinds.serviceAccounts);
    const request: TokenRequest = {
      ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {} },
      spec: { audiences: [], expirationSeconds: limits.accountTokenLifeMs / 1_000 },
    };
    const ask = () =>
      accounts.create(request, {
        name,
        namespace: accountNamespace,
        subresource: 'token',
      }) as Promise<TokenRequest>;
    try {
      return await ask();
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
    const metadata = { name, namespace: accountNamespace };
    await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }).catch((error: unknown) => {
      if (!hasReason(error, 'AlreadyExists')) throw error;
    });
    return ask();
  }
}
