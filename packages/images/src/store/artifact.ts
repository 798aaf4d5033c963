import { ImageError } from '../errors.ts';
import { type Digest, digestOf } from '../layers/digest.ts';
import { insideParts, shown } from '../layers/entry-path.ts';
import type { ImageConfig } from './image-config.ts';
import type { Descriptor, Manifest } from './manifest.ts';

const titleAnnotation = 'org.opencontainers.image.title';
/** Names that begin so hide files of lower layers. */
const whiteout = '.wh.';

/** One blob of an OCI artifact, as the file that it becomes. */
export interface ArtifactFile {
  /** Path below the artifact's root. */
  path: string;
  /** What the layer that holds nothing but this file is found by. */
  diffId: Digest;
}

/**
 * The files of an OCI artifact: each blob as it is, under its title, or under `sha256-<digest>` where it has none. Throws
 * `ImageError` INVALID_ARGUMENT for a title that leads out, or two files of one name.
 */
export function artifactFiles({ layers }: Pick<Manifest, 'layers'>): ArtifactFile[] {
  const seen = new Set<string>();
  return layers.map((layer) => {
    const path = pathOf(layer);
    if (seen.has(path))
      throw new ImageError(
        'INVALID_ARGUMENT',
        `this OCI artifact has two files ${shown(path)}; it is refused`,
      );
    seen.add(path);
    return { path, diffId: digestOf(`file ${path}\n${layer.digest}`) };
  });
}

function pathOf({ digest, annotations }: Descriptor): string {
  const title = annotations?.[titleAnnotation] || digest.replace(':', '-');
  const parts = insideParts(title);
  if (title.startsWith('/') || title.split('/').includes('..') || parts.length === 0)
    throw new ImageError(
      'INVALID_ARGUMENT',
      `this OCI artifact has a file ${shown(title)}, which is no name below a folder`,
    );
  if (parts.some((part) => part.startsWith(whiteout)))
    throw new ImageError(
      'UNIMPLEMENTED',
      `this OCI artifact has a file ${shown(title)}: such names mark removed files in layers`,
    );
  return parts.join('/');
}

/** What an artifact says of being run: nothing but what it consists of. */
export function artifactConfig(manifest: Pick<Manifest, 'layers'>): ImageConfig {
  return {
    architecture: '',
    os: '',
    created: '',
    user: '',
    env: [],
    entrypoint: [],
    cmd: [],
    workingDir: '',
    volumes: [],
    labels: {},
    stopSignal: '',
    exposedPorts: [],
    diffIds: artifactFiles(manifest).map(({ diffId }) => diffId),
  };
}
