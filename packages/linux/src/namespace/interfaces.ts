import { readFileSync } from 'node:fs';
import { withNetworkNamespace } from './namespace.ts';

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
      const counts = fields.trim().split(/\s+/).map(Number);
      const [rxBytes = 0, rxPackets = 0, rxErrors = 0, rxDropped = 0] = counts;
      const [txBytes = 0, txPackets = 0, txErrors = 0, txDropped = 0] = counts.slice(8);
      const received = { rxBytes, rxPackets, rxErrors, rxDropped };
      return { name: name.trim(), ...received, txBytes, txPackets, txErrors, txDropped };
    });
}

/** Counters of the interfaces that a process sees, or this one. Throws ENOENT when there is no such process. */
export function interfacesOfProcess(pid: number | 'self'): InterfaceCounters[] {
  return parseInterfaces(readFileSync(`/proc/${pid}/net/dev`, 'utf8'));
}

/** Counters of the interfaces in a network namespace. Throws ENOENT when it is gone. */
export function interfacesOfNamespace(path: string): InterfaceCounters[] {
  // /proc/thread-self, because only this thread is in the namespace meanwhile.
  return parseInterfaces(withNetworkNamespace(path, () => readFileSync('/proc/thread-self/net/dev', 'utf8')));
}
