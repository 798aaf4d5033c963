import { join, posix } from 'node:path';
import type { Mount } from '@wherry/cri';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { bind } from '../spec/mounts.ts';
import type { OciMount } from '../spec/oci-spec.ts';

/** A folder that an image declares as a volume, and where its content lies for one container. */
export interface DeclaredVolume {
  /** Absolute and normal. */
  path: string;
  source: string;
}

const folderName = 'volumes';

/**
 * The volumes of an image that a container gets: a folder of its own each, which is writable under a read-only root too
 * and goes with the container, as containerd has it. Where the request mounts something itself, that counts. Throws
 * `RuntimeError` INVALID_ARGUMENT for more than a container can have, or for the root as a volume.
 */
export function declaredVolumes(
  containerFolder: string,
  declared: readonly string[],
  mounts: readonly Mount[],
): DeclaredVolume[] {
  const normal = (path: string) => posix.join('/', path).replace(/(?<=.)\/$/, '');
  const taken = new Set(mounts.map(({ containerPath }) => normal(containerPath)));
  const paths = [...new Set(declared.map(normal))].filter((path) => !taken.has(path)).sort();
  if (paths.includes('/'))
    throw new RuntimeError('INVALID_ARGUMENT', 'the image declares its root as a volume');
  if (paths.length > limits.declaredVolumesMax)
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `the image declares ${paths.length} volumes, too many to mount`,
    );
  return paths.map((path, at) => ({ path, source: join(containerFolder, folderName, `${at}`) }));
}

/** Their mounts. */
export const volumeMounts = (volumes: readonly DeclaredVolume[]): OciMount[] =>
  volumes.map(({ path, source }) => bind(source, path, 'rw'));
