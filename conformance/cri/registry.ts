import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An image that a registry offers. */
export interface RegistryImage {
  /** `path:tag`. */
  name: string;
  manifest: Buffer;
  blobs: Buffer[];
}

/** A running registry. */
export interface Registry {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  close(): void;
}

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A read-only registry on loopback, as far as the OCI distribution specification asks of one for pulls. */
export async function startRegistry(images: readonly RegistryImage[]): Promise<Registry> {
  const manifests = new Map<string, Buffer>();
  const blobs = new Map<string, Buffer>();
  for (const { name, manifest, blobs: contents } of images) {
    const [path = '', tag = ''] = name.split(':');
    manifests.set(`/v2/${path}/manifests/${tag}`, manifest);
    manifests.set(`/v2/${path}/manifests/${digestOf(manifest)}`, manifest);
    for (const content of contents) blobs.set(`/v2/${path}/blobs/${digestOf(content)}`, content);
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const manifest = manifests.get(path);
    const content = manifest ?? blobs.get(path);
    if (!content) {
      response.writeHead(path === '/v2/' ? 200 : 404).end();
      return;
    }
    const type = manifest ? 'application/vnd.oci.image.manifest.v1+json' : 'application/octet-stream';
    response.writeHead(200, {
      'content-type': type,
      'content-length': content.length,
      'docker-content-digest': digestOf(content),
    });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
