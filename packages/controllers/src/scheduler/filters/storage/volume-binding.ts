import { PodStorage } from '../../pod-storage.ts';
import type { FilterPlugin } from '../filter-plugin.ts';

/** The volumes of the pod's claims: those that are bound must be reached, for the others there must be one. */
export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  helpedBy: ['node', 'storage'],
  prepare({ pod, claims }, { objects }) {
    if (claims.length === 0) return undefined;
    const storage = new PodStorage(pod, objects);
    if (storage.message !== undefined) return { message: storage.message };
    return {
      refusal({ node }) {
        const reasons = node ? storage.misfits(node) : [];
        return reasons.length > 0 ? { reasons, isFinal: true } : undefined;
      },
    };
  },
};
