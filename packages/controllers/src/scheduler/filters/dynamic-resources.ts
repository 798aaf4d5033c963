import { PodDevices } from '../devices/pod-devices.ts';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

/** The devices that the pod's claims ask for: those that have theirs must be usable, for the others there must be enough. */
export const dynamicResources: FilterPlugin = {
  name: 'DynamicResources',
  helpedBy: ['node', 'device'],
  prepare({ pod }, { objects, devices: ledger }) {
    if (!pod.spec?.resourceClaims?.length) return undefined;
    const devices = new PodDevices(pod, objects, ledger);
    if (devices.message !== undefined) return { message: devices.message };
    return {
      refusal({ node }) {
        const reason = node && devices.refusal(node);
        return reason === undefined ? undefined : refuse(reason, { isFinal: true });
      },
    };
  },
};
