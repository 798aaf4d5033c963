/** What follows from a pod's and a node's words alone, as upstream's schedulers, kubelets and API servers work it out. */

export {
  type Amounts,
  amountsOf,
  isPodLevelResource,
  type PodView,
  type ResourceSide,
  sumOfContainers,
  unitsOf,
} from './amounts.ts';
export { featuresNeededBy, featuresNeededForChange, undeclaredFeatures } from './declared-features.ts';
export {
  canBeReserved,
  deviceClaimFinalizer,
  isReservedFor,
  type PodDeviceClaim,
  podDeviceClaims,
  strangersDeviceClaim,
  toleratesDeviceTaint,
  usersWith,
} from './devices/device-claims.ts';
export {
  deviceClassFor,
  deviceClassPrefix,
  isDeviceResource,
  isExtendedResource,
} from './devices/extended-resources.ts';
export { downwardMapText } from './downward-map.ts';
export { hostPorts, portsConflict } from './host-ports.ts';
export { matchesNodeAffinity, nodePreference, volumeReaches } from './nodes/node-affinity.ts';
export {
  isCountedResource,
  requestedBy,
  requestedUnits,
  type Shortage,
  shortages,
  shortagesBeside,
} from './nodes/node-fit.ts';
export { isKeptFromKubelets, kubeletLabelNamespaces, kubeletLabels } from './nodes/node-labels.ts';
export { effectiveTaints, nodeCondition, shortageKeys } from './nodes/node-taints.ts';
export {
  amountsForSpreading,
  amountsInForce,
  amountsOfNewcomer,
  podAmount,
  podAmounts,
  podLimit,
  podUnits,
} from './pod-resources.ts';
export {
  isFinished,
  isPodReady,
  isSidecar,
  isTerminalPhase,
  podAvailableInMs,
  podReadySinceMs,
} from './pod-state.ts';
export { computeQualityOfService, type QualityOfService, qualityOfService } from './quality-of-service.ts';
export type { QuotaMeasure, QuotaView } from './quota/measure.ts';
export { isInScopes, measuresMore, quotaMeasure, scopesOf, usageOf } from './quota/quota.ts';
export {
  defaultStorageClass,
  isFullyBound,
  isVolumeOf,
  namesStorageClass,
  type PodClaim,
  podClaims,
  storageAnnotations,
  storageClassOf,
  strangersClaim,
} from './storage.ts';
export { isTolerated, tolerates, untolerated } from './tolerations.ts';
export { nodeLabelKeys, podAnnotations, taintKeys } from './well-known.ts';
