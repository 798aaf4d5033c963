const noResources =
  "this machine has no CAP_SYS_RESOURCE, and can't lower the oom_score_adj of a container that starts anew";
const oneMachine = "the suite's nodes are one machine, with one network of the host";

const resized = 'guaranteed qos - 1 container with resize policy';
/** Containers of guaranteed pods that start anew upon a change of these. */
const anewWhenResized = Object.fromEntries(
  ['cpu', 'mem', 'cpu & mem'].flatMap((what) => [
    [`${resized} [Feature:InPlacePodVerticalScaling] ${what} restart`, noResources],
    [`PLR ${resized} ${what} restart`, noResources],
  ]),
);

/** Specs that cannot pass here for a reason that is not ours, by a part of their name. */
const reasons: Readonly<Record<string, string>> = {
  PrivilegedPod: 'this kernel has no dummy network devices',
  'Mount propagation should propagate mounts':
    'this machine has no shared mounts, and keeps those of its first process',
  'Networking should check kube-proxy urls':
    'a node of wherry routes services itself: there is no kube-proxy',
  'KubeProxy should set TCP CLOSE_WAIT timeout':
    'a node leaves how long its machine remembers connections as it is',
  'internalTrafficPolicy=Local Pod and Node, to Pod (hostNetwork: true)': oneMachine,
  'internalTrafficPolicy=Local Pod (hostNetwork: true) to Pod': oneMachine,
  'externalTrafficPolicy=Local for type=NodePort': oneMachine,
  'terminating endpoints when there are no ready endpoints with externalTrafficPolicy=Local': oneMachine,
  'Services should function for service endpoints using hostNetwork': oneMachine,
  'proxy logs on node with explicit kubelet port': oneMachine,
  ...anewWhenResized,
  'pull from private registry with credential provider': 'it wants a registry that is not there',
  ImageGarbageCollect:
    'after it the suite pulls images by their digest, from registries that can not be reached',
  ImageCredentialProvider: 'it wants a program on the machine and a registry that is not there',
  '[Feature:BootstrapTokens]': 'it wants the ConfigMap cluster-info, which kubeadm makes',
  ': sctp': 'this kernel has no SCTP',
  'with v1beta1 API': 'upstream too serves versions that are not stable only where it is told to',
  'with v1beta2 API': 'upstream too serves versions that are not stable only where it is told to',
  'StorageVersion resources': 'upstream too serves this one only where it is told to',
  'health handlers should contain necessary checks':
    "it wants the names of upstream's own parts; what a server of ours is made of has others",
};

/** Why the spec may fail; undefined when it may not. */
export function reasonOf(name: string): string | undefined {
  return Object.entries(reasons).find(([part]) => name.includes(part))?.[1];
}
