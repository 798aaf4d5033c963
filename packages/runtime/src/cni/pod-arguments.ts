import { type PodSandboxConfig, Protocol } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import type { JsonObject } from '../state/json.ts';
import { bandwidthOf } from './bandwidth.ts';
import type { Attachment } from './plugin-call.ts';

const protocols: Record<Protocol, string> = {
  [Protocol.TCP]: 'tcp',
  [Protocol.UDP]: 'udp',
  [Protocol.SCTP]: 'sctp',
};

/** What plug-ins are told of a pod by CNI_ARGS. Throws `RuntimeError` INVALID_ARGUMENT for what would be read as several. */
export function cniArgs(sandboxId: string, { metadata }: PodSandboxConfig): Attachment['args'] {
  const args: [string, string][] = [
    ['IgnoreUnknown', '1'],
    ['K8S_POD_NAMESPACE', metadata?.namespace ?? ''],
    ['K8S_POD_NAME', metadata?.name ?? ''],
    ['K8S_POD_INFRA_CONTAINER_ID', sandboxId],
    ['K8S_POD_UID', metadata?.uid ?? ''],
  ];
  for (const [name, value] of args)
    if (/[;\0]/.test(value))
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `${name} ${JSON.stringify(value)}: no plug-in can be told of it`,
      );
  return args;
}

/** What plug-ins may ask for by their capabilities, named as CNI's conventions have it. */
export function capabilityArgs(config: PodSandboxConfig, ranges: readonly string[]): JsonObject {
  const { annotations, portMappings, dnsConfig, linux } = config;
  const ports = portMappings
    .filter(({ hostPort }) => hostPort > 0)
    .map(({ hostPort, containerPort, protocol, hostIp }) => ({
      hostPort,
      containerPort,
      protocol: protocols[protocol],
      ...(hostIp !== '' && { hostIP: hostIp }),
    }));
  const bandwidth = bandwidthOf(annotations);
  const { servers = [], searches = [], options = [] } = dnsConfig ?? {};
  return {
    'io.kubernetes.cri.pod-annotations': annotations,
    ...(ports.length > 0 && { portMappings: ports }),
    ...(bandwidth && { bandwidth }),
    ...(dnsConfig && { dns: { servers, searches, options } }),
    ...(linux?.cgroupParent && { cgroupPath: linux.cgroupParent }),
    ...(ranges.length > 0 && { ipRanges: ranges.map((subnet) => [{ subnet }]) }),
  };
}
