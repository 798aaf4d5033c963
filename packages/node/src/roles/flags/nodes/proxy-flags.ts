/** Flags of kube-proxy that set fields of its configuration. */

/** As Go has it; see flag-values.ts of the kubelet. */
type ValueType = 'Bool' | 'Duration' | 'Float32' | 'Int32' | 'MapStringBool' | 'String' | 'StringSlice';

/** A flag, the fields that it sets, and the type of its value. */
export interface ProxyFlag {
  /** Without the dashes. */
  name: string;
  /** Such as `conntrack.min`; several where the mode says which of them counts. */
  paths: readonly string[];
  type: ValueType;
  /** It counts beside a file, as upstream. */
  standsAboveFile: boolean;
  text: string;
}

type Row = readonly [name: string, path: string, type: ValueType];

const aboveFile: readonly string[] = ['hostname-override', 'logging-format', 'log-flush-frequency'];

const rows: readonly Row[] = [
  ['bind-address', 'bindAddress', 'String'],
  ['bind-address-hard-fail', 'bindAddressHardFail', 'Bool'],
  ['cluster-cidr', 'clusterCIDR', 'String'],
  ['config-sync-period', 'configSyncPeriod', 'Duration'],
  ['conntrack-max-per-core', 'conntrack.maxPerCore', 'Int32'],
  ['conntrack-min', 'conntrack.min', 'Int32'],
  ['conntrack-tcp-be-liberal', 'conntrack.tcpBeLiberal', 'Bool'],
  ['conntrack-tcp-timeout-close-wait', 'conntrack.tcpCloseWaitTimeout', 'Duration'],
  ['conntrack-tcp-timeout-established', 'conntrack.tcpEstablishedTimeout', 'Duration'],
  ['conntrack-udp-timeout', 'conntrack.udpTimeout', 'Duration'],
  ['conntrack-udp-timeout-stream', 'conntrack.udpStreamTimeout', 'Duration'],
  ['detect-local-mode', 'detectLocalMode', 'String'],
  ['feature-gates', 'featureGates', 'MapStringBool'],
  ['healthz-bind-address', 'healthzBindAddress', 'String'],
  ['hostname-override', 'hostnameOverride', 'String'],
  ['iptables-localhost-nodeports', 'iptables.localhostNodePorts', 'Bool'],
  ['iptables-masquerade-bit', 'iptables.masqueradeBit', 'Int32'],
  ['iptables-min-sync-period', 'iptables.minSyncPeriod nftables.minSyncPeriod', 'Duration'],
  ['iptables-sync-period', 'iptables.syncPeriod nftables.syncPeriod', 'Duration'],
  ['ipvs-exclude-cidrs', 'ipvs.excludeCIDRs', 'StringSlice'],
  ['ipvs-min-sync-period', 'ipvs.minSyncPeriod', 'Duration'],
  ['ipvs-scheduler', 'ipvs.scheduler', 'String'],
  ['ipvs-strict-arp', 'ipvs.strictARP', 'Bool'],
  ['ipvs-sync-period', 'ipvs.syncPeriod', 'Duration'],
  ['ipvs-tcp-timeout', 'ipvs.tcpTimeout', 'Duration'],
  ['ipvs-tcpfin-timeout', 'ipvs.tcpFinTimeout', 'Duration'],
  ['ipvs-udp-timeout', 'ipvs.udpTimeout', 'Duration'],
  ['kube-api-burst', 'clientConnection.burst', 'Int32'],
  ['kube-api-content-type', 'clientConnection.contentType', 'String'],
  ['kube-api-qps', 'clientConnection.qps', 'Float32'],
  ['kubeconfig', 'clientConnection.kubeconfig', 'String'],
  ['log-flush-frequency', 'logging.flushFrequency', 'Duration'],
  ['logging-format', 'logging.format', 'String'],
  ['masquerade-all', 'iptables.masqueradeAll nftables.masqueradeAll', 'Bool'],
  ['metrics-bind-address', 'metricsBindAddress', 'String'],
  ['nodeport-addresses', 'nodePortAddresses', 'StringSlice'],
  ['oom-score-adj', 'oomScoreAdj', 'Int32'],
  ['pod-bridge-interface', 'detectLocal.bridgeInterface', 'String'],
  ['pod-interface-name-prefix', 'detectLocal.interfaceNamePrefix', 'String'],
  ['profiling', 'enableProfiling', 'Bool'],
  ['proxy-mode', 'mode', 'String'],
  ['show-hidden-metrics-for-version', 'showHiddenMetricsForVersion', 'String'],
];

const texts: ReadonlyMap<string, string> = new Map([
  ['kubeconfig', 'credentials towards the API server (default: those of the pod that it runs in)'],
  ['hostname-override', 'name of the node (default: the host name)'],
  ['healthz-bind-address', 'where /healthz and /livez are served (default: 0.0.0.0:10256)'],
  ['metrics-bind-address', 'where /metrics and /proxyMode are served (default: 127.0.0.1:10249)'],
  ['masquerade-all', "requests for services get the node's own address"],
]);

/** All of them. */
export const proxyFlags: readonly ProxyFlag[] = rows.map(([name, path, type]) => ({
  ...{ name, paths: path.split(' '), type, standsAboveFile: aboveFile.includes(name) },
  text: texts.get(name) ?? '',
}));

/** Such as `masqueradeAll`, by which commander hands it over. */
export const keyOfFlag = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** As commander hands them over, each as often as it was given; a part of a node may give one as it is. */
export type ProxyFlags = {
  kubeconfig?: string | readonly string[];
  hostnameOverride?: string | readonly string[];
  healthzBindAddress?: string | readonly string[];
  metricsBindAddress?: string | readonly string[];
  masqueradeAll?: boolean | readonly string[];
};
