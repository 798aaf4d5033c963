import { type Input, NamespaceMode, type NamespaceOption, type UserNamespace } from '@wherry/cri';
import { type AssignedPod, isHostNetwork } from '../../pod/assigned-pod.ts';

/** Which namespaces a pod's containers share, and whose users they are. `targetId` is the container whose processes an ephemeral one sees. */
export function namespaceOptions(
  pod: AssignedPod,
  usernsOptions: Input<UserNamespace>,
  targetId = '',
): Input<NamespaceOption> {
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
    usernsOptions,
  };
}
