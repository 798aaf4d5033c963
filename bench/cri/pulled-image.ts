import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const layerCount = 4;
const filesPerLayer = 32;

/** A blob in a file. */
interface Blob {
  digest: string;
  path: string;
  size: number;
}

function sha256(...command: [string, ...string[]]): string {
  const [program, ...words] = command;
  return `sha256:${execFileSync(program, words, { encoding: 'utf8' }).slice(0, 64)}`;
}

/** A layer of text files: its diff id, and its packed blob. */
function makeLayer(folder: string, mebibytes: number, at: number): { diffId: string; blob: Blob } {
  const tree = join(folder, `layer${at}`);
  execFileSync('mkdir', [tree]);
  const bytes = (mebibytes * 1024 * 1024) / layerCount / filesPerLayer;
  for (let file = 0; file < filesPerLayer; file++)
    writeFileSync(join(tree, `file${at}-${file}`), randomBytes(bytes / 2).toString('hex'));
  const tar = `${tree}.tar`;
  execFileSync('tar', ['-C', tree, '-cf', tar, '.']);
  const diffId = sha256('sha256sum', tar);
  execFileSync('gzip', ['-1', tar]);
  const path = `${tar}.gz`;
  rmSync(tree, { recursive: true });
  return { diffId, blob: { digest: sha256('sha256sum', path), path, size: statSync(path).size } };
}

/** An image that a registry on loopback serves. */
export interface ServedImage {
  /** `127.0.0.1:PORT/bench/image:1`. */
  name: string;
  close(): void;
}

/** Serves an image of four layers of text, packed by gzip to about half. */
export async function serveImage(mebibytes: number): Promise<ServedImage> {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-pull-'));
  const layers = Array.from({ length: layerCount }, (_, at) => makeLayer(folder, mebibytes, at));
  const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const rootfs = { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) };
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const config = Buffer.from(JSON.stringify({ architecture, os: 'linux', config: { Cmd: ['/x'] }, rootfs }));
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: type,
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        digest: digestOf(config),
        size: config.length,
      },
      layers: layers.map(({ blob: { digest, size } }) => ({
        mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
        digest,
        size,
      })),
    }),
  );
  const server = createServer((request, response) => {
    const reference = (request.url ?? '').split('?')[0]?.split('/').at(-1) ?? '';
    const layer = layers.find(({ blob }) => blob.digest === reference)?.blob;
    const isManifest = reference === '1' || reference === digestOf(manifest);
    const bytes = isManifest ? manifest : reference === digestOf(config) ? config : undefined;
    if (!layer && !bytes) return response.writeHead(request.url === '/v2/' ? 200 : 404).end();
    response.writeHead(200, {
      'content-type': isManifest ? type : 'application/octet-stream',
      'content-length': layer?.size ?? bytes?.length ?? 0,
      ...(isManifest && { 'docker-content-digest': digestOf(manifest) }),
    });
    if (request.method === 'HEAD') return response.end();
    return layer
      ? createReadStream(layer.path, { highWaterMark: 2 ** 20 }).pipe(response)
      : response.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    name: `127.0.0.1:${(server.address() as AddressInfo).port}/bench/image:1`,
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
