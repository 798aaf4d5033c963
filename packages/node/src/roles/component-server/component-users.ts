import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { ClientAuthorities, FrontProxyUsers, frontProxyHeaders } from '@wherry/apiserver/front-proxy';
import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { Authenticator, type UserInfo } from '@wherry/kubelet/access';
import type { ComponentFlags } from '../flags/component-flags.ts';
import { limits } from './limits.ts';

const authenticatedGroup = 'system:authenticated';

/** Finds out who asks a component: by the word of a proxy, by client certificate, by bearer token (asked of the API server), or nobody. */
export class ComponentUsers {
  readonly #clock: Clock;
  /** What TLS has to trust; undefined: no certificate is asked for. */
  readonly ca: Buffer[] | undefined;
  readonly #authorities = new ClientAuthorities();
  readonly #proxies: FrontProxyUsers | undefined;
  readonly #byCertificate: Authenticator;
  readonly #byToken: Authenticator;

  /** Throws when a file can't be read. */
  constructor(flags: ComponentFlags, { client, clock }: { client: KubeClient; clock: Clock }) {
    const [clients, proxies] = [flags.clientCaFile, flags.requestheaderClientCaFile].map((file) =>
      file ? readFileSync(file) : undefined,
    );
    this.#clock = clock;
    this.#authorities.take(clients, proxies);
    const trusted = [clients, proxies].filter((pem) => pem !== undefined);
    this.ca = trusted.length > 0 ? trusted : undefined;
    this.#proxies =
      proxies &&
      new FrontProxyUsers({
        authorities: this.#authorities,
        allowedNames: flags.requestheaderAllowedNames ?? [],
        headers: frontProxyHeaders(flags),
      });
    const by = (clientCAFile: string) =>
      new Authenticator({
        ...{ client, clock },
        configuration: {
          anonymous: { enabled: true },
          webhook: { enabled: true, cacheTTL: limits.accessAnswerMs },
          x509: { clientCAFile },
        },
      });
    this.#byCertificate = by('given');
    this.#byToken = by('');
  }

  /** Rejects for a token that is no good. */
  async find(request: IncomingMessage): Promise<UserInfo> {
    const { socket } = request;
    if (!(socket instanceof TLSSocket)) return this.#byToken.authenticate(request);
    const named = this.#proxies?.find(request, socket, this.#clock.nowMs());
    if (named)
      return {
        ...named,
        extra: { ...named.extra } as Record<string, string[]>,
        groups: [...named.groups, authenticatedGroup],
      };
    const users = this.#authorities.isOfClient(socket) ? this.#byCertificate : this.#byToken;
    return users.authenticate(request);
  }
}
