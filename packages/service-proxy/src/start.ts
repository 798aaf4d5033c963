import { isIPv6 } from 'node:net';
import { EventSender, Informer, type KubeClient, kinds } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { type AddressFamily, blockListOf, familyOf } from '@wherry/linux';
import { type Logger, MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { HealthCheckPorts } from './health/health-check-ports.ts';
import { ProxyFigures } from './health/proxy-figures.ts';
import { ProxyHealth, type ProxyHealthReport } from './health/proxy-health.ts';
import { type RouterSigns, ServiceRouter } from './service-router.ts';
import { KernelTable } from './table/kernel-table.ts';
import { tablesOf } from './table/names.ts';
import type { LocalTraffic, NodePortAddresses } from './table/places.ts';

/** What the service proxy needs. */
export interface ServiceProxyOptions {
  /** Acts as a user who may read services, endpoint slices and nodes (upstream: system:kube-proxy). */
  client: KubeClient;
  /** The node that this machine is. */
  nodeName: string;
  /** The bridge that the node's pods are plugged into. */
  bridgeName: string;
  /** Bridges of other nodes of this machine, as nft(8) writes a name with an end left open: their pods are not led anywhere. */
  foreignBridges?: string | undefined;
  /** Addresses of services: ranges, one of each family that is led. */
  serviceCidrs: readonly string[];
  /** Those of pods; external addresses of services may be of neither. */
  podCidrs: readonly string[];
  /**
   * Requests for services' addresses carry the node's own (kube-proxy: `--masquerade-all`): where pods answer each other
   * past the node, such as those of one CNI bridge. Default false.
   */
  masqueradesAll?: boolean | undefined;
  /** What comes from pods of this node, and keeps its source address. Default: what `bridgeName` sends. */
  localTraffic?: LocalTraffic | undefined;
  /** Where node ports are. Default: at every address of the machine. */
  nodePortAddresses?: NodePortAddresses | undefined;
  /** The node's own address, of whose family none of the Node object's counts. Default: the Node's `InternalIP`. */
  nodeAddress?: string | undefined;
  /** Gets figures under kube-proxy's names. Default: nobody asks for them. */
  metrics?: MetricsRegistry | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}

/** A running service proxy. */
export interface ServiceProxy {
  /** Whether changes of services reach the kernel. */
  health(): ProxyHealthReport;
  /** Whether balancers may send here: the node is there, stays, and no autoscaler is about to take it away, as upstream. */
  isNodeEligible(): boolean;
  /** Ends it. The rules stay in the kernel, where they go on working; a later start takes them over. */
  close(): Promise<void>;
}

const serviceLabel = 'kubernetes.io/service-name';
const otherProxyLabel = 'service.kubernetes.io/service-proxy-name';
const headlessLabel = 'service.kubernetes.io/headless';
const leavingTaint = 'ToBeDeletedByClusterAutoscaler';
const zoneLabel = 'topology.kubernetes.io/zone';

/** Begins to lead services to their endpoints. What the kernel refuses is told once, and tried again. */
export function startServiceProxy(options: ServiceProxyOptions): ServiceProxy {
  const { client, nodeName, clock = systemClock, logger = silentLogger } = options;
  const { bridgeName, foreignBridges, serviceCidrs, podCidrs, masqueradesAll = false } = options;
  const { localTraffic, nodePortAddresses, nodeAddress } = options;
  const health = new ProxyHealth(clock);
  const figures = new ProxyFigures(options.metrics ?? new MetricsRegistry(), clock);
  const signs: RouterSigns = {
    queued(family) {
      health.queued(family);
      figures.queued(family);
    },
    updated(family, seconds) {
      health.updated(family);
      figures.updated(family, seconds);
    },
    failed: (family) => figures.failed(family),
  };
  const services = new Informer({
    resource: client.resource(kinds.services),
    labelSelector: `!${otherProxyLabel}`,
    clock,
  });
  const slices = new Informer({
    resource: client.resource(kinds.endpointSlices),
    // Those of headless services are led by names alone, whoever says that they are such.
    labelSelector: `!${headlessLabel}`,
    clock,
    indices: {
      service: ({ metadata }) => [`${metadata?.namespace}/${metadata?.labels?.[serviceLabel]}`],
    },
  });
  const nodes = new Informer({
    resource: client.resource(kinds.nodes),
    fieldSelector: `metadata.name=${nodeName}`,
    clock,
  });
  const ranges = new Informer({ resource: client.resource(kinds.serviceCIDRs), clock });
  const own = blockListOf([...serviceCidrs, ...podCidrs, '127.0.0.0/8', '::1/128']);
  const isOwn = (address: string) => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  const informers = [services, slices, nodes];
  const addressOf = (family: AddressFamily) =>
    nodeAddress !== undefined && familyOf(nodeAddress) === family
      ? nodeAddress
      : nodes
          .get(nodeName)
          ?.status?.addresses?.find(
            ({ type, address = '' }) => type === 'InternalIP' && familyOf(address) === family,
          )?.address;
  const isPrimary = nodePortAddresses === 'primary';
  const zone = () => nodes.get(nodeName)?.metadata?.labels?.[zoneLabel];
  const furtherRanges = () =>
    [...ranges.objects.values()]
      .flatMap(({ spec }) => spec?.cidrs ?? [])
      .filter((cidr) => !serviceCidrs.includes(cidr))
      .sort();
  const routers = serviceCidrs.map((serviceCidr) => {
    const family = familyOf(serviceCidr);
    const names = { family, tables: tablesOf(bridgeName), bridgeName, foreignBridges };
    return new ServiceRouter({
      ...{ family, signs, clock, logger },
      table: new KernelTable({ ...names, serviceCidr, masqueradesAll, localTraffic, nodePortAddresses }),
      place: () => ({ family, nodeName, zone: zone(), nodeAddress: addressOf(family), isOwn }),
      isComplete: () => informers.every(({ hasSynced }) => hasSynced),
      service: (key) => services.objects.get(key),
      slices: (key) => slices.byIndex('service', key),
      furtherRanges,
      ...(isPrimary && { nodeAddresses: () => [addressOf(family) ?? []].flat() }),
    });
  });
  const events = new EventSender({ client, clock, component: 'kube-proxy', host: nodeName });
  const healthChecks = new HealthCheckPorts({
    ...{ nodeName, events, clock, logger },
    isHealthy: () => informers.every(({ hasSynced }) => hasSynced) && health.report().healthy,
    service: (key) => services.objects.get(key),
    slices: (key) => slices.byIndex('service', key),
  });
  const mark = (key: string) => {
    healthChecks.look(key);
    for (const router of routers) router.mark(key);
  };
  const look = () => {
    for (const router of routers) router.look();
  };
  const failed = (error: Error) => logger.debug('a watch failed and will be tried again', { error });
  const markRanges = () => {
    for (const router of routers) router.markRanges();
  };
  const marks = <T>(keyOf: (object: T) => string, count: () => void) => {
    const changed = (object: T) => {
      count();
      mark(keyOf(object));
    };
    return { added: changed, updated: changed, deleted: changed, synced: look, failed };
  };
  services.on(
    marks(
      ({ metadata }) => `${metadata?.namespace}/${metadata?.name}`,
      () => figures.serviceChanged(),
    ),
  );
  slices.on(
    marks(
      ({ metadata }) => `${metadata?.namespace}/${metadata?.labels?.[serviceLabel]}`,
      () => figures.endpointsChanged(),
    ),
  );
  const whereabouts = () => [zone(), addressOf('ip'), addressOf('ip6')].join();
  let last = whereabouts();
  const moved = () => {
    if (whereabouts() === last) return;
    last = whereabouts();
    for (const key of services.objects.keys()) mark(key);
    if (isPrimary) markRanges();
  };
  nodes.on({ added: moved, updated: moved, synced: look, failed });
  ranges.on({ added: markRanges, updated: markRanges, deleted: markRanges, failed });
  // Older API servers have no such ranges: nothing waits for them.
  for (const informer of [...informers, ranges]) informer.start();
  if (isPrimary) markRanges();
  look();
  return {
    health: () => health.report(),
    isNodeEligible() {
      const node = nodes.get(nodeName);
      if (!node || node.metadata?.deletionTimestamp) return false;
      return !node.spec?.taints?.some(({ key }) => key === leavingTaint);
    },
    async close() {
      events.close();
      await Promise.all([...informers, ranges].map((informer) => informer.close()));
      await Promise.all([...routers.map((router) => router.close()), healthChecks.close()]);
    },
  };
}
