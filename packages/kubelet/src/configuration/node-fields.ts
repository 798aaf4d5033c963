/** Fields of the configuration that concern the node, its images and what it can give. */
import { actedOn, noEffect, only, warnedOf } from './claims.ts';
import { gateMap } from './feature-gates.ts';
import {
  choice,
  cpuList,
  duration,
  flag,
  groupName,
  keepsZero,
  objects,
  optional,
  text,
  texts,
  whole,
} from './field-types.ts';
import { memoryReservations } from './memory/memory-reservations.ts';
import { classReserveMap, enforcedLevels, reservedGroup, reserveMap } from './reserves/reserve-fields.ts';
import { shutdownGraces } from './shutdown-graces.ts';
import { graceMap, reclaimMap, thresholdMap } from './threshold-map.ts';

const minuteMs = 60_000;
const steps = 'kubelet/execution/assemble-steps';
const agent = 'kubelet/reporting/node/node-agent';
const collector = 'kubelet/execution/images/image-collector';
const eviction = 'kubelet/configuration/eviction-thresholds';
const images = 'kubelet/execution/images/assemble';
const verification = 'kubelet/execution/images/pull-records/verification-policy';
const ownProcess = 'kubelet/ground/process/own-process';
const shutdown = 'kubelet/execution/node-shutdown/shutdown-groups';
const capacity = 'kubelet/ground/node-capacity';
const reservedGroups = 'kubelet/execution/cgroups/reserved-groups';

export const nodeFields = {
  registerNode: actedOn(keepsZero(flag(true)), agent),
  registerWithTaints: actedOn(objects(), agent),
  providerID: actedOn(text(), agent),
  nodeStatusUpdateFrequency: actedOn(duration(10_000), agent),
  nodeStatusReportFrequency: actedOn(duration(5 * minuteMs), agent),
  nodeLeaseDurationSeconds: actedOn(whole(40, 1), agent),
  nodeStatusMaxImages: actedOn(keepsZero(whole(50, -1)), 'kubelet/reporting/node/node-status'),
  maxPods: actedOn(whole(110, 0), capacity),
  podsPerCore: actedOn(whole(0, 0), capacity),
  localStorageCapacityIsolation: actedOn(keepsZero(flag(true)), capacity, 'kubelet/execution/assemble'),
  enableControllerAttachDetach: only(keepsZero(flag(true)), 'this kubelet attaches no volumes itself'),
  kubeAPIQPS: warnedOf(keepsZero(whole(50, 0)), 'requests to the API server are not throttled'),
  kubeAPIBurst: warnedOf(whole(100, 0), 'requests to the API server are not throttled'),
  contentType: noEffect(
    text('application/vnd.kubernetes.protobuf'),
    'requests to the API server are JSON, which every API server understands',
  ),
  eventRecordQPS: actedOn(keepsZero(whole(50, 0)), 'kubelet/reporting/assemble'),
  eventBurst: actedOn(whole(100, 0), 'kubelet/reporting/assemble'),
  featureGates: actedOn(
    gateMap(),
    'kubelet/server/kubelet-server',
    'kubelet/execution/managers/assemble',
    'kubelet/server/diagnostics/diagnostic-routes',
  ),

  containerRuntimeEndpoint: actedOn(text('unix:///run/containerd/containerd.sock'), 'kubelet/ground/ground'),
  imageServiceEndpoint: actedOn(text(), 'kubelet/ground/ground'),
  runtimeRequestTimeout: actedOn(
    duration(2 * minuteMs),
    steps,
    'kubelet/server/diagnostics/diagnostic-routes',
  ),
  registryPullQPS: actedOn(keepsZero(whole(5, 0)), images),
  registryBurst: actedOn(whole(10, 0), images),
  serializeImagePulls: actedOn(keepsZero(flag(true)), images),
  maxParallelImagePulls: actedOn(optional(whole(0, 1)), images),
  imagePullCredentialsVerificationPolicy: actedOn(
    choice(
      ['NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'],
      'NeverVerifyPreloadedImages',
    ),
    verification,
  ),
  preloadedImagesVerificationAllowlist: actedOn(texts(), verification),
  imageMinimumGCAge: actedOn(duration(2 * minuteMs), collector),
  imageMaximumGCAge: actedOn(duration(0), collector),
  imageGCHighThresholdPercent: actedOn(keepsZero(whole(85, 0, 100)), collector),
  imageGCLowThresholdPercent: actedOn(keepsZero(whole(80, 0, 100)), collector),

  cgroupRoot: actedOn(text(), 'kubelet/pod/group-path'),
  cgroupsPerQOS: only(keepsZero(flag(true)), 'pods have control groups by class'),
  cgroupDriver: actedOn(choice(['cgroupfs', 'systemd'], 'cgroupfs'), 'kubelet/pod/group-path'),
  failSwapOn: actedOn(keepsZero(flag(true)), 'kubelet/ground/machine-demands'),
  failCgroupV1: actedOn(keepsZero(flag(true)), 'kubelet/ground/machine-demands'),
  oomScoreAdj: actedOn(keepsZero(whole(-999, -1_000, 1_000)), ownProcess),
  maxOpenFiles: actedOn(whole(1_000_000, 0), ownProcess),
  protectKernelDefaults: actedOn(flag(false), 'kubelet/ground/process/kernel-settings'),
  makeIPTablesUtilChains: noEffect(keepsZero(flag(true)), 'no iptables chain is made here'),
  iptablesMasqueradeBit: noEffect(keepsZero(whole(14, 0, 31)), 'without effect upstream too'),
  iptablesDropBit: noEffect(keepsZero(whole(15, 0, 31)), 'without effect upstream too'),
  kubeletCgroups: actedOn(groupName(), 'kubelet/ground/system-groups'),
  systemCgroups: actedOn(groupName(), 'kubelet/execution/upkeep/process-gatherer'),
  kubeReserved: actedOn(reserveMap(), capacity, reservedGroups),
  systemReserved: actedOn(reserveMap(), capacity, reservedGroups),
  enforceNodeAllocatable: actedOn(enforcedLevels(), capacity, reservedGroups),
  kubeReservedCgroup: actedOn(reservedGroup(), reservedGroups),
  systemReservedCgroup: actedOn(reservedGroup(), reservedGroups),
  reservedSystemCPUs: actedOn(
    cpuList(),
    'kubelet/ground/topology/reserved-cpus',
    'kubelet/execution/cpus/assemble',
  ),
  reservedMemory: actedOn(memoryReservations(), 'kubelet/execution/memory/reserved-memory'),
  qosReserved: warnedOf(
    classReserveMap(),
    'without effect while the feature gate QOSReserved is off, as upstream; it can not be switched on here',
  ),

  evictionHard: actedOn(thresholdMap(undefined), eviction),
  mergeDefaultEvictionSettings: actedOn(keepsZero(flag(false)), eviction),
  evictionPressureTransitionPeriod: actedOn(duration(5 * minuteMs), 'kubelet/observation/assemble'),
  evictionSoft: actedOn(thresholdMap({}), eviction),
  evictionSoftGracePeriod: actedOn(graceMap(), eviction),
  evictionMaxPodGracePeriod: actedOn(whole(0, 0), 'kubelet/execution/assemble'),
  evictionMinimumReclaim: actedOn(reclaimMap(), eviction),
  kernelMemcgNotification: only(flag(false), 'memory is measured every 10 s'),
  shutdownGracePeriod: actedOn(duration(0), shutdown),
  shutdownGracePeriodCriticalPods: actedOn(duration(0), shutdown),
  shutdownGracePeriodByPodPriority: actedOn(shutdownGraces(), shutdown),
};
