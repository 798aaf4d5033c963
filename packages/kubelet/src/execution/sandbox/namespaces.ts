import { type Input, NamespaceMode, type NamespaceOption } from '@wherry/cri';
import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';

/** Which namespaces a pod's containers share. `targetId` is the container whose processes an ephemeral one sees. */
export function namespaceOptions(pod: AssignedPod, targetId = ''): Input<NamespaceOption> {
  const { hostPID, hostIPC, shareProcessNamespace } = pod.spec;
  let pid: NamespaceMode = NamespaceMode.CONTAINER;
  if (hostPID) pid = NamespaceMode.NODE;
  else if (shareProcessNamespace) pid = NamespaceMode.POD;
  else if (targetId) pid = NamespaceMode.TARGET;
  return {
    network: isHostNetwork(pod) ? NamespaceMode.NODE : NamespaceMode.POD,
    ipc: hostIPC ? NamespaceMode.NODE : NamespaceMode.POD,
    pid,
    targetId: pid === NamespaceMode.TARGET ? targetId : '',
    // Pods that ask for a user namespace are refused at admission.
    usernsOptions: { mode: NamespaceMode.NODE },
  };
}
