/** Images made by hand, and the two ways in which they come to a store: pulled from a registry, loaded from an archive. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { loadArchive } from '../src/archive/archive-load.ts';
import { RegistryConfig } from '../src/hosts/registry-config.ts';
import { Puller } from '../src/registry/puller.ts';
import type { StoredImage } from '../src/store/image-record.ts';
import type { ImageStore } from '../src/store/image-store.ts';
import { Transports } from '../src/transport/transports.ts';
import { rawTar } from './raw-tar.ts';

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** An image as bytes: its manifest's media type, its manifest, and every blob. */
export interface ImageBytes {
  type: string;
  manifest: Buffer;
  blobs: Buffer[];
}

/** One layer: as its diff id sees it, and as it is stored when that differs. */
export interface LayerBytes {
  plain: Buffer;
  packed?: Buffer;
}

/** What to write instead of the honest documents. */
export interface Dishonesty {
  /** Replaces diff ids. */
  diffIds?: string[];
  /** Laid over the manifest. */
  manifest?: object;
  /** Laid over the configuration's `config`. */
  config?: object;
}

/** An image of these layers. */
export function imageOf(layers: readonly LayerBytes[], change: Dishonesty = {}): ImageBytes {
  const config = json({
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Cmd: ['/bin/true'], ...change.config },
    rootfs: { type: 'layers', diff_ids: change.diffIds ?? layers.map(({ plain }) => digestOf(plain)) },
  });
  const blobs = layers.map(({ plain, packed }) => packed ?? plain);
  const descriptor = (blob: Buffer, mediaType: string) => ({
    mediaType,
    digest: digestOf(blob),
    size: blob.length,
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: descriptor(config, 'application/vnd.oci.image.config.v1+json'),
    layers: blobs.map((blob) => descriptor(blob, 'application/vnd.oci.image.layer.v1.tar')),
    ...change.manifest,
  });
  return { type: manifestType, manifest, blobs: [config, ...blobs] };
}

/** An image as an archive in the OCI layout, under this name. */
export function archiveOf(image: ImageBytes, name: string): Buffer {
  const { type: mediaType, manifest, blobs } = image;
  const index = {
    schemaVersion: 2,
    manifests: [
      {
        mediaType,
        digest: digestOf(manifest),
        size: manifest.length,
        annotations: { 'io.containerd.image.name': name },
      },
    ],
  };
  return rawTar([
    ...[manifest, ...blobs].map((blob) => ({
      path: `blobs/sha256/${digestOf(blob).slice(7)}`,
      content: blob,
    })),
    { path: 'oci-layout', content: '{"imageLayoutVersion":"1.0.0"}' },
    { path: 'index.json', content: json(index) },
  ]);
}

/** Brings an image into a store under the name `NAME:v1` that it answers with. */
export type Delivery = (store: ImageStore, image: ImageBytes) => Promise<StoredImage>;

/** The two ways, by name. */
export const deliveries: Record<string, Delivery> = {
  'loaded from an archive': async (store, image) => {
    const [loaded] = await loadArchive(store, Readable.from([archiveOf(image, 'hostile.test/image:v1')]));
    return loaded as StoredImage;
  },
  'pulled from a registry': async (store, image) => {
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      if (path.includes('/manifests/')) {
        response.writeHead(200, { 'content-type': image.type }).end(image.manifest);
        return;
      }
      const blob = image.blobs.find((one) => path.endsWith(digestOf(one)));
      if (blob) response.end(blob);
      else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const puller = new Puller({
        images: store,
        hosts: new RegistryConfig(),
        transports: new Transports({ clock: systemClock }),
        clock: systemClock,
        logger: silentLogger,
      });
      return await puller.pull(`127.0.0.1:${port}/image:v1`, { signal: new AbortController().signal });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
};
