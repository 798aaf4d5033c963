import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { reportConflicts } from './admission/services/ledger.ts';
import { authenticationSettings, publishSettings } from './aggregation/authentication-settings.ts';
import { assemble } from './assemble.ts';
import { bootstrap } from './bootstrap/bootstrap.ts';
import { startCaches } from './bootstrap/caches.ts';
import { ensureKubernetesService } from './bootstrap/kubernetes-service.ts';
import { ensureServiceRange } from './bootstrap/service-range.ts';
import type { Apiserver, ApiserverOptions } from './options.ts';
import { Compactor } from './server/compactor.ts';
import type { HealthKind } from './server/health.ts';
import { SqliteStore } from './store/sqlite-store.ts';
import { SecureServer } from './transport/secure-server.ts';

const defaultPort = 6443;
const defaultServiceRange = '10.96.0.0/16';

/** Starts an API server; resolves once it serves and is ready. Rejects when a file is bad, or the port or store taken. */
export async function startApiserver(options: ApiserverOptions): Promise<Apiserver> {
  const { bindAddress = '0.0.0.0', securePort = defaultPort, clock = systemClock } = options;
  const logger = options.logger ?? createLogger('apiserver');
  const serviceRange = options.serviceClusterIpRange ?? defaultServiceRange;
  const startedMs = clock.monotonicMs();
  const store = options.store ?? openStore(options);
  let server: SecureServer | undefined;
  try {
    let isReady = false;
    const port = () => server?.port ?? securePort;
    let hasFailed = false;
    const healthChecks = (kind: HealthKind) => [
      { name: 'ping', holds: true },
      { name: 'store', holds: !hasFailed },
      ...(kind === 'livez' ? [] : [{ name: 'poststarthook/bootstrap', holds: isReady }]),
    ];
    void store.failed.then((error) => {
      hasFailed = true;
      logger.error('the store has failed', { error });
    });
    const parts = assemble({ ...options, store, clock, logger, serviceRange, healthChecks, port });
    await startCaches(parts.caches, store);
    await parts.customResources?.start();
    reportConflicts(parts.caches.services, logger);
    const listening = new SecureServer(options, { clock, handlers: parts.api });
    server = listening;
    const { collection, serviceCidrs: cidrs } = parts;
    // Before anybody can ask: nobody is refused what the first roles allow.
    await Promise.all([bootstrap(collection), parts.flowObjects?.start(), parts.aggregation?.local.start()]);
    await publishSettings(collection('', 'v1', 'configmaps'), authenticationSettings(options));
    await parts.aggregation?.availability.start();
    if (cidrs) await ensureServiceRange({ cidrs, serviceRange, clock, logger });
    await parts.addressBook?.start();
    await parts.tokenTracking.start();
    await listening.listen({ host: bindAddress, port: securePort });
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
      compactor.close();
      parts.api.close();
      parts.kubelets.close();
      parts.webhooks.close();
      parts.extensions.close();
      await listening.close();
      await parts.customResources?.close();
      await parts.addressBook?.close();
      await parts.flowObjects?.close();
      await parts.tokenTracking.close();
      parts.params.close();
      await parts.aggregation?.local.close();
      await parts.aggregation?.availability.close();
      await parts.auditor?.close();
      await store.close();
      await options.tracer?.close();
    });
    return { url, port: port(), failed: store.failed, close };
  } catch (error) {
    await server?.close();
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

function hostOf(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= work());
}
