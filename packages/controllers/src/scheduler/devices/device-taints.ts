import type { Device, DeviceToleration } from '@wherry/kubeapi/objects';
import { toleratesDeviceTaint } from '@wherry/podrules';

const barring: readonly string[] = ['NoSchedule', 'NoExecute'];

/** Whether a taint that the request does not tolerate keeps a device from being given. */
export function isBarred({ taints = [] }: Device, tolerations: readonly DeviceToleration[] = []): boolean {
  return taints.some(
    (taint) =>
      barring.includes(taint.effect) && !tolerations.some((each) => toleratesDeviceTaint(each, taint)),
  );
}
