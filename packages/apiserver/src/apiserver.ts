import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { listen, trackSockets } from '@wherry/bytes';
import { systemClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { isWebSocketRequest } from '@wherry/upgrade';
import { reportConflicts } from './admission/services/ledger.ts';
import { assemble } from './assemble.ts';
import { bootstrap } from './bootstrap/bootstrap.ts';
import { startCaches } from './bootstrap/caches.ts';
import { ensureKubernetesService } from './bootstrap/kubernetes-service.ts';
import { ensureServiceRange } from './bootstrap/service-range.ts';
import { limits, periods } from './limits.ts';
import type { Apiserver, ApiserverOptions } from './options.ts';
import { Compactor } from './server/compactor.ts';
import type { HealthKind } from './server/root-paths.ts';
import { SqliteStore } from './store/sqlite-store.ts';

const defaultPort = 6443;
const defaultServiceRange = '10.96.0.0/16';

/** Starts an API server; resolves once it serves and is ready. Rejects when a file is bad, or the port or store taken. */
export async function startApiserver(options: ApiserverOptions): Promise<Apiserver> {
  const { bindAddress = '0.0.0.0', securePort = defaultPort, clock = systemClock } = options;
  const logger = options.logger ?? createLogger('apiserver');
  const serviceRange = options.serviceClusterIpRange ?? defaultServiceRange;
  const startedMs = clock.monotonicMs();
  const store = options.store ?? openStore(options);
  const server = createHttpsServer(options);
  try {
    let isReady = false;
    const port = () => (server.address() as AddressInfo | null)?.port ?? securePort;
    let hasFailed = false;
    const failingChecks = (kind: HealthKind) => [
      ...(hasFailed ? ['store'] : []),
      ...(isReady || kind === 'livez' ? [] : ['poststarthook/bootstrap']),
    ];
    void store.failed.then((error) => {
      hasFailed = true;
      logger.error('the store has failed', { error });
    });
    const parts = assemble({ ...options, store, clock, logger, serviceRange, failingChecks, port });
    await startCaches(parts.caches, store);
    await parts.customResources?.start();
    reportConflicts(parts.caches.services, logger);
    const sockets = trackSockets(server);
    let isClosing = false;
    server.on('request', (request, response) => {
      // A kept connection would hold up the end, and take requests that nobody serves any more.
      response.once('finish', () => void (isClosing && request.socket.end()));
      parts.api.handleRequest(request, response);
    });
    server.on('upgrade', (request, socket, head) => parts.api.handleUpgrade(request, socket, head));
    const { collection, serviceCidrs: cidrs } = parts;
    // Before anybody can ask: nobody is refused what the first roles allow.
    await bootstrap(collection);
    if (cidrs) await ensureServiceRange({ cidrs, serviceRange, clock, logger });
    await parts.addressBook?.start();
    await listen(server, { host: bindAddress, port: securePort });
    await ensureKubernetesService({
      ...{ collection, serviceRange, bindAddress, securePort: port() },
      advertiseAddress: options.advertiseAddress,
    });
    isReady = true;
    const compactor = new Compactor(store, clock, logger);
    compactor.start();
    const url = `https://${hostOf(bindAddress)}:${port()}`;
    logger.info('serving', { url, startMs: Math.round(clock.monotonicMs() - startedMs) });
    const close = once(async () => {
      isClosing = true;
      compactor.close();
      parts.api.close();
      parts.kubelets.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const deadline = clock.after(periods.shutdownMs, () => {
        for (const socket of sockets) socket.destroy();
      });
      await closed;
      deadline.cancel();
      await parts.customResources?.close();
      await parts.addressBook?.close();
      await store.close();
    });
    return { url, port: port(), failed: store.failed, close };
  } catch (error) {
    server.close();
    await store.close();
    throw error;
  }
}

function openStore({ dataDir, clock }: ApiserverOptions): SqliteStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // One that was made earlier, or by somebody else: secrets lie in it.
  chmodSync(dataDir, 0o700);
  return new SqliteStore({ path: join(dataDir, 'state.db'), ...(clock ? { clock } : {}) });
}

/** Paths of sub-resources that may be upgraded connections. */
const upgradable = /\/(exec|attach|portforward|log|proxy)([/?]|$)/;
/** Paths that may be a watch, which may come as a WebSocket. */
const watching = /\/watch\/|[?&]watch(=|&|$)/;

/** Elsewhere an Upgrade header is ignored, as by Go's server. */
function mayUpgrade(request: IncomingMessage): boolean {
  const { method, url = '' } = request;
  return upgradable.test(url) || (method === 'GET' && watching.test(url) && isWebSocketRequest(request));
}

function createHttpsServer(options: ApiserverOptions): Server {
  return createServer({
    cert: readFileSync(options.tlsCertFile),
    key: readFileSync(options.tlsPrivateKeyFile),
    ca: readFileSync(options.clientCaFile),
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    // Whoever shows no certificate may have a token, and is told so by a Status.
    requestCert: true,
    rejectUnauthorized: false,
    keepAliveTimeout: periods.keepAliveMs,
    maxHeaderSize: limits.requestHeadBytesMax,
    headersTimeout: periods.requestHeadMs,
    handshakeTimeout: periods.handshakeMs,
    // Proxied uploads last as long as they last; bodies that this server reads itself have a time of their own.
    requestTimeout: 0,
    connectionsCheckingInterval: periods.connectionsCheckMs,
    shouldUpgradeCallback: mayUpgrade,
  });
}

function hostOf(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= work());
}
