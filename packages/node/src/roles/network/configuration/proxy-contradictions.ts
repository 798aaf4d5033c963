import type { ProxyConfiguration } from './proxy-fields.ts';

/** What is wrong with fields beside each other, or that their types do not say; upstream: pkg/proxy/apis/config/validation. */
export function proxyContradictions(configuration: ProxyConfiguration): string[] {
  const { mode, conntrack, detectLocal, detectLocalMode, iptables, nftables } = configuration;
  const [place, { syncPeriod, minSyncPeriod }] =
    mode === 'nftables' ? (['nftables', nftables] as const) : (['iptables', iptables] as const);
  const negative = [
    ...Object.entries({
      tcpEstablishedTimeout: conntrack.tcpEstablishedTimeout,
      tcpCloseWaitTimeout: conntrack.tcpCloseWaitTimeout,
      udpTimeout: conntrack.udpTimeout,
      udpStreamTimeout: conntrack.udpStreamTimeout,
    }).map(([name, timeMs]) => [`conntrack.${name}`, timeMs] as const),
    [`${place}.minSyncPeriod`, minSyncPeriod] as const,
  ];
  const rules: [boolean, string][] = [
    ...negative.map(([path, timeMs]): [boolean, string] => [
      timeMs < 0,
      `${path}: must be greater than or equal to 0`,
    ]),
    [
      configuration.hostnameOverride !== '' && configuration.hostnameOverride.trim() === '',
      'hostnameOverride: must not be of spaces alone',
    ],
    [configuration.configSyncPeriod <= 0, 'configSyncPeriod: must be greater than 0'],
    [syncPeriod <= 0, `${place}.syncPeriod: must be greater than 0`],
    [
      minSyncPeriod > syncPeriod,
      `${place}.syncPeriod: must be greater than or equal to ${place}.minSyncPeriod`,
    ],
    [
      detectLocalMode === 'BridgeInterface' && detectLocal.bridgeInterface === '',
      'detectLocal.bridgeInterface: must not be empty with detectLocalMode: BridgeInterface',
    ],
    [
      detectLocalMode === 'InterfaceNamePrefix' && detectLocal.interfaceNamePrefix === '',
      'detectLocal.interfaceNamePrefix: must not be empty with detectLocalMode: InterfaceNamePrefix',
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
}
