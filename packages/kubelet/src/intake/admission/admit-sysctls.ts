import { normalSysctl, sysctlNamespace } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** Sysctls that a pod may always set (pkg/kubelet/sysctl/safe_sysctls.go). */
const safeSysctls: readonly string[] = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
];

/** Why the pod may not set its sysctls here; undefined when it may. Upstream: pkg/kubelet/sysctl/allowlist.go. */
export function sysctlRefusal(pod: AssignedPod, allowedUnsafe: readonly string[]): string | undefined {
  const { hostNetwork, hostIPC, securityContext } = pod.spec;
  const allowed = [...safeSysctls, ...allowedUnsafe].map(normalSysctl);
  for (const { name } of securityContext?.sysctls ?? []) {
    const sysctl = normalSysctl(name);
    const pattern = allowed.find((entry) =>
      entry.endsWith('*') ? sysctl.startsWith(entry.slice(0, -1)) : sysctl === entry,
    );
    if (!pattern) return `forbidden sysctl: "${sysctl}" not allowlisted`;
    const namespace = sysctlNamespace(pattern);
    if (namespace === 'Net' ? hostNetwork : hostIPC)
      return `forbidden sysctl: "${sysctl}" not allowed with host ${namespace} enabled`;
  }
  return undefined;
}
