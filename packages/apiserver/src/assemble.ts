import type { Clock } from '@wherry/clock';
import type { ObjectMeta, PolicyRule, Secret } from '@wherry/kubeapi';
import {
  type HealthCheck,
  type HealthKind,
  type Logger,
  type MetricsRegistry,
  noTracer,
  SessionBook,
  type Tracer,
} from '@wherry/telemetry';
import { AdmissionChain } from './admission/chain.ts';
import { AdmissionFigures } from './admission/figures/admission-figures.ts';
import { ParamCaches } from './admission/param-caches.ts';
import type { PluginParts } from './admission/plugin-parts.ts';
import { enabledPlugins } from './admission/plugins.ts';
import { defaultNodePorts, PortRange } from './admission/port-range.ts';
import { StoredObjects } from './admission/stored-objects.ts';
import { StoredPods } from './admission/stored-pods.ts';
import { frontProxyHeaders } from './aggregation/authentication-settings.ts';
import { Availability } from './aggregation/availability.ts';
import { ExtensionClient } from './aggregation/extension-client.ts';
import { ExtensionProxy } from './aggregation/extension-proxy.ts';
import { LocalServices } from './aggregation/local-services.ts';
import type { Auditor } from './audit/auditor.ts';
import { createAuditor } from './audit/create-auditor.ts';
import type { AuditPost } from './audit/webhook-post.ts';
import { Authenticator } from './authentication/authenticator.ts';
import { BootstrapTokens } from './authentication/bootstrap-tokens.ts';
import type { ClientAuthorities } from './authentication/client-authorities.ts';
import type { AnonymousSettings } from './authentication/configuration/authentication-configuration.ts';
import { FrontProxyUsers, frontProxyAuthority, identityRemover } from './authentication/front-proxy.ts';
import type { JwtAuthentication } from './authentication/jwt/jwt-authentication.ts';
import { holdsToken, isMarkedInvalid } from './authentication/legacy-tokens.ts';
import type { ServiceAccountClaims } from './authentication/service-account-claims.ts';
import { serviceAccountIssuers } from './authentication/service-account-issuers.ts';
import { readServiceAccountKeys } from './authentication/service-account-keys.ts';
import { type ClaimsState, ServiceAccountTokens } from './authentication/service-account-tokens.ts';
import { TokenFile } from './authentication/token-file.ts';
import type { TokenWebhook } from './authentication/token-webhook.ts';
import { AuthorizationFigures } from './authorization/authorization-figures.ts';
import { type Authorizer, AuthorizerChain, alwaysAllow, alwaysDeny } from './authorization/authorizer.ts';
import { bootstrapRoles } from './authorization/bootstrap-policy.ts';
import { NodeAuthorizer } from './authorization/node-authorizer.ts';
import { RbacAuthorizer } from './authorization/rbac.ts';
import type { ConfiguredAuthorization } from './authorization/webhook/configured-authorization.ts';
import { AddressBook } from './bootstrap/address-book.ts';
import { type Caches, createCaches } from './bootstrap/caches.ts';
import { ensure } from './bootstrap/ensure.ts';
import { FlowObjects } from './bootstrap/flow-objects.ts';
import { PortBook } from './bootstrap/port-book.ts';
import { TokenTracking } from './bootstrap/token-tracking.ts';
import { Catalog, pathOf } from './catalog/catalog.ts';
import { Kubelets } from './connect/kubelets.ts';
import { StreamConnector } from './connect/streams.ts';
import { ConversionFigures } from './custom-resources/conversion/conversion-figures.ts';
import { CustomResources } from './custom-resources/custom-resources.ts';
import { DialGuard } from './dialing/dial-guard.ts';
import { ClientFiles } from './documents/client-files.ts';
import { FlowControl } from './flow/flow-control.ts';
import { servedKind } from './kinds/index.ts';
import { servedResources, toServedResource } from './kinds/served-resources.ts';
import { limits, periods } from './limits.ts';
import { as } from './objects/api-object.ts';
import type { ApiserverOptions, AuthorizationMode } from './options.ts';
import { Collection } from './registry/collection.ts';
import { RegistryFigures } from './registry/resource-figures.ts';
import type { KnownRights } from './reviews/access-reviews.ts';
import { noteLegacyUse } from './reviews/legacy-token-use.ts';
import { Api } from './server/api.ts';
import { oldDefinitionHandlers } from './server/old-definitions.ts';
import { ResourceRouter } from './server/resource-router.ts';
import { RootPaths } from './server/root-paths.ts';
import { ServiceAccountDiscovery } from './server/service-account-discovery.ts';
import { SettingsError } from './settings-error.ts';
import { StoredCounts } from './store/measured/stored-counts.ts';
import type { Store } from './store/store.ts';
import { fetchResourcePage } from './usage/fetch-resource-page.ts';
import { UsageMeter } from './usage/usage-meter.ts';
import { StoredSlices } from './webhooks/stored-slices.ts';
import { WebhookClient } from './webhooks/webhook-client.ts';

