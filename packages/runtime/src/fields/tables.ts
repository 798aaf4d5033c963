import * as container from './container.ts';
import * as requests from './requests.ts';
import * as sandbox from './sandbox.ts';
import type { FieldVerdict } from './verdict.ts';

/** The verdicts on one message's fields, whatever the message. */
export type FieldVerdicts = Readonly<Record<string, FieldVerdict<never>>>;

const only = (verdicts: FieldVerdicts, ...names: string[]): FieldVerdicts =>
  Object.fromEntries(Object.entries(verdicts).filter(([name]) => names.includes(name)));
const sandboxId = only(requests.ofSandbox, 'podSandboxId');
const containerId = only(requests.ofContainer, 'containerId');
const image = only(requests.ofImage, 'image');
const none: FieldVerdicts = {};

/**
 * What is made of every field that a CRI request can have, by message. Not in it are messages below a refused field, and
 * the requests of methods that are not there.
 */
export const requestTables: ReadonlyMap<string, FieldVerdicts> = new Map<string, FieldVerdicts>([
  ['VersionRequest', requests.versionRequest],
  ['StatusRequest', only(requests.ofSandbox, 'verbose')],
  ['RuntimeConfigRequest', none],
  ['UpdateRuntimeConfigRequest', requests.updateRuntimeConfig],
  ['RuntimeConfig', requests.runtimeConfig],
  ['NetworkConfig', requests.networkConfig],
  ['GetEventsRequest', none],
  ['ListMetricDescriptorsRequest', none],
  ['ListPodSandboxMetricsRequest', none],
  ['StreamPodSandboxMetricsRequest', none],
  ['RunPodSandboxRequest', requests.runPodSandbox],
  ['PodSandboxConfig', sandbox.podSandboxConfig],
  ['PodSandboxMetadata', sandbox.podSandboxMetadata],
  ['DNSConfig', sandbox.dnsConfig],
  ['PortMapping', sandbox.portMapping],
  ['LinuxPodSandboxConfig', sandbox.linuxPodSandboxConfig],
  ['LinuxSandboxSecurityContext', sandbox.linuxSandboxSecurityContext],
  ['NamespaceOption', sandbox.namespaceOption],
  ['UserNamespace', sandbox.userNamespace],
  ['IDMapping', sandbox.idMapping],
  ['Int64Value', sandbox.int64Value],
  ['SecurityProfile', sandbox.securityProfile],
  ['LinuxContainerResources', sandbox.linuxContainerResources],
  ['HugepageLimit', sandbox.hugepageLimit],
  ['StopPodSandboxRequest', sandboxId],
  ['RemovePodSandboxRequest', sandboxId],
  ['PodSandboxStatusRequest', requests.ofSandbox],
  ['ListPodSandboxRequest', requests.list],
  ['StreamPodSandboxesRequest', requests.list],
  ['PodSandboxFilter', requests.sandboxFilter],
  ['PodSandboxStateValue', requests.stateValue],
  ['UpdatePodSandboxResourcesRequest', requests.updateSandbox],
  ['CreateContainerRequest', requests.createContainer],
  ['ContainerConfig', container.containerConfig],
  ['ContainerMetadata', container.containerMetadata],
  ['ImageSpec', container.imageSpec],
  ['KeyValue', container.keyValue],
  ['Mount', container.mount],
  ['Device', container.device],
  ['CDIDevice', container.cdiDevice],
  ['LinuxContainerConfig', container.linuxContainerConfig],
  ['LinuxContainerSecurityContext', container.linuxContainerSecurityContext],
  ['Capability', container.capability],
  ['StartContainerRequest', containerId],
  ['StopContainerRequest', requests.stopContainer],
  ['RemoveContainerRequest', containerId],
  ['ListContainersRequest', requests.list],
  ['StreamContainersRequest', requests.list],
  ['ContainerFilter', requests.containerFilter],
  ['ContainerStateValue', requests.stateValue],
  ['ContainerStatusRequest', requests.ofContainer],
  ['UpdateContainerResourcesRequest', requests.updateContainer],
  ['ReopenContainerLogRequest', containerId],
  ['CheckpointContainerRequest', requests.checkpointContainer],
  ['ExecSyncRequest', requests.execSync],
  ['ExecRequest', requests.execRequest],
  ['AttachRequest', requests.attach],
  ['PortForwardRequest', requests.portForward],
  ['ContainerStatsRequest', containerId],
  ['ListContainerStatsRequest', requests.list],
  ['StreamContainerStatsRequest', requests.list],
  ['ContainerStatsFilter', requests.containerStatsFilter],
  ['PodSandboxStatsRequest', sandboxId],
  ['ListPodSandboxStatsRequest', requests.list],
  ['StreamPodSandboxStatsRequest', requests.list],
  ['PodSandboxStatsFilter', requests.sandboxStatsFilter],
  ['ListImagesRequest', requests.imageList],
  ['StreamImagesRequest', requests.imageList],
  ['ImageFilter', requests.imageFilter],
  ['ImageStatusRequest', requests.ofImage],
  ['PullImageRequest', requests.pullImage],
  ['AuthConfig', requests.authConfig],
  ['RemoveImageRequest', image],
  ['ImageFsInfoRequest', none],
]);
