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

/** What {@link testImage} runs when nobody says otherwise. */
const shell = ['--cmd', '["sh"]'];

const busyboxPaths = ['/bin/busybox', '/usr/bin/busybox'];

/** Builds {@link testImage}, or one of another name and user, in the image store of the node in `dataDir`. */
export function buildTestImage(dataDir: string, name = testImage, user?: string): Promise<void> {
  const owner = user === undefined ? [] : ['--user', user];
  return buildImage(dataDir, name, fillTree, [...shell, ...owner]);
}

/** Builds an image of what `fill` puts into an empty folder, in the image store of the node in `dataDir`; `flags` are those of `wherry image build`. */
export async function buildImage(
  dataDir: string,
  name: string,
  fill: (tree: string) => void,
  flags: readonly string[] = shell,
): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'wherry-image-'));
  try {
    fill(tree);
    const words = ['image', 'build', name, '--from', tree, ...flags, '--data-dir', dataDir];
    const { code, stderr } = await wherry(words);
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
