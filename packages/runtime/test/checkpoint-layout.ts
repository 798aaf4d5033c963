import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const oci = (kind: string) => `application/vnd.oci.image.${kind}`;

/**
 * Makes an OCI layout of an image as checkpointctl makes them, and answers its folder: the archive is its layer, and its manifest
 * says that it is a container's checkpoint.
 */
export function makeCheckpointLayout(folder: string, archive: string, name: string): string {
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (content: Buffer | object, mediaType: string) => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const hex = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  };
  const layer = blob(readFileSync(archive), oci('layer.v1.tar'));
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const rootfs = { type: 'layers', diff_ids: [layer.digest] };
  const config = blob({ architecture, os: 'linux', config: {}, rootfs }, oci('config.v1+json'));
  const mediaType = oci('manifest.v1+json');
  const annotations = { 'org.criu.checkpoint.container.name': 'counter' };
  const manifest = blob({ schemaVersion: 2, mediaType, config, layers: [layer], annotations }, mediaType);
  const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': name } };
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [named] }));
  writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  return folder;
}
