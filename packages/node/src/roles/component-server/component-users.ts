import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { type ClientAuthorities, FrontProxyUsers, frontProxyHeaders } from '@wherry/apiserver/front-proxy';
import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { Authenticator, type UserInfo } from '@wherry/kubelet/access';
import type { ComponentFlags } from '../flags/component-flags.ts';
import type { ComponentTls } from './component-tls.ts';
import { limits } from './limits.ts';

const authenticatedGroup = 'system:authenticated';

/** Finds out who asks a component: by the word of a proxy, by client certificate, by bearer token (asked of the API server), or nobody. */
export class ComponentUsers {
  readonly #clock: Clock;
  readonly #authorities: ClientAuthorities;
  readonly #proxies: FrontProxyUsers | undefined;
  readonly #byCertificate: Authenticator;
  readonly #byToken: Authenticator;

  constructor(
    flags: ComponentFlags,
    { tls, client, clock }: { tls: ComponentTls; client: KubeClient; clock: Clock },
  ) {
    this.#clock = clock;
    this.#authorities = tls.authorities;
    this.#proxies = tls.hasProxies
      ? new FrontProxyUsers({
          authorities: tls.authorities,
          allowedNames: flags.requestheaderAllowedNames ?? [],
          headers: frontProxyHeaders(flags),
        })
      : undefined;
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
