import {
  type Input,
  type PodSandboxConfig,
  type PortMapping,
  ProfileType,
  Protocol,
  SupplementalGroupsPolicy,
  type UserNamespace,
} from '@wherry/cri';
import { type ContainerPort, normalSysctl } from '@wherry/kubeapi';
import { podUnits } from '@wherry/podrules';
import type { NodePaths } from '../../ground/node-paths.ts';
import { amountOf, milliAmountOf } from '../../pod/amount.ts';
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
      overhead: overheadResources(pod, facts.resources),
      securityContext: {
        namespaceOptions: namespaceOptions(pod, facts.users),
        privileged: containersOf(pod).some(({ container }) => container.securityContext?.privileged),
        supplementalGroups: groups,
        supplementalGroupsPolicy: groupsPolicyOf(pod),
        selinuxOptions: shared.seLinuxOptions,
        seccomp: { profileType: ProfileType.RuntimeDefault },
        ...(shared.runAsUser === undefined ? {} : { runAsUser: { value: shared.runAsUser } }),
        ...(shared.runAsGroup === undefined ? {} : { runAsGroup: { value: shared.runAsGroup } }),
      },
    },
  };
}

/** Whether a pod's processes are of the groups that their image gives their user, too. */
export function groupsPolicyOf({ spec }: AssignedPod): SupplementalGroupsPolicy {
  const isStrict = spec.securityContext?.supplementalGroupsPolicy === 'Strict';
  return isStrict ? SupplementalGroupsPolicy.Strict : SupplementalGroupsPolicy.Merge;
}

/** The pod's sums without what its runtime class adds, as runtimes are told of them. */
export function podResources(pod: AssignedPod, context: ResourceContext) {
  const own = { spec: { ...pod.spec, overhead: {} } };
  const [cpuRequest, cpuLimit] = [podUnits(own, 'requests', 'cpu'), podUnits(own, 'limits', 'cpu')];
  const bounds = { cpuRequest, cpuLimit, memoryLimit: podUnits(own, 'limits', 'memory') };
  return sandboxResources(bounds, context, context.hasOwnCpus(pod));
}

/** What the pod's runtime class adds to its sums; empty where it adds nothing. */
export function overheadResources({ spec }: AssignedPod, context: ResourceContext) {
  if (!spec.overhead) return {};
  const { cpu = '0', memory = '0' } = spec.overhead;
  const milliCpu = milliAmountOf(cpu);
  const bounds = { cpuRequest: milliCpu, cpuLimit: milliCpu, memoryLimit: amountOf(memory) };
  return sandboxResources(bounds, context, false);
}

/** Thousandths of processors, and bytes. */
interface SandboxBounds {
  cpuRequest: number;
  cpuLimit: number;
  memoryLimit: number;
}

function sandboxResources(
  { cpuRequest, cpuLimit, memoryLimit }: SandboxBounds,
  { cpuQuotaEnabled, cpuPeriodMs }: ResourceContext,
  hasOwnCpus: boolean,
) {
  const cpuPeriod = cpuQuotaEnabled ? cpuPeriodMs * 1_000 : 0;
  const cpuQuota = hasOwnCpus ? noQuota : cpuQuotaUs(cpuLimit, cpuPeriod);
  return {
    ...{ cpuShares: cpuShares(cpuRequest), cpuPeriod, cpuQuota: cpuQuotaEnabled ? cpuQuota : 0 },
    memoryLimitInBytes: memoryLimit,
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
