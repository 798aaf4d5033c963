import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wherry } from './node.ts';

/** The image that the tests' pods run: a static busybox with its applets. */
export const testImage = 'docker.io/library/wherry-test:latest';

const busyboxPaths = ['/bin/busybox', '/usr/bin/busybox'];

/** Builds {@link testImage}, or one of another name and user, in the image store of the node in `dataDir`. */
export async function buildTestImage(dataDir: string, name = testImage, user?: string): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'wherry-image-'));
  try {
    fillTree(tree);
    const words = ['image', 'build', name, '--from', tree, '--cmd', '["sh"]', '--data-dir', dataDir];
    const { code, stderr } = await wherry([...words, ...(user === undefined ? [] : ['--user', user])]);
    if (code !== 0) throw new Error(`wherry image build: ${stderr}`);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Fills an empty folder with the files of {@link testImage}. */
export function fillTree(tree: string): void {
  const busybox = busyboxPaths.find(existsSync);
  if (!busybox) throw new Error('no busybox on this machine; install busybox-static');
  for (const folder of ['bin', 'etc', 'tmp', 'root']) mkdirSync(join(tree, folder));
  copyFileSync(busybox, join(tree, 'bin/busybox'));
  const { stdout } = spawnSync(busybox, ['--list'], { encoding: 'utf8' });
  for (const applet of stdout.split('\n')) {
    if (applet !== '' && applet !== 'busybox') symlinkSync('busybox', join(tree, 'bin', applet));
  }
  writeFileSync(join(tree, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(tree, 'etc/group'), 'root:x:0:\n');
}
