import { normalize } from 'node:path';
import type { AssignedPod } from '../../../pod/assigned-pod.ts';
import { containersOf } from '../../../pod/containers.ts';

/**
 * Where containers of the pod mount something else below that volume, by paths inside it, the outermost alone. Of a volume
 * that may not be written to nobody else can make these folders (upstream: MakeNestedMountpoints).
 */
export function nestedMounts(pod: AssignedPod, volume: string): readonly string[] {
  const nested = containersOf(pod).flatMap(({ container: { volumeMounts = [] } }) => {
    const mounts = volumeMounts.map(({ name, mountPath }) => ({ name, path: folderPath(mountPath) }));
    const own = new Set(mounts.filter(({ name }) => name === volume).map(({ path }) => path));
    return below(own, [...new Set(mounts.map(({ path }) => path))].sort());
  });
  return [...new Set(nested)];
}

/** With a slash at either end, and without what says nothing. */
const folderPath = (mountPath: string) => normalize(`/${mountPath}/`);

/** Paths that stand in one of their own and in none in between: sorted, each follows those that it is inside. */
function below(own: ReadonlySet<string>, sorted: readonly string[]): string[] {
  const around: string[] = [];
  return sorted.flatMap((path) => {
    while (around.length > 0 && !path.startsWith(around.at(-1)!)) around.pop();
    const above = around.at(-1);
    around.push(path);
    return above !== undefined && own.has(above) ? [path.slice(above.length, -1)] : [];
  });
}
