import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { aborted, closeServer, listen, trackSockets } from '@wherry/bytes';
import { type Clock, sleep } from '@wherry/clock';
import { internalError, kubernetesVersion, StatusError } from '@wherry/kubeapi';
import { ProcessPages, timesOfProcess } from '@wherry/kubeapi/zpages';
import { processGauges } from '@wherry/linux';
import type { ServiceProxy } from '@wherry/service-proxy';
import { type Counter, exposition, type Logger, MetricsRegistry } from '@wherry/telemetry';
import { limits } from '../component-server/limits.ts';
import { parseSocketAddress } from '../flags/flag-values.ts';

/** What `wherry network` is told about what it tells of itself; names are kube-proxy's. `IP:PORT`; without one, or with '', nobody is told. */
export interface NetworkPagesFlags {
  healthzBindAddress?: string | undefined;
  metricsBindAddress?: string | undefined;
  /** An address that is taken is the end of them; default: it is tried again. */
  bindAddressHardFail?: boolean | undefined;
  /** All that were given, by their names. */
  flags?: Readonly<Record<string, string>> | undefined;
}

interface Page {
  status?: number;
  type: string;
  body: string | Uint8Array;
}

const plainType = 'text/plain; charset=utf-8';
const retryMs = 5_000;
/** kube-proxy's, where an address says none. */
const [healthPort, metricsPort] = [10_256, 10_249];

/**
 * What kube-proxy tells of itself: at one address whether this node may be sent to (`/healthz`, `/livez`), at another its figures
 * (`/metrics`, `/proxyMode`, `/statusz`, `/flagz`). Anybody who reaches them may ask, as upstream.
 */
export class NetworkPages {
  readonly metrics = new MetricsRegistry();
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #closed = new AbortController();
  readonly #servers: Promise<void>[] = [];
  readonly #failed = Promise.withResolvers<Error>();
  readonly #asked: Readonly<Record<'healthz' | 'livez', Counter>>;

  constructor({ clock, logger }: { clock: Clock; logger: Logger }) {
    this.#clock = clock;
    this.#logger = logger;
    const counter = (page: string) =>
      this.metrics.counter(`kubeproxy_proxy_${page}_total`, `Answers of /${page}, by code.`);
    this.#asked = { healthz: counter('healthz'), livez: counter('livez') };
    processGauges(this.metrics, clock.nowMs());
  }

  /** Serves them until {@link close}. An address that somebody else has is tried again until it is free, as upstream. */
  serve(flags: NetworkPagesFlags, proxy: Pick<ServiceProxy, 'health' | 'isNodeEligible'>): void {
    const paths = ['/flagz', '/healthz', '/metrics', '/proxyMode', '/statusz'];
    const version = kubernetesVersion.slice(1);
    const process = new ProcessPages({ component: 'kube-proxy', version, paths, flags: flags.flags ?? {} });
    const isHard = flags.bindAddressHardFail === true;
    this.#serveAt(parseSocketAddress(flags.healthzBindAddress ?? '', healthPort), isHard, (path) => {
      if (path !== '/healthz' && path !== '/livez') return undefined;
      return this.#health(path === '/healthz' ? 'healthz' : 'livez', proxy);
    });
    this.#serveAt(parseSocketAddress(flags.metricsBindAddress ?? '', metricsPort), isHard, (path, accept) => {
      if (path === '/metrics') return exposition(this.metrics.render(), accept);
      if (path === '/proxyMode') return { type: plainType, body: 'nftables' };
      if (path === '/healthz') return { type: plainType, body: 'ok' };
      const page = process.answer(path, accept, timesOfProcess(this.#clock.nowMs()));
      return page && { type: page.type, body: page.text };
    });
  }

  /** Resolves when an address is taken that has to be had; else never. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('the network ends'));
    await Promise.all(this.#servers);
  }

  #health(page: 'healthz' | 'livez', proxy: Pick<ServiceProxy, 'health' | 'isNodeEligible'>): Page {
    const report = proxy.health();
    const nodeEligible = proxy.isNodeEligible();
    const status = report.healthy && (page === 'livez' || nodeEligible) ? 200 : 503;
    this.#asked[page].add(1, { code: String(status) });
    const told = page === 'livez' ? report : { ...report, nodeEligible };
    return { status, type: 'application/json', body: JSON.stringify(told) };
  }

  #serveAt(
    address: ReturnType<typeof parseSocketAddress>,
    isHard: boolean,
    page: (path: string, accept: string | undefined) => Page | undefined,
  ): void {
    if (!address) return;
    const settings = { maxHeaderSize: limits.requestHeadBytesMax, headersTimeout: limits.requestHeadMs };
    const server = createServer({ ...settings, requestTimeout: limits.requestHeadMs }, (request, response) =>
      answer(request, response, page),
    );
    server.maxConnections = limits.openConnectionsMax;
    this.#servers.push(this.#keep(server, address, isHard));
  }

  /** Listens until the end. */
  async #keep(
    server: Server,
    { host, port }: { host: string; port: number },
    isHard: boolean,
  ): Promise<void> {
    const { signal } = this.#closed;
    const sockets = trackSockets(server);
    for (let isTold = false; !signal.aborted; isTold = true) {
      try {
        await listen(server, { host, port });
        server.on('error', (error) =>
          this.#logger.warn('a page of the network failed', { address: `${host}:${port}`, error }),
        );
        this.#logger.info('telling of itself', { host, port });
        break;
      } catch (error) {
        if (isHard) {
          this.#failed.resolve(new Error(`${host}:${port} cannot be had`, { cause: error }));
          break;
        }
        if (!isTold)
          this.#logger.warn('an address is taken; it is tried again', { address: `${host}:${port}`, error });
        await sleep({ clock: this.#clock, delayMs: retryMs, signal }).catch(() => {});
      }
    }
    if (!server.listening) return;
    await aborted(signal);
    await closeServer(server, sockets);
  }
}

function answer(
  { url = '/', headers }: IncomingMessage,
  response: ServerResponse,
  page: (path: string, accept: string | undefined) => Page | undefined,
): void {
  const path = URL.parse(url, 'http://localhost')?.pathname ?? '';
  const found = pageOrRefusal(() => page(path, headers.accept));
  response.writeHead(found.status ?? 200, {
    ...{ 'content-type': found.type, 'x-content-type-options': 'nosniff' },
  });
  response.end(found.body);
}

function pageOrRefusal(page: () => Page | undefined): Page {
  try {
    return page() ?? { status: 404, type: plainType, body: '404 page not found\n' };
  } catch (error) {
    const { code, status } = error instanceof StatusError ? error : internalError(error);
    return { status: code, type: 'application/json', body: JSON.stringify(status) };
  }
}
