import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

const busyboxPath = '/bin/busybox';

/** What an image made on the spot is called and starts. */
export interface ImageOptions {
  /** The full name, `registry/repository:tag`. */
  name: string;
  entrypoint?: string[];
  command?: string[];
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function busyboxLayer(): Promise<Buffer> {
  const layer = pack();
  for (const name of ['bin', 'etc', 'tmp', 'root']) layer.entry({ name, type: 'directory', mode: 0o755 });
  layer.entry({ name: 'bin/busybox', mode: 0o755 }, await readFile(busyboxPath));
  for (const applet of execFileSync(busyboxPath, ['--list'], { encoding: 'utf8' }).split('\n')) {
    if (applet && applet !== 'busybox')
      layer.entry({ name: `bin/${applet}`, type: 'symlink', linkname: 'busybox' });
  }
  layer.entry({ name: 'etc/passwd' }, 'root:x:0:0:root:/root:/bin/sh\n');
  layer.entry({ name: 'etc/group' }, 'root:x:0:\n');
  layer.finalize();
  return buffer(layer);
}

/** A docker-archive tar with one busybox layer (needs Debian's busybox-static), as `docker save` would write it. */
export async function busyboxImage(options: ImageOptions): Promise<Buffer> {
  const layer = await busyboxLayer();
  const config = JSON.stringify({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    config: {
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      Entrypoint: options.entrypoint,
      Cmd: options.command ?? (options.entrypoint ? [] : ['sh']),
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
    history: [{ created_by: 'busybox-static' }],
  });
  const configName = `${sha256(Buffer.from(config))}.json`;
  const archive = pack();
  archive.entry({ name: configName }, config);
  archive.entry({ name: 'layer.tar' }, layer);
  archive.entry(
    { name: 'manifest.json' },
    JSON.stringify([{ Config: configName, RepoTags: [options.name], Layers: ['layer.tar'] }]),
  );
  archive.finalize();
  return buffer(archive);
}
