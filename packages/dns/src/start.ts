import { type Clock, sleep, systemClock } from '@wherry/clock';
import { encodeAddress } from '@wherry/linux';
import { type Logger, MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { Responder } from './answering/responder.ts';
import { ClusterZone } from './cluster/cluster-zone.ts';
import { type DnsInformers, FollowedCluster } from './cluster/followed-cluster.ts';
import { ReverseZone } from './cluster/reverse-zone.ts';
import { Elsewhere } from './forward/elsewhere.ts';
import type { Resolver } from './forward/resolver-list.ts';
import { limits } from './limits.ts';
import { Clients } from './server/clients.ts';
import { DnsMetrics } from './server/dns-metrics.ts';
import { openDoors, untilFree } from './server/open-doors.ts';
import { openStatusDoor } from './server/status-door.ts';
import { nameFrom } from './wire/name.ts';

/** Options of {@link startClusterDns}. */
export interface ClusterDnsOptions {
  informers: DnsInformers;
  /** The address to listen on; one that the machine does not have yet is waited for. */
  address: string;
  /** Default 53; 0 takes any. */
  port?: number | undefined;
  /** The address that pods are told: the service's. Default: `address`. */
  serviceAddress?: string | undefined;
  /** Default `cluster.local`. */
  domain?: string | undefined;
  /** Ranges of pods and services: who may ask, and whose reverse names are nobody else's. */
  ranges: readonly string[];
  /** The file that names the resolvers for everything else. Default `/etc/resolv.conf`. */
  resolvConf?: string | undefined;
  /** Resolvers to be asked instead of that file's. */
  resolvers?: readonly Resolver[] | undefined;
  /** Where `/metrics`, `/ready` and `/health` are served; 0 takes any. Default: nowhere. */
  statusPort?: number | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}

/** Where a server listens. */
export interface DnsPorts {
  port: number;
  statusPort: number | undefined;
}

/** A running server. */
export interface ClusterDns {
  /** Resolves once it listens; rejects when it is closed before. */
  readonly listening: Promise<DnsPorts>;
  /** Whether it listens, and knows all that the cluster has. */
  readonly isReady: boolean;
  /** Ends it; repeats are harmless. */
  close(): Promise<void>;
}

/** Starts the cluster's DNS. Throws `RangeError` on a domain that is none, `TypeError` on addresses that are none. */
export function startClusterDns(options: ClusterDnsOptions): ClusterDns {
  const { informers, address, ranges, port = 53, statusPort, resolvers } = options;
  const { serviceAddress = address, clock = systemClock, logger = silentLogger } = options;
  const domain = nameFrom(options.domain ?? 'cluster.local');
  if (domain === undefined) throw new RangeError(`cluster domain "${options.domain}" is no DNS name`);
  const metrics = new DnsMetrics(new MetricsRegistry());
  const cluster = new FollowedCluster(informers, clock);
  const { index, pods, serial } = cluster;
  const elsewhere = new Elsewhere({
    ...{ path: options.resolvConf ?? '/etc/resolv.conf', own: [address, serviceAddress] },
    ...{ resolvers, clock, logger },
    asked: (resolver, code) => metrics.asked(resolver, code),
  });
  const closing = new AbortController();
  const patience = sleep({ clock, delayMs: limits.startPatienceMs, signal: closing.signal }).catch(() => {});
  const responder = new Responder({
    ...{ index, pods, forwarder: elsewhere.forwarder, loop: elsewhere.loop },
    zone: new ClusterZone({ index, domain, serial, address: encodeAddress(serviceAddress) }),
    reverse: new ReverseZone({ index, domain, serial, ranges }),
    isComplete: () => cluster.isComplete,
    beginning: Promise.race([cluster.complete, patience]),
    hostSearches: () => elsewhere.searches,
    searched: () => metrics.searched(),
  });
  const shared = { address, clients: new Clients(ranges, clock), clock, logger };
  let isListening = false;
  const isReady = () => isListening && cluster.isComplete;
  const openStatus = async () => {
    if (statusPort === undefined) return undefined;
    const its = { ...shared, port: statusPort, metrics, isReady };
    return untilFree(() => openStatusDoor(its), its, closing.signal);
  };
  const opening = [openDoors({ ...shared, port, responder, metrics }, closing.signal), openStatus()] as const;
  const listening = Promise.all([...opening, elsewhere.start()]).then(([doors, status]) => {
    isListening = true;
    elsewhere.probe();
    return { port: doors.port, statusPort: status?.port };
  });
  listening.catch(() => {});
  return {
    listening,
    get isReady() {
      return isReady();
    },
    async close() {
      closing.abort(new Error('the server closes'));
      elsewhere.close();
      cluster.close();
      for (const opened of await Promise.allSettled(opening))
        if (opened.status === 'fulfilled') await opened.value?.close();
    },
  };
}
