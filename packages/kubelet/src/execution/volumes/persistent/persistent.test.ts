import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PersistentVolumeSpec } from '@wherry/kubeapi';
import { container, pod } from '../../../../test/builders.ts';
import { claimPlugin } from './claim-plugin.ts';
import { giveToGroup } from './group-ownership.ts';
import { persistentSources } from './persistent-sources.ts';

const gid = 4242;
const { signal } = new AbortController();
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'persistent-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const shown = (path: string) => {
  const { gid, mode } = lstatSync(join(root, path));
  return `${gid} ${(mode & 0o7777).toString(8)}`;
};

describe('a volume that is given to a group', () => {
  beforeEach(() => {
    mkdirSync(join(root, 'volume/deep'), { recursive: true });
    writeFileSync(join(root, 'volume/deep/file'), '', { mode: 0o600 });
    writeFileSync(join(root, 'outside'), '', { mode: 0o600 });
    symlinkSync('../outside', join(root, 'volume/link'));
    for (const path of ['volume', 'volume/deep']) chmodSync(join(root, path), 0o700);
  });

  it('is the group’s with all in it, and what its links lead to is not', async () => {
    await giveToGroup(join(root, 'volume'), { gid, onlyOnMismatch: false, signal });
    assert.deepEqual(['volume', 'volume/deep', 'volume/deep/file', 'outside'].map(shown), [
      `${gid} 2770`,
      `${gid} 2770`,
      `${gid} 660`,
      '0 600',
    ]);
    assert.equal(lstatSync(join(root, 'volume/link')).gid, gid);
  });

  it('is looked through again unless its own folder’s group is enough', async () => {
    await giveToGroup(join(root, 'volume'), { gid, onlyOnMismatch: true, signal });
    chmodSync(join(root, 'volume/deep/file'), 0o600);
    await giveToGroup(join(root, 'volume'), { gid, onlyOnMismatch: true, signal });
    assert.equal(shown('volume/deep/file'), `${gid} 600`);
    await giveToGroup(join(root, 'volume'), { gid, onlyOnMismatch: false, signal });
    assert.equal(shown('volume/deep/file'), `${gid} 660`);
  });
});

describe('a persistent volume on the node', () => {
  const find = (spec: PersistentVolumeSpec) => {
    const source = persistentSources.find(({ name }) => spec[name]);
    return source!.find(spec);
  };

  it('is a folder that is there, and for Block a device', async () => {
    writeFileSync(join(root, 'file'), '');
    assert.deepEqual(await find({ local: { path: root } }), {
      ...{ hostPath: root, takesGroup: true, isDevice: false },
    });
    await assert.rejects(
      find({ local: { path: `${root}/gone` } }),
      /^Error: path ".*\/gone" does not exist$/,
    );
    await assert.rejects(
      find({ local: { path: `${root}/file` } }),
      /is no folder; this kubelet makes no file/,
    );
    await assert.rejects(find({ local: { path: root }, volumeMode: 'Block' }), /is no block device$/);
    await assert.rejects(find({ hostPath: { path: root }, volumeMode: 'Block' }), /use a local volume$/);
  });
});

describe('a claimed volume', () => {
  const plugin = claimPlugin<'persistentVolumeClaim'>({
    ...{ name: 'persistentVolumeClaim', folder: 'local-volume', supports: {} as never },
    claim: ({ claimName }) => ({ claimName, isEphemeral: false, isReadOnly: true }),
  });
  const put = (more: object, spec: object = {}, use: object = {}) => {
    const volume = { metadata: { name: 'v', ...more }, spec: { local: { path: root }, ...spec } };
    const sources = { claimedVolume: async () => volume, signal };
    const of = pod({ containers: [container('a', use)] });
    return plugin.setUp({ pod: of, name: 'data', source: { claimName: 'c' }, sources } as never);
  };
  const groupOf = async (annotations: Record<string, string>) => (await put({ annotations })).group;

  it('may name the group that uses it', async () => {
    const group = 'pv.beta.kubernetes.io/gid';
    assert.equal(await groupOf({ [group]: '777' }), 777);
    for (const text of ['a', '', '7.5']) assert.equal(await groupOf({ [group]: text }), undefined);
    assert.equal(await groupOf({}), undefined);
  });

  it('is refused where a container takes a folder for a device, or a device for a folder', async () => {
    const asFolder = { volumeMounts: [{ name: 'data', mountPath: '/d' }] };
    const asDevice = { volumeDevices: [{ name: 'data', devicePath: '/d' }] };
    await put({}, {}, asFolder);
    await assert.rejects(put({}, {}, asDevice), {
      ...{
        name: 'ClaimError',
        message: 'volume data has volumeMode Filesystem, but is specified in volumeDevices',
      },
    });
    await assert.rejects(
      put({}, { volumeMode: 'Block' }, asFolder),
      /Block, but is specified in volumeMounts/,
    );
  });
});
