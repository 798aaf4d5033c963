import type { AssignedPod } from '../pod/assigned-pod.ts';

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

/** Sysctls of an IPC namespace, and what stands for several of them (component-helpers node/util/sysctl/namespace.go). */
const ipcSysctls: readonly string[] = [
  'kernel.sem',
  'kernel.shm',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.msg',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
];

/** The namespace of the kernel that a sysctl or a pattern such as `net.core.*` belongs to; the others are the machine's. */
export function sysctlNamespace(pattern: string): 'Net' | 'IPC' | undefined {
  const name = normalSysctl(pattern).replace(/\*.*$/, '');
  if (name.startsWith('net.')) return 'Net';
  return ipcSysctls.includes(name) || name.startsWith('fs.mqueue.') ? 'IPC' : undefined;
}

/** `net/ipv4/conf/eth0.1/forwarding` as `net.ipv4.conf.eth0/1.forwarding`: whichever separator comes first is the path's. */
export function normalSysctl(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

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