/** What the parts are made from. */
export interface AssembleOptions extends ApiserverOptions {
  store: Store;
  clock: Clock;
  logger: Logger;
  tracer?: Tracer | undefined;
  serviceRange: string;
  healthChecks(kind: HealthKind): HealthCheck[];
  port(): number;
  /** To the webhook of the audit, where there is one. */
  auditPost?: AuditPost | undefined;
  metrics: MetricsRegistry;
  /** Who signs certificates of clients and of front proxies. */
  authorities: ClientAuthorities;
  /** Users of identity providers, where there are any. */
  jwt?: JwtAuthentication | undefined;
  /** Users by a webhook's word, where there is one. */
  tokenWebhook?: TokenWebhook | undefined;
  /** Who decides, where webhooks do, or a file says it. */
  authorization?: ConfiguredAuthorization | undefined;
  /** Whether who shows nothing may ask. */
  anonymous: AnonymousSettings;
}

/** The parts that starting and stopping deals with. */
export interface Assembled {
  api: Api;
  caches: Caches;
  catalog: Catalog;
  /** Undefined where definitions are not served. */
  customResources: CustomResources | undefined;
  kubelets: Kubelets;
  webhooks: WebhookClient;
  admission: AdmissionChain;
  /** Undefined where IPAddresses are not served. */
  addressBook: AddressBook | undefined;
  /** Present where other servers give out node ports, too. */
  portBook: PortBook | undefined;
  /** Undefined where APIServices are not served. */
  aggregation: Aggregation | undefined;
  extensions: ExtensionClient;
  /** Undefined where one of flow control's kinds is not served. */
  flowObjects: FlowObjects | undefined;
  tokenTracking: TokenTracking;
  params: ParamCaches;
  /** ServiceCIDRs, where they are served. */
  serviceCidrs: Collection | undefined;
  /** Undefined: nothing is audited. */
  auditor: Auditor | undefined;
  /** A stored resource; throws on one that is not served. */
  collection(group: string, version: string, plural: string): Collection;
}

/** What keeps APIServices. */
export interface Aggregation {
  local: LocalServices;
  availability: Availability;
}

const defaultAddressTypes = ['InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS', 'Hostname'];
const defaultKubeletPort = 10250;

