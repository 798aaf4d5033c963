import { isRecord } from '../state/json.ts';
import type { NetworkList, PluginConfig } from './network-list.ts';

/** What Status tells with `verbose`, in the form that containerd gives it, which crictl's users read. */
export function statusInfo(options: {
  binDirs: readonly string[];
  confDir: string;
  interfaceName: string;
  list: NetworkList | undefined;
  lastLoad: string;
}): Record<string, string> {
  const { binDirs, confDir, interfaceName, list, lastLoad } = options;
  const config = list && {
    Name: list.name,
    CNIVersion: list.version,
    Plugins: list.plugins.map(pluginInfo),
    Source: list.source,
  };
  const cniconfig = {
    PluginDirs: binDirs,
    PluginConfDir: confDir,
    PluginMaxConfNum: 1,
    Prefix: 'eth',
    Networks: config ? [{ Config: config, IFName: interfaceName }] : [],
  };
  return {
    cniconfig: JSON.stringify(cniconfig),
    lastCNILoadStatus: lastLoad,
    'lastCNILoadStatus.default': lastLoad,
  };
}

function pluginInfo({ type, config }: PluginConfig) {
  const { ipam, capabilities } = config;
  const Network = {
    type,
    ...(isRecord(capabilities) && { capabilities }),
    ipam: isRecord(ipam) ? { type: ipam['type'] } : {},
    dns: {},
  };
  return { Network, Source: JSON.stringify(config) };
}
