import type { ContainerPort } from '@wherry/kubeapi/objects';
import type { PodView } from './amounts.ts';
import { isSidecar } from './pod-state.ts';

const anyAddress = '0.0.0.0';

/** The ports of the node that a pod takes for as long as it runs: those of its containers and sidecars. */
export function hostPorts({ spec }: PodView): ContainerPort[] {
  const containers = [...(spec?.initContainers ?? []).filter(isSidecar), ...(spec?.containers ?? [])];
  return containers.flatMap(({ ports = [] }) => ports.filter(({ hostPort = 0 }) => hostPort > 0));
}

function conflict(a: ContainerPort, b: ContainerPort): boolean {
  if (a.hostPort !== b.hostPort || (a.protocol || 'TCP') !== (b.protocol || 'TCP')) return false;
  const [one, other] = [a.hostIP || anyAddress, b.hostIP || anyAddress];
  return one === other || one === anyAddress || other === anyAddress;
}

/** Whether a port of the node that the pod wants is taken by one of the others (scheduler framework HostPortInfo). */
export function portsConflict(pod: PodView, others: readonly PodView[]): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return false;
  return others.flatMap(hostPorts).some((taken) => wanted.some((port) => conflict(port, taken)));
}
