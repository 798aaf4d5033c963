import type { Agent, RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { retireAgent } from '@wherry/bytes';
import { type Node, notFound, serviceUnavailable } from '@wherry/kubeapi';
import type { Tracer } from '@wherry/telemetry';
import type { TlsClientOptions } from '@wherry/upgrade';
import type { Backend } from '../dialing/backend-url.ts';
import type { DialGuard } from '../dialing/dial-guard.ts';
import { httpsAgent, type Way } from '../dialing/dialled-agents.ts';
import type { ClientFiles } from '../documents/client-files.ts';
import { limits } from '../limits.ts';
import type { ObjectCache } from '../objects/object-cache.ts';

/** How kubelets are reached. */
export interface KubeletOptions {
  nodes: ObjectCache<Node>;
  /** Kinds of node addresses, the preferred one first. */
  addressTypes: readonly string[];
  /** For nodes that do not tell their kubelet's port. */
  defaultPort: number;
  /** The nodes that run on this machine: their kubelets may be at a loopback address. */
  localNodes: readonly string[];
  guard: DialGuard;
  /** Default: kubelets are dialled from here. */
  way?: Way | undefined;
  tracer: Tracer;
  /** Client certificate and the CA of serving certificates; without `ca` those are not verified, as upstream. Closed with the way. */
  files: ClientFiles;
}

/** Where a node's kubelet listens, as it may be dialed. */
export interface KubeletAddress {
  backend: Backend;
  /** What the node calls its address: an IP address or a name. */
  host: string;
  tls: TlsClientOptions;
  way: Way | undefined;
  /** Headers that tell the kubelet of the span that the request belongs to. */
  headers: Record<string, string>;
  /** Knows the WebSocket protocols itself, nothing needs translating. */
  speaksWebSocket: boolean;
}

/** Set by kubelets that take WebSocket v5 and tunnels themselves (upstream 1.36). */
const webSocketFeature = 'ExtendWebSocketsToKubelet';

/** The way from the API server to the kubelets: addresses, credentials, kept connections. */
export class Kubelets {
  readonly #options: KubeletOptions;
  #tls: TlsClientOptions;
  #agents: Agents;

  constructor(options: KubeletOptions) {
    this.#options = options;
    this.#tls = tlsOf(options.files);
    this.#agents = agentsOf(this.#tls, options.way);
    options.files.onChange(() => {
      this.#tls = tlsOf(options.files);
      for (const agent of Object.values(this.#agents)) retireAgent(agent);
      this.#agents = agentsOf(this.#tls, options.way);
    });
  }

  /** For plain requests to a kubelet. `verify` false accepts any serving certificate. */
  requestOptions({ tls, headers }: KubeletAddress, verify = true): RequestOptions {
    const { servername } = tls;
    const agent = verify ? this.#agents.verified : this.#agents.unverified;
    return servername === undefined ? { agent, headers } : { agent, headers, servername };
  }

  /**
   * Throws 503-like errors with upstream's texts when the node is unknown or tells no address, and 400 when it tells
   * one that must not be dialed.
   */
  async locate(nodeName: string, signal: AbortSignal): Promise<KubeletAddress> {
    const node = this.#options.nodes.get(nodeName);
    if (!node) throw notFound({ group: '', resource: 'nodes' }, nodeName);
    const { status } = node;
    const host = this.#addressOf(node);
    if (!host) {
      throw serviceUnavailable(
        `no preferred addresses found; known addresses: ${JSON.stringify(status?.addresses ?? [])}`,
      );
    }
    const { guard, way, defaultPort, localNodes } = this.#options;
    const port = status?.daemonEndpoints?.kubeletEndpoint?.Port || defaultPort;
    const isLocal = localNodes.includes(nodeName);
    const isRemote = way !== undefined;
    const address = await guard.resolve({ host, port, isLocal, isRemote, signal });
    const speaksWebSocket = status?.declaredFeatures?.includes(webSocketFeature) === true;
    // The certificate has to name what the node says, not what the name led to.
    const tls = isIP(host) === 0 ? { ...this.#tls, servername: host } : this.#tls;
    const headers = this.#options.tracer.headers();
    return {
      backend: { scheme: 'https', address, port, isRemote },
      host,
      tls,
      way,
      headers,
      speaksWebSocket,
    };
  }

  close(): void {
    this.#options.files.close();
    this.#agents.verified.destroy();
    this.#agents.unverified.destroy();
  }

  #addressOf({ status }: Node): string | undefined {
    for (const type of this.#options.addressTypes) {
      const found = status?.addresses?.find((entry) => entry.type === type && entry.address);
      if (found) return found.address;
    }
    return undefined;
  }
}

/** Kept connections, by whether a kubelet's certificate is looked at. */
type Agents = Record<'verified' | 'unverified', Agent>;

const tlsOf = ({ current }: ClientFiles): TlsClientOptions => ({
  ...current,
  rejectUnauthorized: current.ca !== undefined,
});

function agentsOf(tls: TlsClientOptions, way: Way | undefined): Agents {
  const keepAlive = { keepAlive: true, maxFreeSockets: limits.idleKubeletSocketsMax };
  return {
    verified: httpsAgent({ ...tls, ...keepAlive }, way?.dial),
    unverified: httpsAgent({ ...tls, rejectUnauthorized: false, ...keepAlive }, way?.dial),
  };
}
