import type { InterfaceCounters } from '@wherry/linux';
import type { Labels } from '@wherry/telemetry';
import type { Samples } from './families.ts';

/** What went through the interfaces of a pod or of the machine. */
export function interfaceSamples(
  samples: Samples,
  group: Labels,
  interfaces: readonly InterfaceCounters[],
): void {
  for (const { name, rxBytes, rxPackets, rxErrors, rxDropped, ...sent } of interfaces) {
    const labels = { ...group, interface: name };
    samples.add('container_network_receive_bytes_total', rxBytes, labels);
    samples.add('container_network_receive_packets_total', rxPackets, labels);
    samples.add('container_network_receive_errors_total', rxErrors, labels);
    samples.add('container_network_receive_packets_dropped_total', rxDropped, labels);
    samples.add('container_network_transmit_bytes_total', sent.txBytes, labels);
    samples.add('container_network_transmit_packets_total', sent.txPackets, labels);
    samples.add('container_network_transmit_errors_total', sent.txErrors, labels);
    samples.add('container_network_transmit_packets_dropped_total', sent.txDropped, labels);
  }
}
