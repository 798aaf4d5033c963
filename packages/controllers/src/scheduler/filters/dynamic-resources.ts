import { devicesOf } from '../devices/pod-devices.ts';
import { type FilterPlugin, refuse } from './filter-plugin.ts';

/**
 * The devices that the pod asks for, by claims and by the names of extended resources: claims that have theirs must be
 * usable, for the others there must be enough.
 */
export const dynamicResources: FilterPlugin = {
  name: 'DynamicResources',
  helpedBy: ['node', 'device', 'device-class'],
  prepare({ pod }, { objects, devices: ledger }) {
    const devices = devicesOf(pod, objects, ledger);
    if (!devices) return undefined;
    if (devices.message !== undefined) return { message: devices.message };
    return {
      refusal({ node }) {
        const reason = node && devices.refusal(node);
        return reason === undefined ? undefined : refuse(reason, { isFinal: true });
      },
    };
  },
};
