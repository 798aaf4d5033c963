/** Taint keys that the node life-cycle sets (k8s.io/api/core/v1/well_known_taints.go). */
export const taintKeys = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  unschedulable: 'node.kubernetes.io/unschedulable',
  memoryPressure: 'node.kubernetes.io/memory-pressure',
  diskPressure: 'node.kubernetes.io/disk-pressure',
  pidPressure: 'node.kubernetes.io/pid-pressure',
  networkUnavailable: 'node.kubernetes.io/network-unavailable',
} as const;

/** Labels of nodes (k8s.io/api/core/v1/well_known_labels.go). */
export const nodeLabelKeys = {
  hostname: 'kubernetes.io/hostname',
  os: 'kubernetes.io/os',
  arch: 'kubernetes.io/arch',
  betaOs: 'beta.kubernetes.io/os',
  betaArch: 'beta.kubernetes.io/arch',
  zone: 'topology.kubernetes.io/zone',
  region: 'topology.kubernetes.io/region',
  betaZone: 'failure-domain.beta.kubernetes.io/zone',
  betaRegion: 'failure-domain.beta.kubernetes.io/region',
  instanceType: 'node.kubernetes.io/instance-type',
  betaInstanceType: 'beta.kubernetes.io/instance-type',
} as const;

/** Annotations that a kubelet puts on pods, and reads from them (pkg/kubelet/types). */
export const podAnnotations = {
  source: 'kubernetes.io/config.source',
  seen: 'kubernetes.io/config.seen',
  hash: 'kubernetes.io/config.hash',
  mirror: 'kubernetes.io/config.mirror',
} as const;
