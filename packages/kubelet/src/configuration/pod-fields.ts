/** Fields of the configuration that concern where pods come from and how they run. */
import { actedOn, noEffect, only, unless } from './claims.ts';
import {
  choice,
  duration,
  flag,
  fraction,
  keepsZero,
  optional,
  quantity,
  text,
  textMap,
  texts,
  textsMap,
  webAddress,
  whole,
} from './field-types.ts';
import { section } from './section.ts';

const minuteMs = 60_000;
const mebibyte = 1_024 * 1_024;
const execution = 'kubelet/execution/assemble';
const steps = 'kubelet/execution/assemble-steps';
const cpuOptions = 'kubelet/execution/cpus/cpu-options';
const topologyOptions = 'kubelet/execution/topology/topology-options';

export const podFields = {
  staticPodPath: actedOn(text(), 'kubelet/intake/assemble'),
  fileCheckFrequency: actedOn(duration(20_000), 'kubelet/intake/assemble'),
  staticPodURL: actedOn(webAddress(), 'kubelet/intake/assemble'),
  staticPodURLHeader: actedOn(textsMap(), 'kubelet/intake/assemble'),
  httpCheckFrequency: actedOn(duration(20_000), 'kubelet/intake/assemble'),
  podLogsDir: actedOn(text('/var/log/pods'), 'kubelet/ground/ground'),
  syncFrequency: actedOn(duration(minuteMs), steps),
  clusterDomain: actedOn(text(), steps),
  clusterDNS: actedOn(texts(), steps),
  resolvConf: actedOn(keepsZero(text('/etc/resolv.conf')), steps),
  hairpinMode: noEffect(
    choice(['promiscuous-bridge', 'hairpin-veth', 'none'], 'promiscuous-bridge'),
    "the pod network is the runtime's; upstream has had no use for it since dockershim",
  ),
  podCIDR: only(text(), "addresses of pods are the runtime's to choose (`wherry runtime --pod-cidr`)"),
  runOnce: only(flag(false), 'Runonce mode has been deprecated and should not be set'),
  cpuCFSQuota: actedOn(keepsZero(flag(true)), steps),
  cpuCFSQuotaPeriod: actedOn(keepsZero(duration(100)), steps),
  podPidsLimit: actedOn(keepsZero(whole(-1)), execution),
  seccompDefault: actedOn(keepsZero(flag(false)), steps),
  allowedUnsafeSysctls: actedOn(texts(), 'kubelet/intake/admission/admit-pod'),
  crashLoopBackOff: section({
    maxContainerRestartPeriod: actedOn(keepsZero(duration(300_000)), execution),
  }),
  userNamespaces: section({
    idsPerPod: actedOn(keepsZero(whole(65_536, 0)), execution),
  }),
  memorySwap: section({
    swapBehavior: actedOn(choice(['', 'NoSwap', 'LimitedSwap'], ''), 'kubelet/ground/node-capacity'),
  }),
  singleProcessOOMKill: actedOn(optional(flag(false)), steps),
  memoryThrottlingFactor: noEffect(
    keepsZero(fraction(0.9, 0, 1)),
    'concerns the feature gate MemoryQoS, which is off and refused',
  ),
  memoryReservationPolicy: only(
    choice(['None', 'TieredReservation'], 'None'),
    'memory is not reserved in control groups',
  ),
  cpuManagerPolicy: actedOn(choice(['none', 'static'], 'none'), 'kubelet/execution/cpus/assemble'),
  cpuManagerPolicyOptions: {
    ...actedOn(textMap(), cpuOptions),
    claim: {
      actedOn: [cpuOptions],
      refused: [
        {
          values: 'options that are not known, that exclude one another, or that the policy `none` is given',
          why: 'a container would run elsewhere than it was asked to',
        },
        {
          values: '`align-by-socket`, `distribute-cpus-across-cores`',
          why: 'they need the feature gate CPUManagerPolicyAlphaOptions',
        },
      ],
    },
  },
  cpuManagerReconcilePeriod: actedOn(duration(10_000), 'kubelet/execution/managers/assemble'),
  memoryManagerPolicy: unless(
    actedOn(choice(['None', 'Static', 'BestEffort'], 'None'), 'kubelet/execution/memory/assemble'),
    (policy) => policy !== 'BestEffort',
    { values: '`BestEffort`', why: 'it is for Windows' },
  ),
  topologyManagerPolicy: actedOn(
    choice(['none', 'best-effort', 'restricted', 'single-numa-node'], 'none'),
    'kubelet/execution/topology/merge-hints',
  ),
  topologyManagerScope: actedOn(
    choice(['container', 'pod'], 'container'),
    'kubelet/execution/managers/assemble',
  ),
  topologyManagerPolicyOptions: {
    ...actedOn(textMap(), topologyOptions),
    claim: {
      actedOn: [topologyOptions],
      refused: [
        {
          values: 'all but `prefer-closest-numa-nodes` and `max-allowable-numa-nodes` (from 8 on)',
          why: 'there are no others',
        },
      ],
    },
  },
  configMapAndSecretChangeDetectionStrategy: only(
    choice(['Watch', 'Cache', 'Get'], 'Watch'),
    'config maps and secrets are watched',
  ),
  volumePluginDir: noEffect(
    text('/usr/libexec/kubernetes/kubelet-plugins/volume/exec/'),
    'concerns FlexVolumes, which are refused pod by pod',
  ),
  volumeStatsAggPeriod: noEffect(duration(minuteMs), 'usage is measured when it is asked for'),
  containerLogMaxSize: actedOn(quantity(10 * mebibyte), 'kubelet/logs/log-rotator'),
  containerLogMaxFiles: actedOn(keepsZero(whole(5, 2)), 'kubelet/logs/log-rotator'),
  containerLogMaxWorkers: actedOn(keepsZero(whole(1, 1)), 'kubelet/logs/log-rotator'),
  containerLogMonitorInterval: actedOn(keepsZero(duration(10_000)), 'kubelet/logs/log-rotator'),
};
