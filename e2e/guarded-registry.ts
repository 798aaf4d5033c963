import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillTree } from './image.ts';

/** A registry on this machine's loopback that has one image. */
export interface GuardedRegistry extends AsyncDisposable {
  /** `127.0.0.1:port`. */
  address: string;
  /** Authorization headers that were sent, in order; '' for none. */
  seen: string[];
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** Serves the test image as `<address>/team/app` to who says `user:password`. */
export function guardedRegistry(user: string, password: string): Promise<GuardedRegistry> {
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return serveTestImage('team/app', (authorization) => authorization === basic);
}

/** Serves the test image under every name that Docker Hub has for its own (`<address>/library/NAME`), to anyone. */
export const hubRegistry = () => serveTestImage('library/[^/]+', () => true);

async function serveTestImage(
  names: string,
  isLetIn: (authorization: string) => boolean,
): Promise<GuardedRegistry> {
  const blobs = new Map<string, Buffer>();
  const add = (bytes: Buffer, mediaType: string) => {
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    blobs.set(digest, bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const layer = add(layerOfTestImage(), 'application/vnd.oci.image.layer.v1.tar');
  const rootfs = { type: 'layers', diff_ids: [layer.digest] };
  const image = { architecture: process.arch === 'arm64' ? 'arm64' : 'amd64', os: 'linux', rootfs };
  const config = add(
    Buffer.from(JSON.stringify({ ...image, config: { Cmd: ['sleep', '100000'] } })),
    'application/vnd.oci.image.config.v1+json',
  );
  const manifest = { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] };
  const { digest } = add(Buffer.from(JSON.stringify(manifest)), manifestType);
  const served = new RegExp(`^/v2/${names}/(manifests|blobs)/([^?]+)`);
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const authorization = request.headers.authorization ?? '';
    seen.push(authorization);
    if (!isLetIn(authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return;
    }
    const [, kind, reference = ''] = served.exec(request.url ?? '') ?? [];
    const bytes = blobs.get(kind === 'manifests' && !reference.includes(':') ? digest : reference);
    if (!bytes) {
      response.writeHead(404).end();
      return;
    }
    const type = kind === 'manifests' ? manifestType : 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function layerOfTestImage(): Buffer {
  const tree = mkdtempSync(join(tmpdir(), 'wherry-registry-'));
  try {
    fillTree(tree);
    const { stdout, status } = spawnSync('tar', ['-C', tree, '-cf', '-', '.'], {
      maxBuffer: 64 * 1024 * 1024,
    });
    if (status !== 0) throw new Error('tar could not pack the test image');
    return stdout;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
