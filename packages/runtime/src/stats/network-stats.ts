import { readFileSync } from 'node:fs';
import type { Input, NetworkInterfaceUsage, NetworkUsage } from '@wherry/cri';
import { withNetworkNamespace } from '@wherry/linux';

/** One interface's counters, from /proc/net/dev (proc_pid_net(5)). */
export interface InterfaceCounters {
  name: string;
  rxBytes: number;
  rxPackets: number;
  rxErrors: number;
  rxDropped: number;
  txBytes: number;
  txPackets: number;
  txErrors: number;
  txDropped: number;
}

/** Parses /proc/net/dev without the loopback interface. */
export function parseInterfaces(text: string): InterfaceCounters[] {
  return text
    .split('\n')
    .slice(2)
    .map((line) => line.split(':'))
    .filter(([name = '', fields]) => fields !== undefined && name.trim() !== 'lo')
    .map(([name = '', fields = '']) => {
      const [
        rxBytes = 0,
        rxPackets = 0,
        rxErrors = 0,
        rxDropped = 0,
        ,
        ,
        ,
        ,
        txBytes = 0,
        txPackets = 0,
        txErrors = 0,
        txDropped = 0,
      ] = fields.trim().split(/\s+/).map(Number);
      return {
        name: name.trim(),
        rxBytes,
        rxPackets,
        rxErrors,
        rxDropped,
        txBytes,
        txPackets,
        txErrors,
        txDropped,
      };
    });
}

/** Counters of the interfaces in a network namespace; none when it is gone. */
export function readInterfaces(namespacePath: string | undefined): InterfaceCounters[] {
  if (namespacePath === undefined) return [];
  try {
    // /proc/thread-self, because only this thread is in the pod's namespace meanwhile.
    return parseInterfaces(
      withNetworkNamespace(namespacePath, () => readFileSync('/proc/thread-self/net/dev', 'utf8')),
    );
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