/** Puts an API server together; nothing runs yet. */
export function assemble(options: AssembleOptions): Assembled {
  const { store, clock, logger, metrics } = options;
  const tracer = options.tracer ?? noTracer;
  const served = servedResources(options.runtimeConfig);
  const resources = new Map(
    served.map((facts) => [pathOf(facts), toServedResource(facts, { lifetimeMs: options.eventTtlMs })]),
  );
  const caches = createCaches((path) => resources.get(path)!);
  const authorizationFigures = new AuthorizationFigures(metrics, clock);
  const { authorizer, rbac, knownRights } = createAuthorizer(options, caches, authorizationFigures);
  const collections = new Map<string, Collection>();
  const guard = new DialGuard({
    ownPort: options.port,
    ownAddresses: [options.advertiseAddress ?? '', options.bindAddress ?? ''],
    lookup: options.lookup,
  });
  const slices = new StoredSlices(store);
  const slicesOf = (namespace: string, name: string) => slices.of(namespace, name);
  const targets = { guard, services: caches.services, slicesOf };
  const webhooks = new WebhookClient(targets, clock);
  const frontProxy = new ClientFiles(
    { cert: options.proxyClientCertFile, key: options.proxyClientKeyFile },
    { towards: 'extension servers', clock, logger },
  );
  const extensions = new ExtensionClient(targets, frontProxy);
  const params = new ParamCaches({ store, clock });
  const nodePorts = PortRange.parse(options.serviceNodePortRange ?? defaultNodePorts);
  const figures = new AdmissionFigures(metrics);
  const parts: PluginParts = {
    params,
    figures,
    ...{ caches, authorizer, rbac, metrics, clock, logger, serviceRange: options.serviceRange, webhooks },
    nodePorts,
    tolerationSeconds: {
      notReady: options.defaultNotReadyTolerationSeconds,
      unreachable: options.defaultUnreachableTolerationSeconds,
    },
    pods: new StoredPods(store, resources.get('/v1/pods')!),
    claims: new StoredObjects(store, resources.get('/v1/persistentvolumeclaims')!),
    volumes: new StoredObjects(store, resources.get('/v1/persistentvolumes')!),
    served: () => catalog.entries().map((entry) => entry.collection.resource),
    makeNamespace: (name) => ensure(collection('', 'v1', 'namespaces'), { metadata: { name } }),
    sharedStore: store.shared && store,
  };
  const admission = new AdmissionChain(enabledPlugins(parts, options), { figures, clock });
  const shared = { store, figures: new RegistryFigures(metrics, clock), admission, authorizer, clock };
  for (const [path, resource] of resources) {
    collections.set(path, new Collection({ ...shared, resource }));
  }
  const collection = (group: string, version: string, plural: string) => {
    const found = collections.get(`${group}/${version}/${plural}`);
    if (!found) throw new Error(`${plural} of "${group}/${version}" is not served`);
    return found;
  };
  const keys = readServiceAccountKeys(
    options.serviceAccountSigningKeyFile,
    options.serviceAccountKeyFiles ?? [],
  );
  const issuers = serviceAccountIssuers(options.serviceAccountIssuer);
  const stateOf = (claims: ServiceAccountClaims) =>
    stateOfClaims(claims, { caches, collection, clock, logger });
  const tokens = new ServiceAccountTokens({
    keys,
    issuers,
    audiences: options.apiAudiences ?? issuers.all,
    extendsLifetimes: options.serviceAccountExtendTokenExpiration,
    lifetimeMsMax: options.serviceAccountMaxTokenExpirationMs,
    clock,
    metrics,
    stateOf,
  });
  const tokenFile = options.tokenAuthFile ? new TokenFile(options.tokenAuthFile) : undefined;
  const bootstrapTokens = options.enableBootstrapTokenAuth
    ? new BootstrapTokens({ clock, find: (name) => findSecret(collection, 'kube-system', name) })
    : undefined;
  const authenticator = new Authenticator({
    clock,
    metrics,
    authorities: options.authorities,
    frontProxy:
      frontProxyAuthority(options) === undefined
        ? undefined
        : new FrontProxyUsers({
            authorities: options.authorities,
            allowedNames: options.requestheaderAllowedNames ?? [],
            headers: frontProxyHeaders(options),
          }),
    removeIdentity: identityRemover(frontProxyHeaders(options)),
    serviceAccountTokens: tokens,
    tokenFile,
    bootstrapTokens,
    jwt: options.jwt,
    webhook: options.tokenWebhook,
    anonymous: options.anonymous,
  });
  const kubelets = createKubelets(options, caches, guard);
  const core = (plural: string) => collection('', 'v1', plural);
  const sessions = new SessionBook({ hop: 'apiserver', clock });
  const streams = new StreamConnector({
    ...{ pods: core('pods'), kubelets, authorizer, metrics, sessions, clock, logger },
  });
  const budgets = collections.get('policy/v1/poddisruptionbudgets');
  const handlerParts = {
    core,
    budgets,
    leases: collections.get('coordination.k8s.io/v1/leases'),
    admission,
    authenticator,
    authorizer,
    knownRights,
    tokens,
    kubelets,
    guard,
    streams,
    sessions,
    usage: new UsageMeter({
      clock,
      logger,
      nodeNames: () => [...caches.nodes.values()].map(({ metadata }) => metadata?.name ?? ''),
      fetchPage: (nodeName, signal) => fetchResourcePage(kubelets, nodeName, signal),
    }),
  };
  const catalog = new Catalog(
    [...collections.values()].map((stored) => {
      const { handlers, warning } = servedKind(stored.resource.facts);
      return { collection: stored, handlers: handlers?.(handlerParts, stored) ?? {}, warning };
    }),
  );
  const definitions = collections.get('apiextensions.k8s.io/v1/customresourcedefinitions');
  const customResources =
    definitions &&
    new CustomResources({
      ...{ catalog, clock, logger, webhooks },
      conversionFigures: new ConversionFigures(metrics, clock),
      definitions,
      collect: (resource) => new Collection({ ...shared, resource }),
    });
  const addresses = collections.get('networking.k8s.io/v1/ipaddresses');
  const keeping = { caches, clock, logger };
  const isStoreShared = store.shared !== undefined;
  const addressBook =
    addresses && new AddressBook({ addresses, services: core('services'), isStoreShared, ...keeping });
  const portBook = isStoreShared ? new PortBook({ store, range: nodePorts, ...keeping }) : undefined;
  const serviceCidrs = collections.get('networking.k8s.io/v1/servicecidrs');
  const flowControl = (plural: string) => collections.get(`flowcontrol.apiserver.k8s.io/v1/${plural}`);
  const [schemas, levels] = [flowControl('flowschemas'), flowControl('prioritylevelconfigurations')];
  const flowObjects = schemas && levels && new FlowObjects({ schemas, levels, caches, clock, logger });
  const flows = new FlowControl({
    ...{ metrics, clock, schemas: caches.flowSchemas, levels: caches.priorityLevels },
    inFlightMax: inFlightMax(options),
  });
  const apiServices = collections.get('apiregistration.k8s.io/v1/apiservices');
  const ofServices = { services: caches.apiServices, clock, logger };
  const aggregation = apiServices && {
    local: new LocalServices({ ...ofServices, collection: apiServices, catalog, isStoreShared }),
    availability: new Availability({
      metrics,
      ...{ ...ofServices, collection: apiServices, client: extensions },
      endpointPrefixes: ['/services/', '/discovery.k8s.io/endpointslices/'],
    }),
  };
  const router = new ResourceRouter({
    catalog,
    unadvertised: definitions ? oldDefinitionHandlers(definitions) : new Map(),
    metrics,
    clock,
  });
  const storedCounts = new StoredCounts({
    ...{ store, metrics, clock, logger },
    resources: () => storedResources(catalog),
    countPeriodMs: options.etcdCountMetricPollPeriodMs ?? periods.objectCountMs,
    sizePeriodMs: options.etcdDbMetricPollIntervalMs ?? periods.storeSizeMs,
  });
  const rootPaths = new RootPaths({
    ...{
      catalog,
      metrics,
      refreshMetrics: () => storedCounts.refresh(),
      sessions,
      serverAddress: () => `${options.advertiseAddress ?? '127.0.0.1'}:${options.port()}`,
    },
    healthChecks: (kind) => options.healthChecks(kind),
    extensions: aggregation?.availability ?? noExtensions,
    serviceAccountDiscovery: new ServiceAccountDiscovery(issuers.first, keys, options.serviceAccountJwksUri),
    flags: options.flags,
    clock,
  });
  const auditor = createAuditor(options, { metrics, clock, logger, post: options.auditPost });
  const api = new Api({
    ...{ authenticator, authorizer, authorizationFigures },
    ...{ router, rootPaths, flows, metrics, clock, logger, tracer },
    apiServices: caches.apiServices,
    extensions: new ExtensionProxy(extensions, clock),
    auditor,
    requestTimeoutMs: options.requestTimeoutMs ?? periods.requestMs,
    watchMinimumMs: (options.minRequestTimeout ?? periods.watchMinimumMs / 1000) * 1000,
  });
  return {
    ...{
      api,
      caches,
      catalog,
      customResources,
      kubelets,
      webhooks,
      extensions,
      addressBook,
      portBook,
      flowObjects,
    },
    ...{ aggregation, serviceCidrs, collection, auditor, params, admission },
    tokenTracking: new TokenTracking({ configMaps: core('configmaps'), clock, logger }),
  };
}

