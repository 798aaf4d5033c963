import type { Container } from '@wherry/kubeapi';
import type { MetricsRegistry } from '@wherry/telemetry';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** Counts images that containers mount as volumes. */
export interface ImageVolumeFigures {
  /** Makes the container, and counts what came of its images. Throws what `make` throws. */
  counted<Made>(pod: AssignedPod, container: Container, make: () => Promise<Made>): Promise<Made>;
}

/** What a runtime's error begins with that could not mount an image (cri-api: pkg/errors). */
const mountFailed = 'ImageVolumeMountFailed';

/** Families of upstream's names: any other failure leaves the mounts counted as made, as there. */
export function imageVolumeFigures(metrics: MetricsRegistry): ImageVolumeFigures {
  const requested = metrics.plainCounter(
    'kubelet_image_volume_requested_total',
    'Images that containers were to mount as volumes.',
  );
  const mounted = metrics.plainCounter(
    'kubelet_image_volume_mounted_succeed_total',
    'Mounts of images as volumes that were made.',
  );
  const failed = metrics.plainCounter(
    'kubelet_image_volume_mounted_errors_total',
    'Mounts of images as volumes that the runtime could not make.',
  );
  return {
    async counted(pod, container, make) {
      const mounts = mountsOf(pod, container);
      requested.add(new Set(mounts).size);
      let outcome = mounted;
      try {
        return await make();
      } catch (error) {
        if ((error as Error).message.startsWith(mountFailed)) outcome = failed;
        throw error;
      } finally {
        outcome.add(mounts.length);
      }
    },
  };
}

function mountsOf({ spec }: AssignedPod, { volumeMounts }: Container): string[] {
  const images = new Set((spec.volumes ?? []).filter(({ image }) => image).map(({ name }) => name));
  return (volumeMounts ?? []).map(({ name }) => name).filter((name) => images.has(name));
}
