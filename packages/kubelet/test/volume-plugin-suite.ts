import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { ConfigMap, PersistentVolume, Secret, Volume } from '@wherry/kubeapi';
import { parseMountInfo, unmount } from '@wherry/linux';
import type {
  CsiHost,
  NfsHost,
  VolumeKind,
  VolumePlugin,
  VolumeRequest,
} from '../src/execution/volumes/volume-plugin.ts';
import { NodePaths } from '../src/ground/node-paths.ts';
import { container, noDrivers, noNfs, pod } from './builders.ts';

/** A plug-in's volume to be tried. */
export interface PluginExample<Kind extends VolumeKind = VolumeKind> {
  plugin: VolumePlugin<Kind>;
  /** A source that can be set up; `outside` is a folder of the node. */
  source(outside: string): NonNullable<Volume[Kind]>;
  /** For a plug-in that refreshes: the file to look at, and what it must say while the object's key `k` says `value`. */
  file?: { path: string; holds(value: string): string };
  /** Servers of folders. */
  nfs?(): NfsHost;
  /** Drivers of volumes, on the node whose folder this is. */
  csi?(rootDir: string): CsiHost;
}

/** What sources say: every ConfigMap and Secret has the key `k`, the pod the label `k`. */
interface Said {
  value: string;
}

const group = 4242;

