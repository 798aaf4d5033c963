import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { readMountInfo, unmount } from '@wherry/linux';
import { container, noDrivers, noNfs, pod } from '../../../../test/builders.ts';
import { NodePaths } from '../../../ground/node-paths.ts';
import { VolumeManager } from '../volume-manager.ts';
import { emptyDir } from './empty-dir.ts';

let rootDir = '';
beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'kubelet-volumes-'));
});
afterEach(() => {
  unmount(folderOf('v'), { detach: true });
  rmSync(rootDir, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const folderOf = (name: string) =>
  new NodePaths({ rootDir, podLogsDir: '' }).volumeDir('uid-1', 'empty-dir', name);

/** A kubelet's volumes as they are after its start. */
function manager(nodeMemoryBytes = 0): VolumeManager {
  return new VolumeManager({
    plugins: [emptyDir],
    paths: new NodePaths({ rootDir, podLogsDir: '' }),
    clock: new FakeClock(),
    recorder: { record: () => {} },
    host: {
      memoryBytes: () => nodeMemoryBytes,
      notedMemory: () => {},
      clock: new FakeClock(),
      warn: () => {},
      csi: noDrivers,
      nfs: noNfs,
    },
    sources: () => ({ signal }) as never,
  });
}

function podWith(source: object, spec: object = {}, limits?: Record<string, string>) {
  const volumeMounts = [{ name: 'v', mountPath: '/v' }];
  const resources = limits ? { limits } : {};
  return pod({
    containers: [container('a', { volumeMounts, resources })],
    volumes: [{ name: 'v', emptyDir: source }],
    ...spec,
  });
}

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

test('a mode and an owner that a container gave to its emptyDir stay, also over a restart of the kubelet', async () => {
  const of = podWith({});
  const kubelet = manager();
  await kubelet.mount(of, signal);
  assert.equal(modeOf(folderOf('v')), '777');
  chmodSync(folderOf('v'), 0o700);
  chownSync(folderOf('v'), 999, 999);
  await kubelet.mount(of, signal);
  await manager().mount(of, signal);
  assert.equal(modeOf(folderOf('v')), '700');
  assert.equal(statSync(folderOf('v')).uid, 999);
});

test('an fsGroup owns an emptyDir from its beginning, once', async () => {
  const of = podWith({}, { securityContext: { fsGroup: 4242 } });
  await manager().mount(of, signal);
  assert.deepEqual([modeOf(folderOf('v')), statSync(folderOf('v')).gid], ['2777', 4242]);
  chmodSync(folderOf('v'), 0o2750);
  chownSync(folderOf('v'), 0, 7);
  await manager().mount(of, signal);
  assert.deepEqual([modeOf(folderOf('v')), statSync(folderOf('v')).gid], ['2750', 7]);
});

test('an emptyDir that somebody removed is made anew', async () => {
  const of = podWith({});
  await manager().mount(of, signal);
  rmSync(folderOf('v'), { recursive: true });
  await manager().mount(of, signal);
  assert.equal(modeOf(folderOf('v')), '777');
});

test('an emptyDir in memory keeps its mode, and is made anew after a restart of the machine', async () => {
  const of = podWith({ medium: 'Memory' });
  await manager().mount(of, signal);
  chmodSync(folderOf('v'), 0o700);
  writeFileSync(join(folderOf('v'), 'file'), 'x');
  await manager().mount(of, signal);
  assert.equal(modeOf(folderOf('v')), '700');
  unmount(folderOf('v'), { detach: true });
  await manager().mount(of, signal);
  assert.equal(modeOf(folderOf('v')), '1777');
});

const sizes: [what: string, source: object, limits: Record<string, string> | undefined, bytes: number][] = [
  ['its own limit', { sizeLimit: '1Mi' }, { memory: '8Mi' }, 1 << 20],
  ["the pod's", { sizeLimit: '16Mi' }, { memory: '8Mi' }, 8 << 20],
  ["the node's", {}, undefined, 4 << 20],
];
for (const [what, source, limits, bytes] of sizes) {
  test(`an emptyDir in memory is as large as the least limit says: ${what}`, async () => {
    const of = podWith({ medium: 'Memory', ...source }, {}, limits);
    await manager(limits ? 0 : 4 << 20).mount(of, signal);
    const { statfsSync } = await import('node:fs');
    const { blocks, bsize } = statfsSync(folderOf('v'));
    assert.equal(blocks * bsize, bytes);
  });
}

test('an emptyDir of huge pages has pages of the size that it names, or that its pod asks for', async () => {
  const of = (medium: string, ...sizes: string[]) =>
    podWith({ medium }, {}, Object.fromEntries(sizes.map((size) => [`hugepages-${size}`, size])));
  const pageSize = () =>
    readMountInfo()
      .find(({ mountPoint }) => mountPoint === folderOf('v'))
      ?.superOptions.join();
  for (const medium of ['HugePages', 'HugePages-2Mi']) {
    await manager().mount(of(medium, '2Mi'), signal);
    assert.match(pageSize() ?? '', /pagesize=2M/);
    await manager().mount(of(medium, '2Mi'), signal);
    await manager().remove('uid-1');
    assert.equal(pageSize(), undefined);
  }
  await assert.rejects(
    manager().mount(of('HugePages', '2Mi', '1Gi'), signal),
    /several sizes; name one: "HugePages-2Mi"/,
  );
  await assert.rejects(
    manager().mount(of('HugePages-1Gi', '2Mi'), signal),
    /no container of the pod asks for such pages/,
  );
});
