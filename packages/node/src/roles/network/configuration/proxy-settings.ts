/** What the network of a node is told by a configuration. */
import { hostname } from 'node:os';
import type { LocalTraffic, NodePortAddresses } from '@wherry/service-proxy';
import type { ProxyConfiguration } from './proxy-fields.ts';

/** In the words of the parts that act on it. */
export interface ProxySettings {
  /** Undefined: the account of the pod that it runs in. */
  kubeconfig: string | undefined;
  /** Of the node. */
  nodeName: string;
  /** The node's own address, whatever its object says; undefined for that. */
  nodeAddress: string | undefined;
  masqueradesAll: boolean;
  /** What comes from pods of this node; `node-ranges`: what comes from the ranges that its object has. Undefined where nothing is said. */
  localTraffic: LocalTraffic | 'node-ranges' | undefined;
  nodePortAddresses: NodePortAddresses;
  /** Ranges of pods' addresses. */
  podCidrs: readonly string[];
  pages: {
    healthzBindAddress: string;
    metricsBindAddress: string;
    /** An address that is taken ends the process. */
    bindAddressHardFail: boolean;
  };
}

/** Every address of a family. */
const unspecified: readonly string[] = ['0.0.0.0', '::'];

/** `isFromFile`: what is not said is as upstream has it; else it is as a node of `wherry up` has it. */
export function proxySettingsOf(configuration: ProxyConfiguration, isFromFile: boolean): ProxySettings {
  const { mode, iptables, nftables, bindAddress, clusterCIDR, clientConnection } = configuration;
  const { healthzBindAddress, metricsBindAddress, bindAddressHardFail } = configuration;
  return {
    kubeconfig: clientConnection.kubeconfig || undefined,
    nodeName: (configuration.hostnameOverride || hostname()).trim().toLowerCase(),
    nodeAddress: unspecified.includes(bindAddress) ? undefined : bindAddress,
    masqueradesAll: (mode === 'nftables' ? nftables : iptables).masqueradeAll,
    localTraffic: localTrafficOf(configuration, isFromFile),
    nodePortAddresses: nodePortsOf(configuration),
    podCidrs: clusterCIDR === '' ? [] : clusterCIDR.split(','),
    pages: { healthzBindAddress, metricsBindAddress, bindAddressHardFail },
  };
}

function localTrafficOf(
  { detectLocalMode, detectLocal, clusterCIDR }: ProxyConfiguration,
  isFromFile: boolean,
): ProxySettings['localTraffic'] {
  if (detectLocalMode === 'NodeCIDR') return 'node-ranges';
  if (detectLocalMode === 'BridgeInterface') return { interface: detectLocal.bridgeInterface };
  if (detectLocalMode === 'InterfaceNamePrefix') return { interface: `${detectLocal.interfaceNamePrefix}*` };
  if (!isFromFile && detectLocalMode === '' && clusterCIDR === '') return undefined;
  return { ranges: clusterCIDR === '' ? [] : clusterCIDR.split(',') };
}

/** Unless it says otherwise, the mode nftables has node ports at the node's own address alone, as upstream. */
function nodePortsOf({ mode, nodePortAddresses, iptables }: ProxyConfiguration): NodePortAddresses {
  const isPrimary =
    nodePortAddresses[0] === 'primary' || (nodePortAddresses.length === 0 && mode === 'nftables');
  if (isPrimary) return 'primary';
  const { localhostNodePorts } = iptables;
  return { ranges: nodePortAddresses, loopback: mode === 'nftables' || localhostNodePorts };
}
