import type { Clock } from '@wherry/clock';
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
import { type Aggregation, createAggregation } from './aggregation/create-aggregation.ts';
import { ExtensionClient } from './aggregation/extension-client.ts';
import { ExtensionProxy } from './aggregation/extension-proxy.ts';
import type { Auditor } from './audit/auditor.ts';
import { createAuditor } from './audit/create-auditor.ts';
import type { AuditPost } from './audit/webhook-post.ts';
import { type AuthenticationSources, createAuthenticator } from './authentication/create-authenticator.ts';
import { AuthorizationFigures } from './authorization/authorization-figures.ts';
import { type AuthorizerSources, createAuthorizer } from './authorization/create-authorizer.ts';
import { AddressBook } from './bootstrap/address-book.ts';
import { type Caches, createCaches } from './bootstrap/caches.ts';
import { ensure } from './bootstrap/ensure.ts';
import { FlowObjects } from './bootstrap/flow-objects.ts';
import { PortBook } from './bootstrap/port-book.ts';
import { TokenTracking } from './bootstrap/token-tracking.ts';
import { Catalog, pathOf } from './catalog/catalog.ts';
import { storedResources } from './catalog/stored-resources.ts';
import { createKubelets } from './connect/create-kubelets.ts';
import type { Kubelets } from './connect/kubelets.ts';
import { StreamConnector } from './connect/streams.ts';
import { ConversionFigures } from './custom-resources/conversion/conversion-figures.ts';
import { CustomResources } from './custom-resources/custom-resources.ts';
import { DialGuard } from './dialing/dial-guard.ts';
import { ClientFiles } from './documents/client-files.ts';
import type { Egress } from './egress/egress.ts';
import { FlowControl } from './flow/flow-control.ts';
import { InFlightLimits } from './flow/in-flight-limits.ts';
import { inFlightMax } from './flow/in-flight-max.ts';
import { servedKind } from './kinds/index.ts';
import { servedResources, toServedResource } from './kinds/served-resources.ts';
import { periods } from './limits.ts';
import type { ApiserverOptions } from './options.ts';
import { Collection } from './registry/collection.ts';
import { RegistryFigures } from './registry/resource-figures.ts';
import { findSecret, stateOfClaims } from './reviews/claims-state.ts';
import { Api } from './server/api.ts';
import { oldDefinitionHandlers } from './server/old-definitions.ts';
import { ResourceRouter } from './server/resource-router.ts';
import { RootPaths } from './server/root-paths.ts';
import { ServiceAccountDiscovery } from './server/service-account-discovery.ts';
import { StoredCounts } from './store/measured/stored-counts.ts';
import type { Store } from './store/store.ts';
import { fetchResourcePage } from './usage/fetch-resource-page.ts';
import { UsageMeter } from './usage/usage-meter.ts';
import { StoredSlices } from './webhooks/stored-slices.ts';
import { WebhookClient } from './webhooks/webhook-client.ts';

/** What the parts are made from. */
export interface AssembleOptions extends ApiserverOptions, AuthenticationSources, AuthorizerSources {
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
  /** Where connections are led through. Default: they are dialled from here. */
  egress?: Egress | undefined;
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
  const cluster = options.egress?.way('cluster');
  const controlPlane = options.egress?.way('controlplane');
  const targets = { guard, cluster, controlPlane, services: caches.services, slicesOf };
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
  const core = (plural: string) => collection('', 'v1', plural);
  const secrets = core('secrets').storage;
  const ofClaims = { caches, pods: core('pods').storage, secrets, clock, logger };
  const { authenticator, tokens, issuers, keys } = createAuthenticator(options, {
    ...{ metrics, clock },
    stateOf: (claims) => stateOfClaims(claims, ofClaims),
    findBootstrapToken: (name) => findSecret(secrets, 'kube-system', name),
  });
  const kubelets = createKubelets(options, {
    ...{ nodes: caches.nodes, guard, way: cluster, tracer, clock, logger },
  });
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
    way: cluster,
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
    ...(options.priorityAndFairness === false
      ? { inFlightMax: 1, unshared: new InFlightLimits(options) }
      : { inFlightMax: inFlightMax(options) }),
  });
  const apiServices = collections.get('apiregistration.k8s.io/v1/apiservices');
  const aggregation =
    apiServices &&
    createAggregation({
      ...{ catalog, isStoreShared, metrics, clock, logger },
      collection: apiServices,
      services: caches.apiServices,
      client: extensions,
    });
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
      serverAddress: () =>
        externalAddress(options) ?? `${options.advertiseAddress ?? '127.0.0.1'}:${options.port()}`,
    },
    healthChecks: (kind) => options.healthChecks(kind),
    extensions: aggregation?.availability ?? noExtensions,
    serviceAccountDiscovery: new ServiceAccountDiscovery(issuers.first, keys, {
      uri: options.serviceAccountJwksUri,
      externalAddress: () => externalAddress(options),
    }),
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

/** With the server's port where none is said; undefined where the server is not told how it is reached. */
function externalAddress({ externalHostname: host, port }: AssembleOptions): string | undefined {
  if (!host) return undefined;
  return /^(\[.*\]|[^:]*):\d+$/.test(host) ? host : `${host.includes(':') ? `[${host}]` : host}:${port()}`;
}

/** Where no APIServices are served. */
const noExtensions = {
  generation: 0,
  facts: () => [],
  stale: () => [],
  versions: () => [],
  openApiUrls: () => new Map<string, string>(),
};