function inFlightMax({
  maxRequestsInflight = limits.readingInFlightMax,
  maxMutatingRequestsInflight = limits.changesInFlightMax,
}: ApiserverOptions): number {
  const sum = maxRequestsInflight + maxMutatingRequestsInflight;
  if (sum > 0) return sum;
  throw new SettingsError(
    '--max-requests-inflight and --max-mutating-requests-inflight must add up to something positive',
  );
}

/** Those of several versions once, by the first of them. */
function storedResources(catalog: Catalog) {
  const byPrefix = new Map<string, { group: string; resource: string; keyPrefix: string }>();
  for (const { collection } of catalog.entries()) {
    const { keyPrefix, facts } = collection.resource;
    if (!byPrefix.has(keyPrefix)) byPrefix.set(keyPrefix, { ...placeOf(facts), keyPrefix });
  }
  return byPrefix.values();
}

const placeOf = ({ group, plural }: { group: string; plural: string }) => ({ group, resource: plural });

const noExtensions = {
  ...{
    generation: 0,
    facts: () => [],
    stale: () => [],
    versions: () => [],
    openApiUrls: () => new Map<string, string>(),
  },
};

interface Authorization {
  authorizer: Authorizer;
  /** By which who hands out rights is held to his own; undefined when everybody may do everything. */
  rbac: RbacAuthorizer | undefined;
  knownRights(): KnownRights;
}

