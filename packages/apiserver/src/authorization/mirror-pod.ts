import type { Pod } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';

/** True for the image, at the API server, of a pod that a kubelet runs on its own account. */
export function isMirrorPod({ metadata }: Pick<Pod, 'metadata'>): boolean {
  return metadata?.annotations?.[podAnnotations.mirror] !== undefined;
}
