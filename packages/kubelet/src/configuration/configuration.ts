/**
 * `KubeletConfiguration` of `kubelet.config.k8s.io/v1beta1`: field names and defaults as upstream has them
 * (k8s.io/kubelet config/v1beta1/types.go). Durations are decoded to milliseconds, quantities to numbers.
 */
import {
  choice,
  duration,
  type FieldType,
  flag,
  flagMap,
  objects,
  quantity,
  section,
  text,
  textMap,
  texts,
  whole,
} from './field-types.ts';

const minuteMs = 60_000;
const mebibyte = 1_024 * 1_024;

const authentication = section({
  anonymous: section({ enabled: flag(false) }),
  webhook: section({ enabled: flag(true), cacheTTL: duration(2 * minuteMs) }),
  x509: section({ clientCAFile: text() }),
});

const authorization = section({
  mode: choice(['Webhook', 'AlwaysAllow'], 'Webhook'),
  webhook: section({
    cacheAuthorizedTTL: duration(5 * minuteMs),
    cacheUnauthorizedTTL: duration(30_000),
  }),
});

/** Every field that this kubelet knows; those it accepts without acting on them are named in the README. */
export const configurationFields = section({
  apiVersion: choice(['kubelet.config.k8s.io/v1beta1'], 'kubelet.config.k8s.io/v1beta1'),
  kind: choice(['KubeletConfiguration'], 'KubeletConfiguration'),
  enableServer: flag(true),
  staticPodPath: text(),
  syncFrequency: duration(minuteMs),
  fileCheckFrequency: duration(20_000),
  address: text('0.0.0.0'),
  port: whole(10_250, 0, 65_535),
  readOnlyPort: whole(0, 0, 65_535),
  tlsCertFile: text(),
  tlsPrivateKeyFile: text(),
  tlsMinVersion: choice(['', 'VersionTLS12', 'VersionTLS13'], ''),
  authentication,
  authorization,
  registryPullQPS: whole(5, 0),
  registryBurst: whole(10, 0),
  eventRecordQPS: whole(50, 0),
  eventBurst: whole(100, 0),
  enableDebuggingHandlers: flag(true),
  healthzPort: whole(10_248, 0, 65_535),
  healthzBindAddress: text('127.0.0.1'),
  oomScoreAdj: whole(-999, -1_000, 1_000),
  clusterDomain: text(),
  clusterDNS: texts(),
  streamingConnectionIdleTimeout: duration(240 * minuteMs),
  nodeStatusUpdateFrequency: duration(10_000),
  nodeStatusReportFrequency: duration(5 * minuteMs),
  nodeLeaseDurationSeconds: whole(40, 1),
  nodeStatusMaxImages: whole(50, -1),
  imageMinimumGCAge: duration(2 * minuteMs),
  imageGCHighThresholdPercent: whole(85, 0, 100),
  imageGCLowThresholdPercent: whole(80, 0, 100),
  cgroupRoot: text(),
  cgroupsPerQOS: flag(true),
  cgroupDriver: choice(['cgroupfs', 'systemd'], 'cgroupfs'),
  runtimeRequestTimeout: duration(2 * minuteMs),
  maxPods: whole(110, 0),
  podsPerCore: whole(0, 0),
  podPidsLimit: whole(-1, -1),
  resolvConf: text('/etc/resolv.conf'),
  cpuCFSQuota: flag(true),
  cpuCFSQuotaPeriod: duration(100),
  serializeImagePulls: flag(true),
  maxParallelImagePulls: whole(0, 0),
  enforceNodeAllocatable: texts(['pods']),
  systemReserved: textMap(),
  kubeReserved: textMap(),
  failSwapOn: flag(true),
  failCgroupV1: flag(true),
  containerLogMaxSize: quantity(10 * mebibyte),
  containerLogMaxFiles: whole(5, 2),
  containerLogMonitorInterval: duration(10_000),
  allowedUnsafeSysctls: texts(),
  featureGates: flagMap(),
  evictionHard: textMap(),
  registerNode: flag(true),
  registerWithTaints: objects(),
  seccompDefault: flag(false),
  podLogsDir: text('/var/log/pods'),
  providerID: text(),
  containerRuntimeEndpoint: text('unix:///run/containerd/containerd.sock'),
  imageServiceEndpoint: text(),
  crashLoopBackOff: section({ maxContainerRestartPeriod: duration(300_000) }),
});

/** A decoded configuration. */
export type KubeletConfiguration = typeof configurationFields extends FieldType<infer T> ? T : never;
