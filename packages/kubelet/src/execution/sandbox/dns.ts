import { readFileSync } from 'node:fs';
import { isIPv6 } from '../../observation/pod-ips.ts';
import { type AssignedPod, describeWithUid, isHostNetwork } from '../../pod/assigned-pod.ts';

/** A resolver's configuration, as the CRI takes it. */
export interface DnsConfig {
  servers: string[];
  searches: string[];
  options: string[];
}

/** The node's part in a pod's resolver. */
export interface DnsContext {
  clusterDns: readonly string[];
  clusterDomain: string;
  /** Path of the host's resolv.conf; '' for none. */
  resolvConf: string;
  /** The node's addresses. */
  hostIps: readonly string[];
}

/** A pod's resolver and what could not be honoured: each note is an event, of the pod or of the node. */
export interface PodDns {
  config: DnsConfig;
  notes: { reason: 'MissingClusterDNS' | 'DNSConfigForming'; message: string; isOfNode?: true }[];
}

const serversMax = 3;
/** Of a pod's resolver. */
export const searchesMax = 32;
export const searchCharactersMax = 2_048;
/** Some resolvers abort at a longer domain. */
export const searchDomainMax = 253;

/**
 * Reads resolv.conf(5): the last `search` counts, and the last of each option. The root is no domain to search. Throws for a
 * `nameserver` that names none.
 */
export function parseResolvConf(text: string): DnsConfig {
  const config: DnsConfig = { servers: [], searches: [], options: [] };
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === 'nameserver') {
      if (!words[0]) throw new Error('nameserver list is empty ');
      config.servers.push(words[0]);
    }
    if (keyword === 'search')
      config.searches = words.filter((word) => word !== '.').map((word) => word.replace(/\.$/, ''));
    if (keyword === 'options') config.options = lastOfEach([...config.options, ...words]);
  }
  return config;
}

/** Options, of which each name's last counts. */
function lastOfEach(options: readonly string[]): string[] {
  return [...new Map(options.map((option) => [option.split(':')[0] ?? option, option])).values()];
}

function hostConfig(resolvConf: string): DnsConfig {
  if (!resolvConf) return { servers: [], searches: [], options: [] };
  const text = readFileSync(resolvConf, 'utf8');
  try {
    return parseResolvConf(text);
  } catch (error) {
    throw new Error(`Encountered error while parsing resolv conf file. Error: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** What a pod has that asks as the machine does: where that has no resolv.conf, its own loopback alone. */
function defaultConfig(host: DnsConfig, { resolvConf, hostIps }: DnsContext): DnsConfig {
  if (resolvConf) return host;
  return { ...host, servers: hostIps.map((ip) => (isIPv6(ip) ? '::1' : '127.0.0.1')), searches: ['.'] };
}

/** The resolver that the pod's dnsPolicy and dnsConfig ask for. Throws when the host's resolv.conf can't be read, whatever they are. */
export function podDns(pod: AssignedPod, context: DnsContext): PodDns {
  const notes: PodDns['notes'] = [];
  const config = withinLimits(withOwnConfig(policyConfig(pod, context, notes), pod), notes);
  return { config, notes };
}

function policyConfig(pod: AssignedPod, context: DnsContext, notes: PodDns['notes']): DnsConfig {
  const host = hostConfig(context.resolvConf);
  const policy = pod.spec.dnsPolicy ?? 'ClusterFirst';
  if (policy === 'None') return { servers: [], searches: [], options: [] };
  const wantsCluster =
    policy === 'ClusterFirstWithHostNet' || (policy === 'ClusterFirst' && !isHostNetwork(pod));
  if (!wantsCluster) return defaultConfig(host, context);
  if (context.clusterDns.length > 0) return clusterConfig(pod, context, host);
  const message =
    'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
  const reason = 'MissingClusterDNS';
  notes.push({ reason, message, isOfNode: true });
  notes.push({ reason, message: `pod: "${describeWithUid(pod)}". ${message}` });
  return defaultConfig(host, context);
}

function clusterConfig(pod: AssignedPod, context: DnsContext, host: DnsConfig): DnsConfig {
  const { clusterDns, clusterDomain } = context;
  const own = clusterDomain
    ? [`${pod.metadata.namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain]
    : [];
  return {
    servers: [...clusterDns],
    searches: [...new Set([...own, ...host.searches])],
    options: ['ndots:5'],
  };
}

function withOwnConfig(base: DnsConfig, pod: AssignedPod): DnsConfig {
  if (!pod.spec.dnsConfig) return base;
  const { nameservers = [], searches = [], options = [] } = pod.spec.dnsConfig;
  const merged = new Map(base.options.map((option) => [option.split(':')[0] ?? option, option]));
  for (const { name = '', value } of options) merged.set(name, value ? `${name}:${value}` : name);
  return {
    servers: [...new Set([...base.servers, ...nameservers])],
    searches: [...new Set([...base.searches, ...searches])],
    options: [...merged.values()],
  };
}

function withinLimits(config: DnsConfig, notes: PodDns['notes']): DnsConfig {
  const servers = config.servers.slice(0, serversMax);
  if (servers.length < config.servers.length) {
    notes.push({
      reason: 'DNSConfigForming',
      message: `Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${servers.join(' ')}`,
    });
  }
  const searches = config.searches.slice(0, searchesMax).filter((search) => search.length <= searchDomainMax);
  while (searches.join(' ').length > searchCharactersMax) searches.pop();
  if (searches.length < config.searches.length) {
    notes.push({
      reason: 'DNSConfigForming',
      message: `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${searches.join(' ')}`,
    });
  }
  return { ...config, servers, searches };
}