const usualModes: readonly AuthorizationMode[] = ['Node', 'RBAC'];

function createAuthorizer(
  { authorization, authorizationMode }: AssembleOptions,
  caches: Caches,
  figures: AuthorizationFigures,
): Authorization {
  const roles = new RbacAuthorizer(caches);
  const node = new NodeAuthorizer({ rules: nodeRules(), graph: caches.nodeGraph });
  const counted = (type: AuthorizationMode, each: Authorizer) =>
    figures.counted(type, type.toLowerCase(), each);
  const local = {
    ...{ Node: counted('Node', node), RBAC: counted('RBAC', roles) },
    AlwaysAllow: counted('AlwaysAllow', alwaysAllow),
    AlwaysDeny: counted('AlwaysDeny', alwaysDeny),
  };
  authorization?.use(local, figures);
  const modes = () => authorization?.types ?? authorizationMode ?? usualModes;
  const steps = modes().flatMap((mode) => (mode === 'Webhook' ? [] : [local[mode]]));
  return {
    authorizer: authorization ?? new AuthorizerChain(steps),
    rbac: modes().includes('AlwaysAllow') ? undefined : roles,
    knownRights: () => ({
      everything: modes().includes('AlwaysAllow'),
      roles: modes().includes('RBAC') ? roles : undefined,
      isElsewhere: modes().includes('Webhook'),
    }),
  };
}

function nodeRules(): readonly PolicyRule[] {
  return bootstrapRoles().find(({ metadata }) => metadata?.name === 'system:node')?.rules ?? [];
}

function createKubelets(options: AssembleOptions, { nodes }: Caches, guard: DialGuard): Kubelets {
  const { clock, logger } = options;
  const paths = {
    ca: options.kubeletCertificateAuthority,
    cert: options.kubeletClientCertificate,
    key: options.kubeletClientKey,
  };
  return new Kubelets({
    nodes,
    addressTypes: options.kubeletPreferredAddressTypes ?? defaultAddressTypes,
    defaultPort: options.kubeletPort ?? defaultKubeletPort,
    localNodes: options.localNodes ?? [],
    guard,
    tracer: options.tracer ?? noTracer,
    files: new ClientFiles(paths, { towards: 'kubelets', clock, logger }),
  });
}

async function findSecret(collection: Assembled['collection'], namespace: string, name: string) {
  const found = await collection('', 'v1', 'secrets').storage.find({ namespace, name });
  return found ? as<Secret>(found.object) : undefined;
}

interface ClaimParts extends Pick<AssembleOptions, 'clock' | 'logger'> {
  caches: Caches;
  collection: Assembled['collection'];
}

/**
 * Alive while the account, and the object that a token is bound to, are the ones that it was made for, and for a minute after they
 * should have gone: what a finalizer keeps keeps no token.
 */
async function stateOfClaims(
  { namespace, name, uid, bound, secret }: ServiceAccountClaims,
  { caches, collection, clock, logger }: ClaimParts,
): Promise<ClaimsState> {
  const goneBeforeMs = clock.nowMs() - periods.clockSkewMs;
  const isAlive = (metadata: ObjectMeta | undefined, wanted: string) =>
    metadata?.uid === wanted && !(Date.parse(metadata.deletionTimestamp ?? '') < goneBeforeMs);
  const account = caches.serviceAccounts.get(`${namespace}/${name}`);
  if (!account || !isAlive(account.metadata, uid)) return 'gone';
  if (secret) {
    const found = await findSecret(collection, namespace, secret.name);
    if (account.metadata.deletionTimestamp || !found || !holdsToken(found, secret.token)) return 'gone';
    const { storage } = collection('', 'v1', 'secrets');
    await noteLegacyUse(found, { storage, clock, logger });
    if (isMarkedInvalid(found)) return 'invalidated';
    return account.secrets?.some(({ name: listed }) => listed === secret.name) ? 'listed' : 'alive';
  }
  if (!bound) return 'alive';
  const stateOf = (metadata: ObjectMeta | undefined) => (isAlive(metadata, bound.uid) ? 'alive' : 'gone');
  if (bound.kind === 'Node') return stateOf(caches.nodes.get(bound.name)?.metadata);
  const plural = bound.kind === 'Pod' ? 'pods' : 'secrets';
  const found = await collection('', 'v1', plural).storage.find({ namespace, name: bound.name });
  return stateOf(found?.object.metadata);
}
