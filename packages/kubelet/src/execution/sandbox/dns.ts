import { readFileSync } from 'node:fs';
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

/** Reads resolv.conf(5). */
export function parseResolvConf(text: string): DnsConfig {
  const config: DnsConfig = { servers: [], searches: [], options: [] };
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === 'nameserver' && words[0]) config.servers.push(words[0]);
    if (keyword === 'search')
      config.searches = words.map((word) => (word === '.' ? word : word.replace(/\.$/, '')));
    if (keyword === 'options') config.options = [...new Set([...config.options, ...words])];
  }
  return config;
}

function hostConfig(resolvConf: string): DnsConfig {
  if (!resolvConf) return { servers: ['127.0.0.1', '::1'], searches: ['.'], options: [] };
  return parseResolvConf(readFileSync(resolvConf, 'utf8'));
}

/** The resolver that the pod's dnsPolicy and dnsConfig ask for. Throws when the host's resolv.conf can't be read. */
export function podDns(pod: AssignedPod, context: DnsContext): PodDns {
  const notes: PodDns['notes'] = [];
  const config = withinLimits(withOwnConfig(policyConfig(pod, context, notes), pod), notes);
  return { config, notes };
}

function policyConfig(pod: AssignedPod, context: DnsContext, notes: PodDns['notes']): DnsConfig {
  const policy = pod.spec.dnsPolicy ?? 'ClusterFirst';
  if (policy === 'None') return { servers: [], searches: [], options: [] };
  const wantsCluster =
    policy === 'ClusterFirstWithHostNet' || (policy === 'ClusterFirst' && !isHostNetwork(pod));
  if (!wantsCluster) return hostConfig(context.resolvConf);
  const host = hostConfig(context.resolvConf);
  if (context.clusterDns.length > 0) return clusterConfig(pod, context, host);
  const message =
    'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
  const reason = 'MissingClusterDNS';
  notes.push({ reason, message, isOfNode: true });
  notes.push({ reason, message: `pod: "${describeWithUid(pod)}". ${message}` });
  return host;
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
  const { nameservers = [], searches = [], options = [] } = pod.spec.dnsConfig ?? {};
  const merged = new Map(base.options.map((option) => [option.split(':')[0] ?? option, option]));
  for (const { name = '', value } of options)
    merged.set(name, value === undefined ? name : `${name}:${value}`);
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
  let length = 0;
  const searches = config.searches.slice(0, searchesMax).filter((search) => {
    length += search.length + 1;
    return length - 1 <= searchCharactersMax;
  });
  if (searches.length < config.searches.length) {
    notes.push({
      reason: 'DNSConfigForming',
      message: `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${searches.join(' ')}`,
    });
  }
  return { ...config, servers, searches };
}
