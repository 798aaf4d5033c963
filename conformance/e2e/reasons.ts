/** Specs that cannot pass here for a reason that is not ours, by a part of their name. */
const reasons: Readonly<Record<string, string>> = {
  PrivilegedPod: 'this kernel has no dummy network devices',
  'Networking should check kube-proxy urls': 'a node of wherry routes services itself: there is no kube-proxy',
  'health handlers should contain necessary checks':
    "it wants the names of upstream's own parts; what a server of ours is made of has others",
};

/** Why the spec may fail; undefined when it may not. */
export function reasonOf(name: string): string | undefined {
  return Object.entries(reasons).find(([part]) => name.includes(part))?.[1];
}
