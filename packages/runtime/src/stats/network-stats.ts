import type { Input, NetworkInterfaceUsage, NetworkUsage } from '@wherry/cri';
import { type InterfaceCounters, interfacesOfNamespace } from '@wherry/linux';

/** Counters of the interfaces in a network namespace; none when it is gone. */
export function readInterfaces(namespacePath: string | undefined): InterfaceCounters[] {
  if (namespacePath === undefined) return [];
  try {
    return interfacesOfNamespace(namespacePath);
  } catch {
    return [];
  }
}

const toUsage = (counters: InterfaceCounters): Input<NetworkInterfaceUsage> => ({
  name: counters.name,
  rxBytes: { value: counters.rxBytes },
  rxErrors: { value: counters.rxErrors },
  txBytes: { value: counters.txBytes },
  txErrors: { value: counters.txErrors },
});

/** The interfaces as CRI tells them: eth0 is the default, the others come beside it. */
export function toNetworkUsage(
  interfaces: readonly InterfaceCounters[],
  timestamp: bigint,
): Input<NetworkUsage> {
  const main = interfaces.find(({ name }) => name === 'eth0') ?? interfaces[0];
  return {
    timestamp,
    defaultInterface: main && toUsage(main),
    interfaces: interfaces.filter((counters) => counters !== main).map(toUsage),
  };
}
