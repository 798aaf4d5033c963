import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { messageSchema } from '@wherry/kubeapi';
import { FolderDriver } from '../../../../test/csi-driver.ts';
import { MountProgram } from '../../../../test/nfs-server.ts';
import { describeVolumePlugin, type PluginExample } from '../../../../test/volume-plugin-suite.ts';
import { NfsMounts } from '../nfs/nfs-mounts.ts';
import type { VolumeKind } from '../volume-plugin.ts';
import { configMap } from './config-map.ts';
import { csi } from './csi.ts';
import { downwardApi } from './downward-api.ts';
import { emptyDir } from './empty-dir.ts';
import { ephemeral } from './ephemeral.ts';
import { hostPath } from './host-path.ts';
import { image } from './image.ts';
import { volumePlugins } from './index.ts';
import { nfs } from './nfs.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
import { projected } from './projected.ts';
import { secret } from './secret.ts';

const key = { path: 'k', holds: (value: string) => value };
const labels = [{ path: 'labels', fieldRef: { fieldPath: "metadata.labels['k']" } }];
const tried: string[] = [];

function tryOut<Kind extends VolumeKind>(example: PluginExample<Kind>): void {
  tried.push(example.plugin.name);
  describeVolumePlugin(example);
}

tryOut({ plugin: emptyDir, source: () => ({}) });
tryOut({ plugin: emptyDir, source: () => ({ medium: 'Memory' }) });
tryOut({ plugin: hostPath, source: (outside) => ({ path: `${outside}/made`, type: 'DirectoryOrCreate' }) });
tryOut({ plugin: configMap, source: () => ({ name: 'm' }), file: key });
tryOut({ plugin: secret, source: () => ({ secretName: 's' }), file: key });
tryOut({
  plugin: downwardApi,
  source: () => ({ items: labels }),
  file: { path: 'labels', holds: (value) => value },
});
tryOut({
  plugin: projected,
  source: () => ({ sources: [{ configMap: { name: 'm' } }, { downwardAPI: { items: labels } }] }),
  file: key,
});
tryOut({ plugin: image, source: () => ({ reference: 'demo:1' }) });
tryOut({ plugin: persistentVolumeClaim, source: () => ({ claimName: 'c' }) });
tryOut({ plugin: ephemeral, source: () => ({}) });
const driverFolder = mkdtempSync(join(tmpdir(), 'csi-driver-'));
const driver = new FolderDriver('folders.example', driverFolder);
before(() => driver.listen());
after(async () => {
  await driver[Symbol.asyncDispose]();
  rmSync(driverFolder, { recursive: true });
});
tryOut({
  plugin: csi,
  source: () => ({ driver: driver.name, fsType: 'ext4' }),
  csi: (rootDir) => driver.volumesOf(rootDir),
});

const program = new MountProgram();
after(() => program[Symbol.dispose]());
tryOut({
  plugin: nfs,
  source: (outside) => ({ server: 'files.example', path: outside }),
  nfs: () => new NfsMounts({ clock: systemClock, mountProgram: program.path }),
});

test('every type of volumes in the list is tried', () => {
  assert.deepEqual([...new Set(tried)].sort(), volumePlugins.map(({ name }) => name).sort());
});

test('each type has a field of its own, and a folder of its own', () => {
  const fields = [...messageSchema('Volume').jsonFields.keys()];
  for (const { name } of volumePlugins) assert.ok(fields.includes(name), name);
  assert.equal(new Set(volumePlugins.map(({ folder }) => folder)).size, volumePlugins.length);
});
