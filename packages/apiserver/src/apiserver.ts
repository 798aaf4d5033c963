import { once } from '@wherry/bytes';
import { type Clock, sleep, systemClock } from '@wherry/clock';
import {
  createLogger,
  type HealthCheck,
  type HealthKind,
  type Logger,
  MetricsRegistry,
  unattended,
} from '@wherry/telemetry';
import { reportConflicts } from './admission/services/ledger.ts';
import { authenticationSettings, publishSettings } from './aggregation/authentication-settings.ts';
import { type Assembled, assemble } from './assemble.ts';
import type { AuditPost } from './audit/webhook-post.ts';
import { ClientAuthorities } from './authentication/client-authorities.ts';
import { anonymousSettings } from './authentication/configuration/anonymous.ts';
import type { JwtAuthentication } from './authentication/jwt/jwt-authentication.ts';
import { serviceAccountIssuers } from './authentication/service-accounts/issuers.ts';
import type { TokenWebhook } from './authentication/token-webhook.ts';
import type { AbacAuthorizer } from './authorization/abac.ts';
import type { AuthorizationMode } from './authorization/authorization-options.ts';
import type { ConfiguredAuthorization } from './authorization/webhook/configured-authorization.ts';
import { bootstrap } from './bootstrap/bootstrap.ts';
import { startCaches } from './bootstrap/caches.ts';
import { ServerAddresses } from './bootstrap/server-addresses.ts';
import { ensureServiceRange } from './bootstrap/service-range.ts';
import type { Dial } from './dialing/dial.ts';
import type { Egress } from './egress/egress.ts';
import type { EncryptionFile } from './encryption/encryption-file.ts';
import { expressionTurns } from './flow/expression-turns.ts';
import { periods } from './limits.ts';
import { openEncryption, openStore } from './open-store.ts';
import type { Apiserver, ApiserverOptions } from './options.ts';
import { Compactor } from './server/compactor.ts';
import { SettingsError } from './settings-error.ts';
import { PartedStore } from './store/parted/parted-store.ts';
import type { Store } from './store/store.ts';
import type { CrossOrigins } from './transport/cross-origins.ts';
import { SecureServer } from './transport/secure-server.ts';

const defaultPort = 6443;
const defaultServiceRange = '10.96.0.0/16';

/**
 * Starts an API server; resolves once it serves and is ready. Rejects with a {@link SettingsError} where an option or a file is
 * bad, or with the system's error where a file, the port or the store can't be had.
 */
