import { Agent } from 'node:https';
import { isIPv6 } from 'node:net';
import { type Node, StatusError, serviceUnavailable } from '@wherry/kubeapi';
import type { TlsClientOptions } from '@wherry/upgrade';
import { limits } from '../limits.ts';
import type { ObjectCache } from '../registry/object-cache.ts';

/** How kubelets are reached. */
export interface KubeletOptions {
  nodes: ObjectCache<Node>;
  /** Kinds of node addresses, the preferred one first. */
  addressTypes: readonly string[];
  /** For nodes that do not tell their kubelet's port. */
  defaultPort: number;
  /** Client certificate and the CA of serving certificates; without `ca` those are not verified, as upstream. */
  tls: TlsClientOptions;
}

/** Where a node's kubelet listens. */
export interface KubeletAddress {
  /** `https://HOST:PORT` */
  origin: string;
  /** Knows the WebSocket protocols itself, nothing needs translating. */
  speaksWebSocket: boolean;
}

/** Set by kubelets that take WebSocket v5 and tunnels themselves (upstream 1.36). */
const webSocketFeature = 'ExtendWebSocketsToKubelet';

/** The way from the API server to the kubelets: addresses, credentials, kept connections. */
export class Kubelets {
  readonly tls: TlsClientOptions;
  readonly #options: KubeletOptions;
  readonly #agent: Agent;
  readonly #unverifiedAgent: Agent;

  constructor(options: KubeletOptions) {
    this.#options = options;
    const rejectUnauthorized = options.tls.ca !== undefined;
    this.tls = { ...options.tls, rejectUnauthorized };
    const keepAlive = { keepAlive: true, maxFreeSockets: limits.idleKubeletSocketsMax };
    this.#agent = new Agent({ ...this.tls, ...keepAlive });
    this.#unverifiedAgent = new Agent({ ...this.tls, rejectUnauthorized: false, ...keepAlive });
  }

  /** For plain requests. `verify` false accepts any serving certificate. */
  agent(verify = true): Agent {
    return verify ? this.#agent : this.#unverifiedAgent;
  }

  /** Throws 503-like errors with upstream's texts when the node is unknown or tells no address. */
  locate(nodeName: string): KubeletAddress {
    const node = this.#options.nodes.get(nodeName);
    if (!node) throw notReachable(`nodes "${nodeName}" not found`, 404);
    const { status } = node;
    const address = this.#addressOf(node);
    if (!address) {
      throw serviceUnavailable(
        `no preferred addresses found; known addresses: ${JSON.stringify(status?.addresses ?? [])}`,
      );
    }
    const port = status?.daemonEndpoints?.kubeletEndpoint?.Port || this.#options.defaultPort;
    const host = isIPv6(address) ? `[${address}]` : address;
    const speaksWebSocket = status?.declaredFeatures?.includes(webSocketFeature) === true;
    return { origin: `https://${host}:${port}`, speaksWebSocket };
  }

  close(): void {
    this.#agent.destroy();
    this.#unverifiedAgent.destroy();
  }

  #addressOf({ status }: Node): string | undefined {
    for (const type of this.#options.addressTypes) {
      const found = status?.addresses?.find((entry) => entry.type === type && entry.address);
      if (found) return found.address;
    }
    return undefined;
  }
}

function notReachable(message: string, code: number): StatusError {
  return new StatusError({ code, reason: 'NotFound', message });
}
