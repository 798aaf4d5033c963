import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { unmount } from '@wherry/linux';
import { container, noDrivers, noNfs, pod } from '../../../../test/builders.ts';
import { NodePaths } from '../../../ground/node-paths.ts';
import { configMap } from '../plugins/config-map.ts';
import { secret } from '../plugins/secret.ts';
import { VolumeManager } from '../volume-manager.ts';

/** Mounts a secret `s` and a config map `m` into a pod with these limits, and says where they are until the test ends. */
async function mounted(context: TestContext, limits: Record<string, string> = {}, memoryBytes = 0) {
  const rootDir = mkdtempSync(join(tmpdir(), 'kubelet-payload-'));
  const paths = new NodePaths({ rootDir, podLogsDir: '' });
  const folders = { secret: paths.volumeDir('uid-1', 'secret', 's'), map: '' };
  folders.map = paths.volumeDir('uid-1', 'configmap', 'm');
  context.after(() => {
    unmount(folders.secret, { detach: true });
    rmSync(rootDir, { recursive: true, force: true });
  });
  const data = { k: Buffer.from('v').toString('base64') };
  const host = {
    memoryBytes: () => memoryBytes,
    notedMemory: () => {},
    clock: new FakeClock(),
    warn: () => {},
  };
  const manager = new VolumeManager({
    plugins: [secret, configMap],
    ...{ paths, clock: new FakeClock(), recorder: { record: () => {} } },
    host: { ...host, csi: noDrivers, nfs: noNfs },
    sources: () =>
      ({ secret: async () => ({ data }), configMap: async () => ({ data: { k: 'v' } }) }) as never,
  });
  const volumeMounts = ['s', 'm'].map((name) => ({ name, mountPath: `/${name}` }));
  const of = pod({
    containers: [container('a', { volumeMounts, resources: { limits } })],
    volumes: [
      { name: 's', secret: { secretName: 's' } },
      { name: 'm', configMap: { name: 'm' } },
    ],
  });
  await manager.mount(of, new AbortController().signal);
  return folders;
}

test("the folder of files that lie in memory has a tmpfs' own bit, as upstream's, that of others not", async (context) => {
  const folders = await mounted(context);
  const modes = [folders.secret, folders.map].map((path) => (statSync(path).mode & 0o7777).toString(8));
  assert.deepEqual(modes, ['1777', '777']);
});

for (const [whose, limits, bytes] of [
  ["the pod's limit", { memory: '8Mi' }, 8 << 20],
  ["the node's, where the pod has none", {}, 16 << 20],
] as const)
  test(`files that lie in memory have no more room than ${whose}`, async (context) => {
    const { secret } = await mounted(context, limits, 16 << 20);
    const { blocks, bsize } = statfsSync(secret);
    assert.equal(blocks * bsize, bytes);
  });