export async function startApiserver(options: ApiserverOptions): Promise<Apiserver> {
  const opened = new AsyncDisposableStack();
  try {
    return await start(options, opened);
  } catch (error) {
    // Nothing stays of a start that fails; what it failed of counts, not how that goes.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
}

/** What is put on `opened` is closed in the opposite order, when the server is or its start fails. */
async function start(options: ApiserverOptions, opened: AsyncDisposableStack): Promise<Apiserver> {
  const { bindAddress = '0.0.0.0', securePort = defaultPort, clock = systemClock } = options;
  const logger = options.logger ?? createLogger('apiserver');
  const serviceRange = options.serviceClusterIpRange ?? defaultServiceRange;
  const startedMs = clock.monotonicMs();
  const metrics = options.metrics ?? new MetricsRegistry();
  const egress = opened.adopt(await openEgress(options, { clock, logger, metrics }), (each) => each?.close());
  const { jwt, tokenWebhook, authorization, policies, encryptionFile } = await openFiles(
    { options, clock, logger, metrics, egress },
    opened,
  );
  const sealing = encryptionFile?.encryption;
  if (egress?.way('etcd') && options.etcdServers?.length)
    throw new SettingsError(
      `--egress-selector-config-file ${options.egressSelectorConfigFile}: etcd is dialled from here: its selection must be Direct, or absent`,
    );
  const store = options.store ?? (await openStore(options, { clock, logger, sealing }));
  opened.defer(() => store.close());
  const anonymous = anonymousSettings(
    {
      ...{ flag: options.anonymousAuth, file: jwt?.anonymous },
      isAllAllowed: (authorization?.types ?? options.authorizationMode)?.includes('AlwaysAllow') ?? false,
    },
    logger,
  );
  let server: SecureServer | undefined;
  let isReady = false;
  const port = () => server?.port ?? securePort;
  let hasFailed = false;
  let isEnding = false;
  const healthChecks = (kind: HealthKind) => [
    { name: 'ping', holds: true },
    { name: 'store', holds: !hasFailed },
    ...etcdChecks(store, kind, options),
    ...kmsChecks(encryptionFile),
    ...(kind === 'livez' ? [] : [{ name: 'poststarthook/bootstrap', holds: isReady }]),
    ...(kind === 'readyz' ? [{ name: 'shutdown', holds: !isEnding }] : []),
  ];
  void store.failed.then((error) => {
    hasFailed = true;
    logger.error('the store has failed', { error });
  });
  const auditPost = await openPost(options, clock, egress?.way('controlplane')?.dial);
  const authorities = new ClientAuthorities();
  const crossOrigins = await openCrossOrigins(options);
  const parts = assemble({
    ...{ ...options, store, clock, logger, metrics, serviceRange, healthChecks, port, auditPost },
    ...{ jwt, tokenWebhook, authorization, policies, anonymous, authorities, egress },
  });
  closeInTurn(opened, parts, () => server?.close());
  await startCaches(parts.caches, store);
  await parts.customResources?.start();
  reportConflicts(parts.caches.services, logger);
  const { collection, serviceCidrs: cidrs } = parts;
  const publish = () =>
    publishSettings(collection('', 'v1', 'configmaps'), authenticationSettings(options), clock.nowMs());
  const onAuthority = () =>
    unattended(publish(), { logger, task: 'telling extension servers of the client CA' });
  server = new SecureServer(options, {
    ...{ clock, logger, metrics, handlers: parts.api, authorities, crossOrigins, onAuthority },
  });
  // Before anybody can ask: nobody is refused what the first roles allow.
  await Promise.all([bootstrap(collection), parts.flowObjects?.start(), parts.aggregation?.local.start()]);
  await publish();
  await parts.aggregation?.availability.start();
  if (cidrs) await ensureServiceRange({ cidrs, serviceRange, clock, logger });
  await parts.addressBook?.start();
  parts.portBook?.start();
  await parts.tokenTracking.start();
  await server.listen({ host: bindAddress, port: securePort, reusePort: options.permitPortSharing });
  const place = { collection, serviceRange, bindAddress, securePort: port() };
  const { advertiseAddress } = options;
  const addresses = new ServerAddresses({
    ...{ ...place, advertiseAddress, store, clock, logger },
    keepsEndpoints: options.endpointReconcilerType !== 'none',
  });
  await addresses.start();
  opened.defer(() => addresses.close());
  isReady = true;
  if (options.encryptionProviderConfigAutomaticReload) encryptionFile?.follow();
  const compactor = opened.adopt(new Compactor(store, clock, logger), (each) => each.close());
  if (!store.shared) compactor.start();
  const url = `https://${hostOf(bindAddress)}:${port()}`;
  logger.info('serving', { url, startMs: Math.round(clock.monotonicMs() - startedMs) });
  const close = once(async () => {
    isEnding = true;
    // Who shares the load out sees that this server is not ready, and sends nothing more.
    const delayMs = hasFailed ? 0 : (options.shutdownDelayDurationMs ?? 0);
    if (delayMs > 0) await sleep({ clock, delayMs, keepsAlive: true });
    await opened.disposeAsync();
    await options.tracer?.close();
  });
  return { url, port: port(), failed: store.failed, close };
}

/** What is read of files, and followed until the server ends. */
async function openFiles(
  {
    options,
    ...parts
  }: {
    options: ApiserverOptions;
    clock: Clock;
    logger: Logger;
    metrics: MetricsRegistry;
    egress: Egress | undefined;
  },
  opened: AsyncDisposableStack,
) {
  const followed = <File extends { close(): void }>(file: File | undefined) =>
    opened.adopt(file, (open) => open?.close());
  const webhookParts = { ...parts, dial: parts.egress?.way('controlplane')?.dial };
  const authorization = followed(await openAuthorization(options, webhookParts));
  return {
    authorization,
    policies: await openPolicies(authorization?.types ?? options.authorizationMode ?? [], options),
    jwt: followed(await openJwt(options, parts)),
    tokenWebhook: followed(await openTokenWebhook(options, webhookParts)),
    encryptionFile: followed(await openEncryption(options, parts)),
  };
}

/** First nobody is answered any more, then what works by itself ends. */
function closeInTurn(
  opened: AsyncDisposableStack,
  parts: Assembled,
  closeServer: () => Promise<void> | undefined,
): void {
  const steps = [
    () => parts.api.close(),
    () => parts.kubelets.close(),
    () => parts.webhooks.close(),
    () => parts.admission.close(),
    () => parts.extensions.close(),
    closeServer,
    () => parts.customResources?.close(),
    () => parts.addressBook?.close(),
    () => parts.portBook?.close(),
    () => parts.flowObjects?.close(),
    () => parts.tokenTracking.close(),
    () => parts.params.close(),
    () => parts.aggregation?.local.close(),
    () => parts.aggregation?.availability.close(),
    () => parts.auditor?.close(),
  ];
  for (const step of steps.reverse()) opened.defer(step);
}

/** Only who lets pages of other origins ask loads what tells them apart. */
async function openCrossOrigins({
  corsAllowedOrigins = [],
}: ApiserverOptions): Promise<CrossOrigins | undefined> {
  if (corsAllowedOrigins.length === 0) return undefined;
  const { CrossOrigins } = await import('./transport/cross-origins.ts');
  return CrossOrigins.open(corsAllowedOrigins);
}

/** Only who asks for a webhook loads the client that sends to it. */
async function openPost(
  { auditWebhook }: ApiserverOptions,
  clock: Clock,
  dial: Dial | undefined,
): Promise<AuditPost | undefined> {
  if (!auditWebhook) return undefined;
  const { openAuditPost } = await import('./audit/webhook-post.ts');
  return openAuditPost(auditWebhook.configFile, clock, dial);
}

/** Only who has connections led through proxies loads what speaks to those. */
async function openEgress(
  { egressSelectorConfigFile: file }: ApiserverOptions,
  parts: { clock: Clock; logger: Logger; metrics: MetricsRegistry },
): Promise<Egress | undefined> {
  if (file === undefined) return undefined;
  const { Egress } = await import('./egress/egress.ts');
  return Egress.open(file, parts);
}

/** Only who names an identity provider, or a file that may, loads what asks it. */
async function openJwt(
  { oidc, authenticationConfig: file, serviceAccountIssuer }: ApiserverOptions,
  {
    egress,
    ...parts
  }: { clock: Clock; logger: Logger; metrics: MetricsRegistry; egress: Egress | undefined },
): Promise<JwtAuthentication | undefined> {
  if (!oidc && file === undefined) return undefined;
  const { JwtAuthentication } = await import('./authentication/jwt/jwt-authentication.ts');
  const turns = () => expressionTurns(parts.clock);
  const dialOf = (type: string) => {
    if (type !== 'cluster' && type !== 'controlplane') return undefined;
    if (!egress) throw new Error(`oidc: egress lookup required with egress selector type "${type}"`);
    if (!egress.tellsOf(type)) throw new Error(`oidc: egress lookup for "${type}" is not configured`);
    return egress.way(type)?.dial;
  };
  return JwtAuthentication.open(
    { file, oidc },
    { ...parts, ownIssuers: serviceAccountIssuers(serviceAccountIssuer).all, turns, dialOf },
  );
}

/** Only who has a webhook for tokens loads the client that asks it. */
async function openTokenWebhook(
  { authenticationTokenWebhook: options }: ApiserverOptions,
  parts: { clock: Clock; logger: Logger; dial: Dial | undefined },
): Promise<TokenWebhook | undefined> {
  if (!options) return undefined;
  const { openTokenWebhook } = await import('./authentication/open-token-webhook.ts');
  return openTokenWebhook(options, parts);
}

/** Only who has webhooks that decide, or a file that may name some, loads what asks them. */
async function openAuthorization(
  { authorizationConfig: file, authorizationMode: modes, authorizationWebhook: webhook }: ApiserverOptions,
  parts: { clock: Clock; logger: Logger; metrics: MetricsRegistry; dial: Dial | undefined },
): Promise<ConfiguredAuthorization | undefined> {
  if (file !== undefined && (modes || webhook))
    throw new SettingsError(
      '--authorization-config excludes --authorization-mode and the flags --authorization-webhook-*',
    );
  if (file === undefined && !webhook && !modes?.includes('Webhook')) return undefined;
  const { ConfiguredAuthorization } = await import('./authorization/webhook/configured-authorization.ts');
  if (file !== undefined) return ConfiguredAuthorization.open(file, parts);
  return ConfiguredAuthorization.of(modes ?? [], webhook, parts);
}

/** Only who has the mode ABAC loads what reads its file. */
async function openPolicies(
  modes: readonly AuthorizationMode[],
  { authorizationPolicyFile: file }: ApiserverOptions,
): Promise<AbacAuthorizer | undefined> {
  const isAsked = modes.includes('ABAC');
  if (file !== undefined && !isAsked)
    throw new SettingsError('--authorization-policy-file is for --authorization-mode=ABAC');
  if (!isAsked) return undefined;
  if (file === undefined)
    throw new SettingsError('--authorization-mode=ABAC needs --authorization-policy-file');
  const { AbacAuthorizer } = await import('./authorization/abac.ts');
  return AbacAuthorizer.open(file);
}

/** As upstream calls it. */
function kmsChecks(file: EncryptionFile | undefined): HealthCheck[] {
  const holds = file?.areProvidersWell;
  return holds === undefined ? [] : [{ name: 'kms-providers', holds }];
}

/** As upstream calls them. */
function etcdChecks(
  store: Store,
  kind: HealthKind,
  {
    etcdHealthcheckTimeoutMs = periods.etcdHealthMs,
    etcdReadycheckTimeoutMs = periods.etcdHealthMs,
  }: ApiserverOptions,
): HealthCheck[] {
  const others = store instanceof PartedStore ? store.others : [];
  const stores = [
    { shared: store.shared, alive: 'etcd', ready: 'etcd-readiness' },
    ...others.map(({ shared }, index) => ({
      ...{ shared, alive: `etcd-override-${index}`, ready: `etcd-override-readiness-${index}` },
    })),
  ];
  return stores.flatMap(({ shared, alive, ready }) => {
    if (!shared) return [];
    const isAlive = { name: alive, holds: shared.answersWithin(etcdHealthcheckTimeoutMs) };
    const isReady = { name: ready, holds: shared.answersWithin(etcdReadycheckTimeoutMs) };
    return kind === 'livez' ? [isAlive] : [isAlive, isReady];
  });
}

function hostOf(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
