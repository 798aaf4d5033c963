import {
  type Input,
  type PodSandboxConfig,
  type PortMapping,
  ProfileType,
  Protocol,
  type UserNamespace,
} from '@wherry/cri';
import { type ContainerPort, normalSysctl } from '@wherry/kubeapi';
import { podUnits } from '@wherry/podrules';
import type { NodePaths } from '../../ground/node-paths.ts';
import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';
import { containersOf } from '../../pod/containers.ts';
import { cpuQuotaUs, cpuShares } from '../../pod/cpu-shares.ts';
import { sandboxLabels } from '../../pod/labels.ts';
import { noQuota, type ResourceContext } from '../cgroups/resources.ts';
import type { DnsConfig } from './dns.ts';
import { podHostname } from './hostname.ts';
import { namespaceOptions } from './namespaces.ts';

/** What a sandbox is made from, besides the pod. */
export interface SandboxFacts {
  attempt: number;
  dns: DnsConfig;
  clusterDomain: string;
  /** '' where the kubelet makes no pod cgroups. */
  cgroupParent: string;
  users: Input<UserNamespace>;
  paths: NodePaths;
  resources: ResourceContext;
}

/** The CRI configuration of a pod's sandbox. */
export function sandboxConfig(pod: AssignedPod, facts: SandboxFacts): Input<PodSandboxConfig> {
  const { name, namespace, uid } = pod.metadata;
  const shared = pod.spec.securityContext ?? {};
  const groups = [
    ...(shared.supplementalGroups ?? []),
    ...(shared.fsGroup === undefined ? [] : [shared.fsGroup]),
  ];
  return {
    metadata: { name, namespace, uid, attempt: facts.attempt },
    hostname: isHostNetwork(pod) ? '' : podHostname(pod, facts.clusterDomain).sandbox,
    logDirectory: facts.paths.podLogDir(pod),
    dnsConfig: facts.dns,
    portMappings: portMappings(pod),
    labels: sandboxLabels(pod),
    annotations: { ...pod.metadata.annotations },
    linux: {
      cgroupParent: facts.cgroupParent,
      sysctls: Object.fromEntries(
        (shared.sysctls ?? []).map(({ name, value }) => [normalSysctl(name), value]),
      ),
      resources: podResources(pod, facts.resources),
      securityContext: {
        namespaceOptions: namespaceOptions(pod, facts.users),
        privileged: containersOf(pod).some(({ container }) => container.securityContext?.privileged),
        supplementalGroups: groups,
        selinuxOptions: shared.seLinuxOptions,
        seccomp: { profileType: ProfileType.RuntimeDefault },
        ...(shared.runAsUser === undefined ? {} : { runAsUser: { value: shared.runAsUser } }),
        ...(shared.runAsGroup === undefined ? {} : { runAsGroup: { value: shared.runAsGroup } }),
      },
    },
  };
}

/** The pod's sums, as runtimes are told of them. */
export function podResources(pod: AssignedPod, context: ResourceContext) {
  const cpuPeriod = context.cpuPeriodMs * 1_000;
  return {
    cpuShares: cpuShares(podUnits(pod, 'requests', 'cpu')),
    cpuPeriod,
    cpuQuota: context.hasOwnCpus(pod) ? noQuota : cpuQuotaUs(podUnits(pod, 'limits', 'cpu'), cpuPeriod),
    memoryLimitInBytes: podUnits(pod, 'limits', 'memory'),
  };
}

const protocols: Record<string, Protocol> = { TCP: Protocol.TCP, UDP: Protocol.UDP, SCTP: Protocol.SCTP };

function portMappings(pod: AssignedPod): Input<PortMapping>[] {
  return pod.spec.containers.flatMap(({ ports = [] }) => {
    const seen = new Set<string>();
    return ports
      .filter((port) => isFirst(seen, port))
      .map((port) => ({
        protocol: protocols[port.protocol ?? 'TCP'] ?? Protocol.TCP,
        containerPort: port.containerPort,
        hostPort: port.hostPort ?? 0,
        hostIp: port.hostIP ?? '',
      }));
  });
}

function isFirst(seen: Set<string>, port: ContainerPort): boolean {
  const key =
    port.name || `${port.protocol ?? 'TCP'}-${port.hostIP ?? ''}:${port.containerPort}:${port.hostPort ?? 0}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
