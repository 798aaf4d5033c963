import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import type { RegistryImage } from './registry.ts';

/** An image of a test, from layers that may be shared. */
export interface ImageParts {
  /** `path:tag`, without the host. */
  name: string;
  /** Uncompressed layers, the lowest first. */
  layers: readonly Buffer[];
  user?: string | undefined;
  entrypoint?: readonly string[] | undefined;
  cmd?: readonly string[] | undefined;
  /** Folders that it declares as volumes. */
  volumes?: readonly string[] | undefined;
  /** `NAME=value`. */
  env?: readonly string[] | undefined;
  workingDir?: string | undefined;
  /** `SIGUSR1`, as Docker has it. */
  stopSignal?: string | undefined;
}

/** A file or, without content, a folder of a layer. */
export interface LayerEntry {
  name: string;
  mode: number;
  content?: Buffer | string;
  /** Default root. */
  uid?: number;
  gid?: number;
}

const sha256 = (bytes: Uint8Array | string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** A layer of a few files. */
export async function layerOf(entries: readonly LayerEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content, ...header } of entries)
    if (content === undefined) tar.entry({ ...header, type: 'directory' });
    else tar.entry(header, content as string);
  tar.finalize();
  return buffer(tar);
}

/** The image as a registry offers it. */
export function makeImage(parts: ImageParts): RegistryImage {
  const { name, layers, user, entrypoint, cmd, volumes, env, workingDir, stopSignal } = parts;
  const config = JSON.stringify({
    architecture,
    os: 'linux',
    config: {
      User: user,
      Entrypoint: entrypoint,
      Cmd: cmd,
      Volumes: volumes && Object.fromEntries(volumes.map((path) => [path, {}])),
      Env: env,
      WorkingDir: workingDir,
      StopSignal: stopSignal,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(sha256) },
  });
  const descriptor = (mediaType: string, bytes: Uint8Array) => ({
    mediaType,
    digest: sha256(bytes),
    size: bytes.length,
  });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: descriptor('application/vnd.oci.image.config.v1+json', Buffer.from(config)),
    layers: layers.map((layer) => descriptor('application/vnd.oci.image.layer.v1.tar', layer)),
  });
  return { name, manifest: Buffer.from(manifest), blobs: [Buffer.from(config), ...layers] };
}