/** Holds a type of volumes to what the volume manager counts on. */
export function describeVolumePlugin<Kind extends VolumeKind>(example: PluginExample<Kind>): void {
  const { plugin, source, file } = example;
  let rootDir = '';
  let outside = '';
  let said: Said = { value: 'one' };
  const uid = 'uid-1';
  const host = () => ({
    ...{ memoryBytes: () => 1 << 20, notedMemory: () => {}, clock: new FakeClock(), warn() {} },
    csi: example.csi?.(rootDir) ?? noDrivers,
    nfs: example.nfs?.() ?? noNfs,
  });
  const paths = () => new NodePaths({ rootDir, podLogsDir: '' });

  beforeEach(() => {
    rootDir = mkdtempSync(join(tmpdir(), 'volume-plugin-'));
    outside = mkdtempSync(join(tmpdir(), 'volume-outside-'));
    said = { value: 'one' };
  });
  afterEach(() => {
    for (const mountPoint of mountsBelow(rootDir)) unmount(mountPoint, { detach: true });
    for (const folder of [rootDir, outside]) rmSync(folder, { recursive: true, force: true });
  });

  function request(name = 'v', gid?: number): VolumeRequest<NonNullable<Volume[Kind]>> {
    const of = pod({ containers: [container('a')] }, { labels: { k: said.value } });
    const { uid } = of.metadata;
    mkdirSync(paths().podDir(uid), { recursive: true });
    return {
      pod: of,
      name,
      source: source(outside),
      roots: {
        content: paths().volumeDir(uid, plugin.folder, name),
        notes: paths().volumeNotesDir(uid, plugin.folder, name),
      },
      gid,
      sources: {
        pod: of,
        podIps: [],
        hostIps: [],
        nodeAllocatable: {},
        configMap: async () => ({ data: { k: said.value } }) as unknown as ConfigMap,
        secret: async () =>
          ({ data: { k: Buffer.from(said.value).toString('base64') } }) as unknown as Secret,
        secretOf: async () => ({ data: {} }) as unknown as Secret,
        claimedVolume: async () =>
          ({ metadata: { name: 'v' }, spec: { local: { path: outside } } }) as PersistentVolume,
        tokens: undefined,
        signal: new AbortController().signal,
      },
      host: host(),
    };
  }

  describe(`volumes of kind ${plugin.name}`, () => {
    test('are set up twice as once', async () => {
      const first = await plugin.setUp(request());
      const before = treeOf(rootDir);
      assert.deepEqual(await plugin.setUp(request()), first);
      assert.deepEqual(treeOf(rootDir), before);
      assert.equal(mountsBelow(rootDir).length, new Set(mountsBelow(rootDir)).size);
    });

    test('are torn down twice as once, and nothing of them is left, also by a process that did not make them', async () => {
      const { roots } = request();
      const { hostPath } = await plugin.setUp(request());
      writeFileSync(join(outside, 'file'), 'x');
      if (hostPath === roots.content) symlinkSync(outside, join(hostPath, 'away'));
      const before = treeOf(outside);
      await plugin.tearDown({ ...roots }, host(), uid);
      await plugin.tearDown({ ...roots }, host(), uid);
      const left = treeOf(rootDir).filter((path) => path.split('/').includes('v'));
      assert.deepEqual([left, mountsBelow(rootDir)], [[], []]);
      assert.deepEqual(treeOf(outside), before, 'what is the node’s stays');
    });

    test('have nothing beside their own folders, and their end is nobody else’s', async () => {
      const other = request('other');
      await plugin.setUp(other);
      const before = treeOf(rootDir);
      const { roots } = request();
      await plugin.setUp(request());
      const made = treeOf(rootDir).filter((path) => !before.includes(path));
      const own = [roots.content, roots.notes].map((path) => path.slice(rootDir.length));
      for (const path of made) {
        const isOwn = own.some((root) => path === root || path.startsWith(`${root}/`));
        assert.ok(isOwn, `${path} is outside`);
      }
      await plugin.tearDown(roots, host(), uid);
      assert.deepEqual(treeOf(rootDir), before);
    });

    test('are found in a folder of the pod, or are the runtime’s or the node’s', async () => {
      const { roots } = request();
      const { hostPath, image } = await plugin.setUp(request());
      const isNodes = hostPath !== '' && hostPath.startsWith(outside);
      const isOwn = hostPath === roots.content || dirname(hostPath) === roots.content;
      assert.ok(image !== undefined || isNodes || isOwn);
    });

    if (plugin.takesGroup) {
      test('are the fsGroup’s', async () => {
        const { hostPath } = await plugin.setUp(request('v', group));
        const shown = file ? join(hostPath, '..data', file.path) : hostPath;
        assert.equal(lstatSync(shown).gid, group);
        const told = ({ gid, mode }: Stats) => [gid, (mode & 0o6777).toString(8)];
        if (hostPath === request().roots.content)
          assert.deepEqual(told(lstatSync(hostPath)), [group, '2777'], 'its folder');
        if (file)
          assert.deepEqual(told(statSync(join(hostPath, '..data'))), [group, '2755'], 'the data folder');
      });
    }

    const { refresh } = plugin;
    if (refresh) {
      assert.ok(file, `the example of ${plugin.name} names no file`);
      const { path, holds } = file;

      test('are refreshed in one step, and only when they change', async () => {
        const first = await plugin.setUp(request());
        const shown = () => readFileSync(join(first.hostPath, path), 'utf8');
        const folder = join(first.hostPath, '..data');
        assert.equal(shown(), holds('one'));
        const { ino } = lstatSync(folder);
        const same = await refresh(request(), first);
        assert.deepEqual([same, lstatSync(folder).ino], [first, ino]);
        said = { value: 'two' };
        const second = await refresh(request(), same);
        assert.equal(second.hostPath, first.hostPath);
        assert.notEqual(second.digest, first.digest);
        assert.notEqual(lstatSync(folder).ino, ino, 'the link ..data is another one');
        assert.equal(shown(), holds('two'));
        const folders = readdirSync(first.hostPath).filter((name) => /^\.\.\d/.test(name));
        assert.equal(folders.length, 1, 'the old folder is gone');
      });

      test('are brought up to date by a process that did not make them', async () => {
        const { hostPath } = await plugin.setUp(request());
        said = { value: 'two' };
        await plugin.setUp(request());
        assert.equal(readFileSync(join(hostPath, path), 'utf8'), holds('two'));
      });
    } else {
      test('keep what was written into them', async () => {
        const { hostPath } = await plugin.setUp(request());
        if (hostPath) writeFileSync(join(hostPath, 'kept'), 'x');
        await plugin.setUp(request());
        if (hostPath) assert.equal(readFileSync(join(hostPath, 'kept'), 'utf8'), 'x');
      });
    }
  });
}

function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .sort();
}

function mountsBelow(folder: string): string[] {
  return parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8')).flatMap(({ mountPoint }) =>
    mountPoint.startsWith(`${folder}/`) ? [mountPoint] : [],
  );
}
