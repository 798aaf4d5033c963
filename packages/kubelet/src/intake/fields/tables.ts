import type { FieldVerdicts } from '../../pod/field-verdict.ts';
import * as container from './container.ts';
import * as environment from './environment.ts';
import * as podSpec from './pod-spec.ts';
import * as probes from './probes.ts';
import * as scheduling from './scheduling.ts';
import * as security from './security.ts';
import { volume, volumeSources } from './volumes.ts';

/** What is made of every field that a pod's spec can have, by message. Messages below a refused field are not in it. */
export const podTables: ReadonlyMap<string, FieldVerdicts> = new Map<string, FieldVerdicts>([
  ['PodSpec', podSpec.podSpec],
  ['PodOS', podSpec.podOs],
  ['HostAlias', podSpec.hostAlias],
  ['PodDNSConfig', podSpec.podDnsConfig],
  ['PodDNSConfigOption', podSpec.podDnsConfigOption],
  ['PodReadinessGate', podSpec.podReadinessGate],
  ['PodSchedulingGate', podSpec.podSchedulingGate],
  ['LocalObjectReference', podSpec.localObjectReference],
  ['Affinity', scheduling.affinity],
  ['NodeAffinity', scheduling.nodeAffinity],
  ['NodeSelector', scheduling.nodeSelector],
  ['NodeSelectorTerm', scheduling.nodeSelectorTerm],
  ['NodeSelectorRequirement', scheduling.nodeSelectorRequirement],
  ['PreferredSchedulingTerm', scheduling.preferredSchedulingTerm],
  ['Toleration', scheduling.toleration],
  ['Container', container.container],
  ['EphemeralContainer', container.ephemeralContainer],
  ['ContainerPort', container.containerPort],
  ['ResourceRequirements', container.resourceRequirements],
  ['ContainerResizePolicy', container.containerResizePolicy],
  ['ContainerRestartRule', container.containerRestartRule],
  ['ContainerRestartRuleOnExitCodes', container.containerRestartRuleOnExitCodes],
  ['VolumeDevice', container.volumeDevice],
  ['VolumeMount', container.volumeMount],
  ['EnvFromSource', environment.envFromSource],
  ['ConfigMapEnvSource', environment.configMapEnvSource],
  ['SecretEnvSource', environment.secretEnvSource],
  ['EnvVar', environment.envVar],
  ['EnvVarSource', environment.envVarSource],
  ['ObjectFieldSelector', environment.objectFieldSelector],
  ['ResourceFieldSelector', environment.resourceFieldSelector],
  ['ConfigMapKeySelector', environment.configMapKeySelector],
  ['SecretKeySelector', environment.secretKeySelector],
  ['Probe', probes.probe],
  ['ExecAction', probes.execAction],
  ['HTTPGetAction', probes.httpGetAction],
  ['HTTPHeader', probes.httpHeader],
  ['TCPSocketAction', probes.tcpSocketAction],
  ['GRPCAction', probes.grpcAction],
  ['Lifecycle', probes.lifecycle],
  ['LifecycleHandler', probes.lifecycleHandler],
  ['SleepAction', probes.sleepAction],
  ['SecurityContext', security.securityContext],
  ['PodSecurityContext', security.podSecurityContext],
  ['Capabilities', security.capabilities],
  ['SeccompProfile', security.seccompProfile],
  ['AppArmorProfile', security.appArmorProfile],
  ['Sysctl', security.sysctl],
  ['Volume', volume],
  ...volumeSources,
]);
