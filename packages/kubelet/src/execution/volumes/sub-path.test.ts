/** With real mounts, in folders of the test's own. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { bindMount, mount, mountFlags, unmount } from '@wherry/linux';
import { swapping } from '../../../../linux/test/swapping.ts';
import { writeAtomically } from './payload-files/atomic-writer.ts';
import { bindSubPath, checkSubPath } from './sub-path.ts';
import { unmountPod } from './unmount-pod.ts';

let folder = '';
let volume = '';
let pod = '';
let target = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubelet-sub-path-'));
  volume = join(folder, 'volume');
  pod = join(folder, 'pod');
  target = join(pod, 'volume-subpaths/v/c/0');
  mkdirSync(join(volume, 'inside'), { recursive: true });
  mkdirSync(join(folder, 'host'));
  writeFileSync(join(volume, 'inside/file'), 'inside');
  writeFileSync(join(folder, 'host/file'), 'host');
});
afterEach(async () => {
  await unmountPod(pod);
  unmount(join(folder, 'host/mounted'), { detach: true });
  unmount(folder, { detach: true });
  rmSync(folder, { recursive: true, force: true });
});

const bind = (subPath: string, isShared = false) =>
  bindSubPath({ volumeDir: volume, subPath, target, isShared });
const text = (path: string) => readFileSync(path, 'utf8');

test('a folder and a file of a volume are pinned alone, again and again', async () => {
  await bind('inside');
  assert.equal(text(join(target, 'file')), 'inside');
  await bind('inside/file');
  assert.equal(text(target), 'inside');
  await bind('inside/');
  assert.deepEqual(readdirSync(target), ['file']);
});

test('a key of a ConfigMap or Secret is pinned as it is at that moment', async () => {
  volume = join(folder, 'config');
  mkdirSync(volume);
  const file = (content: string) => ({ bytes: Buffer.from(content), mode: 0o644 });
  const payload = new Map([
    ['key', file('one')],
    ['sub/key', file('two')],
  ]);
  await writeAtomically(volume, payload, { nowMs: 0 });
  await bind('key');
  assert.equal(text(target), 'one');
  await bind('sub/key');
  assert.equal(text(target), 'two');
  await bind('..data/key');
  assert.equal(text(target), 'one');
});

test('missing folders are made with the mode and the group of the volume', async () => {
  chownSync(volume, 0, 4242);
  chmodSync(volume, 0o2777);
  await bind('new/deeper');
  for (const path of ['new', 'new/deeper']) {
    const { mode, gid } = statSync(join(volume, path));
    assert.deepEqual([(mode & 0o7777).toString(8), gid], ['2777', 4242], path);
  }
});

const refusals: [what: string, link: string, subPath: string][] = [
  ['an absolute link', '/etc', 'link'],
  ['a link that climbs', '../host', 'link'],
  ['a link in the middle', '../host', 'link/file'],
  ['a folder to be made behind a link', '../host', 'link/new/deeper'],
  ['a link that leads nowhere', '../nowhere', 'link'],
  ['a link into /proc', '/proc/self/root', 'link'],
];
for (const [what, link, subPath] of refusals) {
  test(`${what} that leads out of the volume is refused, and nothing is made there`, async () => {
    symlinkSync(link, join(volume, 'link'));
    await assert.rejects(bind(subPath));
    assert.equal(existsSync(target), false);
    assert.deepEqual(readdirSync(join(folder, 'host')), ['file']);
    assert.equal(existsSync(join(folder, 'nowhere')), false);
  });
}

test('links inside the volume are followed, absolute ones too', async () => {
  symlinkSync('inside', join(volume, 'near'));
  await bind('near/file');
  assert.equal(text(target), 'inside');
  symlinkSync(join(volume, 'inside'), join(volume, 'absolute'));
  await bind('absolute/file');
  assert.equal(text(target), 'inside');
});

test('a path says what is wrong with it in the words of upstream', () => {
  assert.throws(() => checkSubPath('/etc'), { message: 'error SubPath `/etc` must not be an absolute path' });
  const message = "unable to provision SubPath `a/../b`: must not contain '..'";
  assert.throws(() => checkSubPath('a/../b'), { message });
  for (const fine of ['', 'a', '..data/key', 'a/..b', './a']) checkSubPath(fine);
});

test('a folder that a container swaps for a link in a loop never shows what is outside', async () => {
  const seen = { inside: 0, refused: 0 };
  await using swaps = await swapping(join(volume, 'inside'), join(folder, 'host'));
  for (let round = 0; round < 800 || (seen.inside === 0 && swaps.isRunning); round++) {
    try {
      await bind(round % 4 === 0 ? 'inside/file' : `inside/made-${round}`);
      if (round % 4 === 0) assert.equal(text(target), 'inside');
      seen.inside += 1;
    } catch (error) {
      if ((error as Error).name === 'AssertionError') throw error;
      seen.refused += 1;
    }
  }
  assert.ok(seen.inside > 0 && seen.refused > 0, JSON.stringify(seen));
  assert.deepEqual(readdirSync(join(folder, 'host')), ['file']);
});

test('what is mounted in a volume of the node stays mounted when the pod goes', async () => {
  // As on most machines, where systemd makes all mounts shared.
  bindMount(folder, folder);
  mount({ target: folder, flags: mountFlags.shared | mountFlags.recursive });
  mkdirSync(join(folder, 'host/mounted'));
  mount({ target: join(folder, 'host/mounted'), source: 'tmpfs', type: 'tmpfs' });
  writeFileSync(join(folder, 'host/mounted/file'), 'kept');
  for (const isShared of [false, true]) {
    await bindSubPath({ volumeDir: folder, subPath: 'host', target, isShared });
    mkdirSync(join(folder, 'host/later'), { recursive: true });
    mount({ target: join(folder, 'host/later'), source: 'tmpfs', type: 'tmpfs' });
    writeFileSync(join(folder, 'host/later/file'), 'kept');
    await unmountPod(pod);
    assert.deepEqual(readdirSync(target), []);
    assert.equal(text(join(folder, 'host/mounted/file')), 'kept');
    assert.equal(text(join(folder, 'host/later/file')), 'kept');
    unmount(join(folder, 'host/later'), { detach: true });
  }
});

test('unmounting a pod follows no link that a container made', async () => {
  const emptyDir = join(pod, 'volumes/kubernetes.io~empty-dir/v');
  const mounted = join(emptyDir, 'a/mounted');
  mkdirSync(mounted, { recursive: true });
  mount({ target: mounted, source: 'tmpfs', type: 'tmpfs' });
  mkdirSync(join(folder, 'host/mounted'));
  mount({ target: join(folder, 'host/mounted'), source: 'tmpfs', type: 'tmpfs' });
  writeFileSync(join(folder, 'host/mounted/file'), 'kept');
  await using swaps = await swapping(dirname(mounted), join(folder, 'host'));
  for (let round = 0; round < 100 && swaps.isRunning; round++) {
    await unmountPod(pod).catch(() => {});
    assert.equal(text(join(folder, 'host/mounted/file')), 'kept');
  }
});
