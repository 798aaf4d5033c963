import type { LifecycleHandler, Pod, Probe } from '@wherry/kubeapi';
import {
  badContainers,
  type Check,
  containersOf,
  containersText,
  hasUserNamespace,
  plural,
  quoted,
  settersText,
  sortedSet,
  type Violation,
} from './check.ts';

function hostNamespaces({ spec }: Pod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec?.[name]);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((name) => `${name}=true`).join(', ') };
}

function hostPathVolumes({ spec }: Pod): Violation | undefined {
  const names = (spec?.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural('volume', names.length)} ${quoted(names)}` };
}

function hostPorts(pod: Pod): Violation | undefined {
  const bad = badContainers(pod, ({ ports = [] }) => ports.some(({ hostPort }) => hostPort));
  if (bad.length === 0) return undefined;
  const ports = sortedSet(
    containersOf(pod).flatMap(({ ports: own = [] }) =>
      own.flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : [])),
    ),
  );
  const uses = bad.length === 1 ? 'uses' : 'use';
  const detail = `${containersText(bad)} ${uses} ${plural('hostPort', ports.length)} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail };
}

function hostsOfHandler(handler: Probe | LifecycleHandler | undefined): string[] {
  return [handler?.httpGet?.host, handler?.tcpSocket?.host].filter((host): host is string => Boolean(host));
}

function hostProbes(pod: Pod): Violation | undefined {
  const found = containersOf(pod).map(({ name, livenessProbe, readinessProbe, startupProbe, lifecycle }) => ({
    name,
    hosts: [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(
      hostsOfHandler,
    ),
  }));
  const bad = sortedSet(found.filter(({ hosts }) => hosts.length > 0).map(({ name }) => name));
  if (bad.length === 0) return undefined;
  const hosts = sortedSet(found.flatMap((entry) => entry.hosts));
  const uses = bad.length === 1 ? 'uses' : 'use';
  const what = plural('probe or lifecycle host', hosts.length);
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersText(bad)} ${uses} ${what} ${quoted(hosts)}`,
  };
}

function privileged(pod: Pod): Violation | undefined {
  const bad = badContainers(pod, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  const detail = `${containersText(bad)} must not set securityContext.privileged=true`;
  return { reason: 'privileged', detail };
}

function procMount(pod: Pod): Violation | undefined {
  const typeOf = (container: ReturnType<typeof containersOf>[number]) =>
    container.securityContext?.procMount ?? 'Default';
  const bad = badContainers(pod, (container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const types = sortedSet(containersOf(pod).map(typeOf)).filter((type) => type !== 'Default');
  const detail = `${containersText(bad)} must not set securityContext.procMount to ${quoted(types)}`;
  return { reason: 'procMount', detail };
}

const safeSysctls: readonly [sinceMinor: number, names: readonly string[]][] = [
  [
    0,
    [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [
    29,
    [
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
    ],
  ],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
];

function sysctlsSince(minor: number) {
  const safe = new Set(safeSysctls.filter(([since]) => since <= minor).flatMap(([, names]) => names));
  return ({ spec }: Pod): Violation | undefined => {
    const names = (spec?.securityContext?.sysctls ?? []).map(({ name }) => name);
    const bad = names.filter((name) => !safe.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}

function windowsHostProcess(pod: Pod): Violation | undefined {
  const isPod = pod.spec?.securityContext?.windowsOptions?.hostProcess === true;
  const bad = badContainers(
    pod,
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
  );
  if (!isPod && bad.length === 0) return undefined;
  const detail = `${settersText(isPod, bad)} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: 'hostProcess', detail };
}

const always = (id: string, check: Check['versions'][number]['check']): Check => ({
  id,
  level: 'baseline',
  versions: [{ sinceMinor: 0, check }],
});

/** What keeps pods from the host: the baseline, and one rule that the restricted level keeps where the baseline eased. */
export const hostChecks: readonly Check[] = [
  always('hostNamespaces', hostNamespaces),
  always('hostPathVolumes', hostPathVolumes),
  always('hostPorts', hostPorts),
  {
    id: 'hostProbesAndHostLifecycle',
    level: 'baseline',
    versions: [{ sinceMinor: 34, check: hostProbes }],
  },
  always('privileged', privileged),
  {
    id: 'procMount',
    level: 'baseline',
    versions: [
      { sinceMinor: 0, check: procMount },
      { sinceMinor: 35, check: (pod) => (hasUserNamespace(pod.spec) ? undefined : procMount(pod)) },
    ],
  },
  {
    id: 'procMount_restricted',
    level: 'restricted',
    versions: [{ sinceMinor: 35, check: procMount, overrides: ['procMount'] }],
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: safeSysctls.map(([sinceMinor]) => ({ sinceMinor, check: sysctlsSince(sinceMinor) })),
  },
  always('windowsHostProcess', windowsHostProcess),
];
