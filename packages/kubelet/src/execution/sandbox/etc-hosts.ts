import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';
import { podHostname } from './hostname.ts';

const ownHeader = '# Kubernetes-managed hosts file.\n';
const hostHeader = '# Kubernetes-managed hosts file (host network).\n';
const standardEntries = [
  ['127.0.0.1', 'localhost'],
  ['::1', 'localhost ip6-localhost ip6-loopback'],
  ['fe00::0', 'ip6-localnet'],
  ['fe00::0', 'ip6-mcastprefix'],
  ['fe00::1', 'ip6-allnodes'],
  ['fe00::2', 'ip6-allrouters'],
];

/** The content of a pod's /etc/hosts. `hostFile` is the node's own file, shown to pods on the host's network. */
export function etcHosts(
  pod: AssignedPod,
  options: { podIps: readonly string[]; clusterDomain: string; hostFile: string },
): string {
  if (isHostNetwork(pod)) return hostHeader + options.hostFile + aliases(pod);
  const { hostname, domain } = podHostname(pod, options.clusterDomain);
  const standard = standardEntries.map(([address, names]) => `${address}\t${names}\n`).join('');
  const own = options.podIps.map((ip) =>
    domain ? `${ip}\t${hostname}.${domain}\t${hostname}\n` : `${ip}\t${hostname}\n`,
  );
  return ownHeader + standard + own.join('') + aliases(pod);
}

function aliases(pod: AssignedPod): string {
  const { hostAliases = [] } = pod.spec;
  if (hostAliases.length === 0) return '';
  const lines = hostAliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return `\n# Entries added by HostAliases.\n${lines.join('')}`;
}
