import { accessFrom, type ClusterAccess, type HeaderFields, loadKubeconfig } from '@wherry/client';
import type { Clock } from '@wherry/clock';

/** As whom a webhook is asked. */
export interface WebhookIdentity {
  headers: HeaderFields;
  /** PEM. */
  cert?: string | Buffer | undefined;
  key?: string | Buffer | undefined;
}

const defaultPort = '443';
/** What is asked of it is the server of a webhook's own configuration. */
const somewhere = 'https://webhook.invalid';

/**
 * The users of a kubeconfig by the webhooks that they are for, as upstream's administrators write them: `HOST:PORT`, where the port
 * 443 may be left out, `*.DOMAIN`, and `*` for all others; then the user of the current context.
 */
export class WebhookUsers {
  readonly #accesses = new Map<string, ClusterAccess>();
  readonly #current: string | undefined;

  /** Throws `ClientError` `bad-config` on a kubeconfig that can't be read, or with a user that can't. */
  constructor(file: string, clock: Clock) {
    const config = loadKubeconfig(file);
    this.#current = config.contexts.get(config.currentContext)?.user;
    const bare = { ...config, currentContext: '' };
    for (const user of config.users.keys())
      this.#accesses.set(user, accessFrom(bare, { server: somewhere, user, clock }));
  }

  /** Whoever is asked at `host`; a port has to be there. Rejects with `ClientError` `no-credentials`. */
  async identityFor(host: string): Promise<WebhookIdentity> {
    const access = this.#accessFor(host);
    if (!access) return { headers: {} };
    const given = await access.credentials?.current();
    const tls = (await access.tlsFiles?.current()) ?? access.tls;
    const headers = access.headers();
    if (given?.token !== undefined) headers['authorization'] = `Bearer ${given.token}`;
    const { cert, key } = given?.certificate ?? tls;
    return { headers, cert, key };
  }

  #accessFor(host: string): ClusterAccess | undefined {
    const [name, isUsual] = host.endsWith(`:${defaultPort}`)
      ? [host.slice(0, -defaultPort.length - 1), true]
      : [host, false];
    const wanted = [...namesOf(host), ...(isUsual ? namesOf(name) : []), '*', this.#current ?? ''];
    const user = wanted.find((each) => this.#accesses.has(each));
    return user === undefined ? undefined : this.#accesses.get(user);
  }
}

/** The name itself, then what it is below of, the nearest first. */
function namesOf(host: string): string[] {
  const labels = host.split('.');
  return [host, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}
