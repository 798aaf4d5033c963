import { rm } from 'node:fs/promises';
import { encodeImageConfig } from '../store/image-config.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageInstall, ImageStore } from '../store/image-store.ts';
import { hostArchitecture } from '../store/platform.ts';
import { addName, makeManifest } from './archive-load.ts';
import { decompressed } from './archive-spool.ts';

/** How a built image runs. */
export interface BuildOptions {
  /** The image's name, for example `demo` or `demo:1`. */
  name: string;
  entrypoint?: string[] | undefined;
  cmd?: string[] | undefined;
  /** `NAME=value`; PATH is added when missing. */
  env?: string[] | undefined;
  /** As in a Dockerfile: `name`, `uid`, `name:group`, `uid:gid`. Default root. */
  user?: string | undefined;
  workingDir?: string | undefined;
  stopSignal?: string | undefined;
  pinned?: boolean | undefined;
}

const defaultPath = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Makes a one-layer image from a tar of its root file system (plain, gzip or zstd). */
export async function buildImage(
  store: ImageStore,
  tar: AsyncIterable<Uint8Array>,
  options: BuildOptions,
): Promise<StoredImage> {
  const { path, length, digest } = await store.blobs.spool(decompressed(tar, store.bounds));
  try {
    const env = options.env ?? [];
    const configBytes = encodeImageConfig({
      architecture: hostArchitecture,
      user: options.user ?? '',
      env: env.some((entry) => entry.startsWith('PATH=')) ? env : [defaultPath, ...env],
      entrypoint: options.entrypoint ?? [],
      cmd: options.cmd ?? [],
      workingDir: options.workingDir ?? '',
      stopSignal: options.stopSignal ?? '',
      diffIds: [digest],
    });
    const install: ImageInstall = {
      ...makeManifest(configBytes, [{ digest, size: length }]),
      configBytes,
      layer: () => ({
        fetch: async () => ({ path, offset: 0, length }),
        async release(_, whole) {
          if (whole !== undefined) await store.adoptPacked(path, whole);
        },
      }),
      tags: [],
      digests: [],
      pinned: options.pinned,
    };
    addName(install, options.name);
    return await store.install(install);
  } finally {
    await rm(path, { force: true });
  }
}
