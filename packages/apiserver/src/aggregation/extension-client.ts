import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type Agent, request as httpsRequest } from 'node:https';
import { StatusError, serviceUnavailable } from '@wherry/kubeapi';
import type { TlsClientOptions } from '@wherry/upgrade';
import type { UserInfo } from '../authentication/identity.ts';
import { backendUrl } from '../dialing/backend-url.ts';
import { dialFailure } from '../dialing/dial-failure.ts';
import { connectBy, httpsAgent } from '../dialing/dialled-agents.ts';
import type { ClientFiles } from '../documents/client-files.ts';
import { limits } from '../limits.ts';
import { serviceEndpoint, type TargetSources } from '../webhooks/webhook-target.ts';
import type { Extension } from './extensions.ts';

/** Where an extension server is. */
export interface ExtensionTarget {
  url: URL;
  tls: TlsClientOptions;
  /** `NAME.NAMESPACE.svc:PORT`. */
  host: string;
}

/** Sends requests to extension servers: to a ready endpoint, as the front proxy, over kept connections. */
export class ExtensionClient {
  readonly #sources: TargetSources;
  readonly #frontProxy: ClientFiles;
  readonly #agent: Agent;

  /** Without a pair in the front proxy's files extension servers believe nobody. They are closed with the client. */
  constructor(sources: TargetSources, frontProxy: ClientFiles) {
    this.#sources = sources;
    this.#frontProxy = frontProxy;
    const keepAlive = { keepAlive: true, maxFreeSockets: limits.idleExtensionSocketsMax };
    this.#agent = httpsAgent(keepAlive, sources.cluster?.dial);
  }

  /** `path` is decoded. Throws 404 and 503 where there is no endpoint, 400 on one that must not be dialled. */
  async locate(
    { spec }: Extension,
    { path, search = '' }: { path: string; search?: string },
    signal: AbortSignal,
  ): Promise<ExtensionTarget> {
    const { namespace = '', name = '', port = 443 } = spec.service;
    const endpoint = await serviceEndpoint({ namespace, name, port }, this.#sources, signal);
    const servername = `${name}.${namespace}.svc`;
    const { cert, key } = this.#frontProxy.current;
    const ca = spec.caBundle ? Buffer.from(spec.caBundle, 'base64') : undefined;
    return {
      url: backendUrl({ scheme: 'https', ...endpoint }, path, search),
      host: `${servername}:${port}`,
      tls: {
        servername,
        rejectUnauthorized: spec.insecureSkipTLSVerify !== true,
        ...(ca ? { ca, allowPartialTrustChain: true } : {}),
        ...(cert && key ? { cert, key } : {}),
      },
    };
  }

  /** Opens the connection of an upgrade; undefined: the upgrade does that itself. */
  connecting({ url, tls }: ExtensionTarget, signal: AbortSignal) {
    return connectBy(this.#sources.cluster, { url, tls, signal });
  }

  /** The answer's head; `body` writes the request's body, if it has one. Throws 503 when there is no answer. */
  send(
    { url, tls, host }: ExtensionTarget,
    options: {
      method: string;
      headers: OutgoingHttpHeaders;
      signal: AbortSignal;
      body?: (outgoing: ClientRequest, fail: (error: Error) => void) => void;
    },
  ): Promise<IncomingMessage> {
    const { method, signal, body } = options;
    const headers = { ...options.headers, host };
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(unreachable(error));
      const outgoing = httpsRequest(url, { method, headers, signal, agent: this.#agent, ...tls }, resolve);
      outgoing.on('error', fail);
      if (body) body(outgoing, fail);
      else outgoing.end();
    });
  }

  close(): void {
    this.#frontProxy.close();
    this.#agent.destroy();
  }
}

/** Who asks, as the front proxy says it (upstream: authenticating proxies). */
export function identityHeaders({ name, uid, groups, extra }: UserInfo): Record<string, string | string[]> {
  const extras = Object.entries(extra).map(([key, values]) => [
    `x-remote-extra-${encodeURIComponent(key.toLowerCase()).replace(/[!'()*]/g, escapeByte)}`,
    [...values],
  ]);
  return {
    'x-remote-user': name,
    ...(uid ? { 'x-remote-uid': uid } : {}),
    'x-remote-group': [...groups],
    ...(Object.fromEntries(extras) as Record<string, string[]>),
  };
}

const escapeByte = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

function unreachable(error: Error): StatusError {
  if (error instanceof StatusError) return error;
  return serviceUnavailable(`error trying to reach service: ${dialFailure(error)}`);
}
