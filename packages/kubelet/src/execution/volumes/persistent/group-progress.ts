import { groupChangeSlowMs, groupChangeTellMs } from '../../../limits.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

/**
 * Tells a pod by events that its volume is still being given to its fsGroup, which is why it waits (upstream: monitorProgress of
 * pkg/volume), until what is returned is disposed of.
 */
export function tellProgress(
  { pod, host }: Pick<VolumeRequest<unknown>, 'pod' | 'host'>,
  folder: string,
  progress: Readonly<{ files: number }>,
): Disposable {
  // What stands in front is the node's business.
  const shown = folder.slice(Math.max(0, folder.indexOf(pod.metadata.uid)));
  const tell = (how: string) =>
    host.warn(pod, 'VolumePermissionChangeInProgress', `Setting volume ownership for ${shown}${how}`);
  const goOn = () => {
    timer = host.clock.after(groupChangeTellMs, () => {
      tell(`, processed ${progress.files} files.`);
      goOn();
    });
  };
  let timer = host.clock.after(groupChangeSlowMs, () => {
    tell(` is taking longer than expected, consider using OnRootMismatch - ${advice}`);
    goOn();
  });
  return { [Symbol.dispose]: () => timer.cancel() };
}

const advice =
  'https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods';
