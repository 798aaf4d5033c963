import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { mount, unmount } from '@wherry/linux';
import { needRoot } from '../../linux/test/needs.ts';
import { HostPaths } from '../src/volumes/host-paths.ts';
import { startTestNode } from './node.ts';

/**
 * A file system whose server never answers: FUSE without a daemon. Whoever looks anything up there waits, as below a
 * mount of an NFS server that is gone, until the test ends it. Where the test is killed, a process beside it takes the mount away.
 */
function hangingMount(): { target: string; detach(): void; end(): Promise<void> } {
  needRoot();
  const folder = mkdtempSync(join(tmpdir(), 'wherry-hung-'));
  const target = join(folder, 'mount');
  mkdirSync(target);
  const connection = openSync('/dev/fuse', 'r+');
  mount({
    source: 'hung',
    target,
    type: 'fuse',
    data: `fd=${connection},rootmode=40000,user_id=0,group_id=0`,
  });
  const afterwards = 'cat; umount --lazy --quiet "$1/mount"; rm --dir "$1/mount" "$1"';
  const remover = spawn('sh', ['-c', afterwards, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // What ends the test by its group leaves this one.
    detached: true,
  });
  return {
    target,
    detach: () => unmount(target, { detach: true }),
    async end() {
      // Everyone who waits gets ENOTCONN now.
      closeSync(connection);
      const removed = once(remover, 'exit');
      remover.stdin.end();
      await removed;
      assert.ok(!existsSync(folder));
    },
  };
}

suite('mounts of the machine that hang', () => {
  test('a look-up that hangs is told after a while, is not started twice, and holds no other one up', async () => {
    const hung = hangingMount();
    const timers = new Set<() => void>();
    const after = (_: number, callback: () => void) => {
      timers.add(callback);
      return { cancel: () => void timers.delete(callback) };
    };
    const paths = new HostPaths({ clock: { ...systemClock, after }, patienceMs: 300 });
    const folder = mkdtempSync(join(tmpdir(), 'wherry-paths-'));
    try {
      const told = ['a', 'b', 'a'].map((name) =>
        assert.rejects(paths.resolve(join(hung.target, name)), {
          code: 'UNAVAILABLE',
          message: /has not looked it up within 300 ms/,
        }),
      );
      symlinkSync('made', join(folder, 'link'));
      const made = await paths.resolve(join(folder, 'made/below'));
      assert.equal(made, realpathSync(join(folder, 'made/below')));
      assert.equal(await paths.resolve(join(folder, 'link/below')), made);
      for (const run of [...timers]) run();
      await Promise.all(told);
      assert.equal(paths.busy, 1, 'one thread waits, for the mount');
      const later = assert.rejects(paths.resolve(join(hung.target, 'a')), { code: 'UNAVAILABLE' });
      for (const run of [...timers]) run();
      await later;
      assert.equal(paths.busy, 1);
    } finally {
      await hung.end();
      while (paths.busy > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await paths.close();
      rmSync(folder, { recursive: true });
    }
  });

  test('a look-up that was given up before its turn makes no folder where the mount was', async () => {
    const hung = hangingMount();
    const timers = new Set<() => void>();
    const after = (_: number, callback: () => void) => {
      timers.add(callback);
      return { cancel: () => void timers.delete(callback) };
    };
    const paths = new HostPaths({ clock: { ...systemClock, after }, patienceMs: 300 });
    try {
      const told = ['first', 'second'].map((name) =>
        assert.rejects(paths.resolve(join(hung.target, name)), { code: 'UNAVAILABLE' }),
      );
      for (const run of [...timers]) run();
      await Promise.all(told);
      hung.detach();
    } finally {
      // The first one fails now, and it is the turn of the second one.
      await hung.end();
      while (paths.busy > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await paths.close();
    }
    assert.ok(!existsSync(hung.target));
  });

  test('a container whose host path hangs fails alone: the runtime serves and starts others', async () => {
    const node = await startTestNode(33);
    const hung = hangingMount();
    try {
      const pod = await node.runPod();
      const mounts = [{ containerPath: '/hung', hostPath: join(hung.target, 'volume') }];
      const stuck = assert.rejects(node.runScript(pod, 'true', { mounts }), /does a file server not answer/);
      let isStuck = true;
      void stuck.finally(() => {
        isStuck = false;
      });
      await node.cri.runtime.version({ version: '' });
      const other = await node.runScript(pod, 'echo alive');
      assert.equal((await node.ended(other)).exitCode, 0);
      assert.ok(isStuck, 'all this while the first one waits');
      await node.cri.runtime.stopPodSandbox({ podSandboxId: pod });
      await stuck;
      const { containers } = await node.cri.runtime.listContainers({});
      assert.deepEqual(
        containers.map(({ id }) => id),
        [other],
      );
      assert.ok(existsSync(join(node.folder, 'runtime/containers', other)));
    } finally {
      await hung.end();
      await node.close();
    }
  });
});
