import { normalize } from 'node:path';
import type { AssignedPod } from '../../../pod/assigned-pod.ts';
import { containersOf } from '../../../pod/containers.ts';

/**
 * Where containers of the pod mount something else below that volume, by paths inside it, the outermost alone. Of a volume
 * that may not be written to nobody else can make these folders (upstream: MakeNestedMountpoints).
 */
export function nestedMounts(pod: AssignedPod, volume: string): readonly string[] {
  const nested = containersOf(pod).flatMap(({ container: { volumeMounts = [] } }) => {
    const places = volumeMounts.map(({ name, mountPath }) => ({ name, path: folderPath(mountPath) }));
    const own = places.filter(({ name }) => name === volume);
    return own.flatMap(({ path: above }) => outermost(places.map(({ path }) => below(path, above))));
  });
  return [...new Set(nested)];
}

/** With a slash at either end, and without what says nothing. */
const folderPath = (mountPath: string) => normalize(`/${mountPath}/`);

const below = (path: string, above: string) => (path.startsWith(above) ? path.slice(above.length) : '');

function outermost(paths: readonly string[]): string[] {
  const inside = paths.filter((path) => path !== '');
  return inside
    .filter((path) => !inside.some((other) => other !== path && path.startsWith(other)))
    .map((path) => path.slice(0, -1));
}
