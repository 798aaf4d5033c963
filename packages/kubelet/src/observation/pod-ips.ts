/** One address of each family, that of the node's own first, whatever the runtime's order is (upstream: sortPodIPs). */
export function oneOfEachFamily(ips: readonly string[], hostIps: readonly string[]): string[] {
  const isFirstIPv6 = isIPv6(hostIps[0] ?? '');
  const ofFamily = (isWanted: boolean) => ips.find((ip) => isIPv6(ip) === isWanted);
  return [ofFamily(isFirstIPv6), ofFamily(!isFirstIPv6)].filter((ip) => ip !== undefined);
}

/** Whether an address is one of IPv6. */
export const isIPv6 = (ip: string): boolean => ip.includes(':');
