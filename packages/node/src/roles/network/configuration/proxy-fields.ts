/**
 * `KubeProxyConfiguration` of `kubeproxy.config.k8s.io/v1alpha1`: every field of upstream's, with its default
 * (k8s.io/kube-proxy config/v1alpha1/types.go, pkg/proxy/apis/config/v1alpha1/defaults.go), and what is made of it. Durations are
 * decoded to milliseconds. docs/fields/kube-proxy-configuration.md is written from it.
 */
import {
  actedOn,
  anything,
  choice,
  duration,
  type FieldType,
  flag,
  fraction,
  keepsZero,
  noEffect,
  objects,
  only,
  optional,
  section,
  text,
  texts,
  unless,
  whole,
} from '@wherry/kubelet/configuration-fields';
import { gates, interfaceName, ipAddress, nodePortRanges, rangePair, socketAddress } from './proxy-values.ts';

const kind = 'KubeProxyConfiguration';
const version = 'kubeproxy.config.k8s.io/v1alpha1';

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];
/** kube-proxy's, where an address says none. */
const [healthPort, metricsPort] = [10_256, 10_249];
const intMax = 2 ** 31 - 1;
const [oomScoreMax, oomScoreUsual] = [1_000, -999];

const settings = 'node/roles/network/configuration/proxy-settings';
const machine = 'node/roles/network/machine-settings';
const noMarks = 'packets are told apart by what connection tracking knows, without a bit of their mark';
const atOnce = 'the kernel is told of a change as it comes, and looked at every 5 s';
const noIpvs = 'of the mode ipvs, which is refused';
const windows = 'of Windows';
const requests = 'requests to the API server are JSON, and not throttled';

const ipvsOnly = <T>(type: FieldType<T>) => noEffect(type, noIpvs);
const windowsOnly = <T>(type: FieldType<T>) => noEffect(type, windows);
const count = (initial: number) => actedOn(keepsZero(whole(initial, 0, intMax)), machine);
const period = (initialMs: number) => noEffect(duration(initialMs), atOnce);
const maskBit = () => noEffect(keepsZero(whole(14, 0, 31)), noMarks);

/** Like upstream's `iptables`, but that it is the way of nothing here: services are led by nftables. */
const mode = (): FieldType<string> => {
  const type = unless(
    actedOn(choice(['', 'iptables', 'ipvs', 'nftables'], ''), settings),
    (name) => name !== 'ipvs',
    {
      values: '`ipvs`',
      why: 'there are no IPVS schedulers here, services are led by nftables; leave it out, or say nftables',
    },
  );
  const why = 'services are led by nftables all the same: there are no chains KUBE-… for others to look into';
  return {
    ...type,
    claim: { ...type.claim, warned: [{ values: '`iptables`', why }] },
    decode(value, path, report) {
      const decoded = type.decode(value, path, report);
      if (decoded === 'iptables') report.warn(path, why);
      return decoded;
    },
  } as FieldType<string>;
};

/** The whole document. */
export const proxyFields = section({
  apiVersion: noEffect(keepsZero(choice([version], version)), 'there is one'),
  kind: noEffect(keepsZero(choice([kind], kind)), 'there is one'),
  featureGates: gates(),
  clientConnection: section({
    kubeconfig: actedOn(text(), settings),
    acceptContentTypes: noEffect(text(), requests),
    contentType: noEffect(text('application/vnd.kubernetes.protobuf'), requests),
    qps: noEffect(fraction(5, -intMax, intMax), requests),
    burst: noEffect(whole(10, 0, intMax), requests),
  }),
  logging: section({
    format: only(choice(['text', 'json'], 'text'), 'lines of the log are text'),
    flushFrequency: noEffect(anything(), 'each line is written at once'),
    verbosity: actedOn(whole(0, 0, intMax), 'node/roles/network/network'),
    vmodule: only(objects(), 'verbosity is one for all modules'),
    options: noEffect(anything(), 'tunes buffers of the two formats of klog'),
  }),
  hostnameOverride: actedOn(text(), settings),
  bindAddress: actedOn(ipAddress('0.0.0.0'), settings),
  healthzBindAddress: actedOn(socketAddress(healthPort), settings),
  metricsBindAddress: actedOn(socketAddress(metricsPort), settings),
  bindAddressHardFail: actedOn(flag(false), settings),
  enableProfiling: only(flag(false), 'there is no Go runtime to profile'),
  showHiddenMetricsForVersion: only(text(), 'no metric is hidden'),
  mode: mode(),
  iptables: section({
    masqueradeBit: maskBit(),
    masqueradeAll: actedOn(flag(false), settings),
    localhostNodePorts: actedOn(keepsZero(flag(true)), settings),
    syncPeriod: period(30 * secondMs),
    minSyncPeriod: period(secondMs),
  }),
  ipvs: section({
    syncPeriod: ipvsOnly(duration(30 * secondMs)),
    minSyncPeriod: ipvsOnly(duration(0)),
    scheduler: ipvsOnly(text()),
    excludeCIDRs: ipvsOnly(texts()),
    strictARP: ipvsOnly(flag(false)),
    tcpTimeout: ipvsOnly(duration(0)),
    tcpFinTimeout: ipvsOnly(duration(0)),
    udpTimeout: ipvsOnly(duration(0)),
  }),
  nftables: section({
    masqueradeBit: maskBit(),
    masqueradeAll: actedOn(flag(false), settings),
    syncPeriod: period(30 * secondMs),
    minSyncPeriod: period(secondMs),
  }),
  winkernel: section({
    networkName: windowsOnly(text()),
    sourceVip: windowsOnly(text()),
    enableDSR: windowsOnly(flag(false)),
    rootHnsEndpointName: windowsOnly(text()),
    forwardHealthCheckVip: windowsOnly(flag(false)),
  }),
  detectLocalMode: actedOn(
    choice(['', 'ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'], ''),
    settings,
  ),
  detectLocal: section({
    bridgeInterface: actedOn(interfaceName(), settings),
    interfaceNamePrefix: actedOn(interfaceName(), settings),
  }),
  clusterCIDR: actedOn(rangePair(), settings),
  nodePortAddresses: actedOn(nodePortRanges(), settings),
  oomScoreAdj: actedOn(keepsZero(whole(oomScoreUsual, -oomScoreMax, oomScoreMax)), machine),
  conntrack: section({
    maxPerCore: count(32 * 1_024),
    min: count(128 * 1_024),
    tcpEstablishedTimeout: actedOn(keepsZero(duration(24 * hourMs)), machine),
    tcpCloseWaitTimeout: actedOn(keepsZero(duration(hourMs)), machine),
    tcpBeLiberal: actedOn(flag(false), machine),
    udpTimeout: actedOn(duration(0), machine),
    udpStreamTimeout: actedOn(duration(0), machine),
  }),
  configSyncPeriod: noEffect(
    duration(15 * minuteMs),
    'services are watched; nothing is asked for again by the clock',
  ),
  portRange: noEffect(text(), 'upstream has no use for it either'),
  windowsRunAsService: windowsOnly(optional(flag(false))),
});

/** A decoded configuration. */
export type ProxyConfiguration = typeof proxyFields extends FieldType<infer T> ? T : never;
