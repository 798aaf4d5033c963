/** Flags of kube-proxy that are not there. */
import { type AbsentFlags, withReasonOf } from '../absent-flags.ts';

const byNftables = 'services are led by nftables alone, in tables of the node’s own';
const ownPods = '--pod-cidr says which addresses are pods';

const absent: AbsentFlags = [
  ['--bind-address', 'node ports are at every address of the machine'],
  ['--boot-id-file', 'the kernel says which boot it is'],
  ['--cleanup', '`wherry down --purge` takes what the network has made'],
  ['--cluster-cidr', ownPods],
  ['--config', 'each setting is a flag: there is no KubeProxyConfiguration'],
  ['--conntrack-', 'limits of the kernel’s connection tracking are left as they are'],
  ['--detect-local-mode', ownPods],
  ['--feature-gates', 'no gate of kube-proxy switches anything here'],
  ['--init-only', 'what needs rights is done as services change'],
  ['--iptables-', byNftables],
  ['--ipvs-', byNftables],
  ['--kube-api-', 'requests to the API server are JSON, and not throttled'],
  ['--log-', 'the log has one format, on standard error'],
  ['--logging-format', 'the log has one format'],
  ['--machine-id-file', 'nothing asks for it'],
  ['--master', 'the server is that of --kubeconfig'],
  ['--nodeport-addresses', 'node ports are at every address of the machine'],
  ['--oom-score-adj', 'it is that of who starts it'],
  ['--pod-', ownPods],
  ['--profiling', 'there are no profiles here'],
  ['--proxy-mode', byNftables],
  ['--show-hidden-metrics-for-version', 'no metrics are hidden'],
  ['--version', 'it has the version of `wherry version`'],
  ['--vmodule', 'the log has -v alone'],
  ['--write-config-to', 'each setting is a flag: there is no KubeProxyConfiguration'],
];

/** What commander says of a flag that it does not know, with the reason where upstream knows it. */
export const withNetworkReason = withReasonOf(absent);
