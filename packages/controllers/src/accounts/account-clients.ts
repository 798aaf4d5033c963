import type { ClusterAccess, KubeClient, TlsMaterial } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { AccountToken } from './account-token.ts';

/** Makes the client of one account: `access` leads to the server with the account's tokens. */
export type AccountClientMaker = (access: ClusterAccess, account: string) => KubeClient;

/** Clients of the service accounts that controllers act as, one for each account, with tokens that `client` asks for. */
export class AccountClients {
  readonly #options: { client: KubeClient; clock: Clock; make: AccountClientMaker };
  readonly #clients = new Map<string, KubeClient>();

  constructor(options: { client: KubeClient; clock: Clock; make: AccountClientMaker }) {
    this.#options = options;
  }

  of(account: string): KubeClient {
    const known = this.#clients.get(account);
    if (known) return known;
    const { client, clock, make } = this.#options;
    const made = make(accessAs(client.access, new AccountToken({ client, account, clock })), account);
    this.#clients.set(account, made);
    return made;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }
}

/** The same server, and nothing of the user who asks for tokens. */
function accessAs(access: ClusterAccess, credentials: AccountToken): ClusterAccess {
  const { tlsFiles } = access;
  const asked = new WeakMap<TlsMaterial, TlsMaterial>();
  const withoutUser = (tls: TlsMaterial): TlsMaterial => {
    const known = asked.get(tls) ?? { ...tls, cert: undefined, key: undefined };
    asked.set(tls, known);
    return known;
  };
  return {
    ...access,
    tls: withoutUser(access.tls),
    ...(tlsFiles && { tlsFiles: { current: async () => withoutUser(await tlsFiles.current()) } }),
    headers: () => ({}),
    credentials,
  };
}
