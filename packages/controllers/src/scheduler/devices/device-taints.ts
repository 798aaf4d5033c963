import type { Device, DeviceToleration } from '@wherry/kubeapi/objects';

const barring: readonly string[] = ['NoSchedule', 'NoExecute'];

/** Whether a taint that the request does not tolerate keeps a device from being given. */
export function isBarred({ taints = [] }: Device, tolerations: readonly DeviceToleration[] = []): boolean {
  return taints.some(
    ({ key, value = '', effect }) =>
      barring.includes(effect) &&
      !tolerations.some((each) => {
        if ((each.effect && each.effect !== effect) || (each.key && each.key !== key)) return false;
        return each.operator === 'Exists' || (each.value ?? '') === value;
      }),
  );
}
