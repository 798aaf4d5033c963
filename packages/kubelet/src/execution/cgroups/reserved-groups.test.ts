/** Against the machine's own control groups, of which the test makes its own; cgroup v2 and slices in a folder of files. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import {
  type CgroupLayout,
  createGroup,
  detectCgroups,
  foldersAt,
  foldersOf,
  removeGroup,
  type UnitBounds,
} from '@wherry/linux';
import { decodeConfiguration } from '../../configuration/decode-configuration.ts';
import { holdReservedGroups } from './reserved-groups.ts';

const layout = detectCgroups();
const isUnified = layout.version === 'v2';
const mebibyte = 1 << 20;

let root = '';
let events: string[] = [];
beforeEach(() => {
  root = `/wherry-test-${randomBytes(4).toString('hex')}`;
  events = [];
});
afterEach(() => removeGroup(foldersAt(layout, root)));

/** Holds groups to what such fields say. */
function hold(fields: object, more: Partial<Parameters<typeof holdReservedGroups>[0]> = {}): Promise<void> {
  return holdReservedGroups({
    configuration: decodeConfiguration(fields).configuration,
    place: { cgroupDriver: 'cgroupfs' },
    recorder: { record: ({ type, reason, message }) => void events.push(`${type} ${reason} ${message}`) },
    nodeName: 'n1',
    clock: new FakeClock(),
    ...more,
  });
}

function read(path: string, controller: string, file: string): string {
  const folders = foldersAt(layout, path);
  const folder = folders.controllers.get(controller) ?? folders.unified ?? '';
  return readFileSync(join(folder, file), 'utf8').trim();
}
/** What a group of the machine is held to, as this test names it. */
const boundsOf = (path: string) => ({
  memory: read(path, 'memory', isUnified ? 'memory.max' : 'memory.limit_in_bytes'),
  weight: read(path, 'cpu', isUnified ? 'cpu.weight' : 'cpu.shares'),
  processes: read(path, 'pids', 'pids.max'),
});
/** What so many shares are called on this machine. */
const weight = (shares: number) =>
  String(isUnified ? 1 + Math.floor(((shares - 2) * 9_999) / 262_142) : shares);

test('the groups of the system and of Kubernetes are held to what is reserved: memory, processors, processes', async () => {
  for (const name of ['system', 'kube']) createGroup(foldersAt(layout, `${root}/${name}`));
  await hold({
    enforceNodeAllocatable: ['pods', 'kube-reserved', 'system-reserved'],
    systemReservedCgroup: `${root}/system`,
    systemReserved: { cpu: '500m', memory: '64Mi', pid: '1000', 'ephemeral-storage': '1Gi' },
    kubeReservedCgroup: `${root.slice(1)}/kube/`,
    kubeReserved: { cpu: '2', memory: '128Mi' },
  });
  assert.deepEqual(boundsOf(`${root}/system`), {
    memory: String(64 * mebibyte),
    weight: weight(512),
    processes: '1000',
  });
  assert.deepEqual(boundsOf(`${root}/kube`), {
    memory: String(128 * mebibyte),
    weight: weight(2_048),
    processes: 'max',
  });
  assert.deepEqual(events, [
    `Normal NodeAllocatableEnforced Updated limits on system reserved cgroup ${root}/system`,
    `Normal NodeAllocatableEnforced Updated limits on kube reserved cgroup ${root.slice(1)}/kube/`,
  ]);
});

test('of what can be compressed the share of the processor alone is set', async () => {
  createGroup(foldersAt(layout, root));
  const before = boundsOf(root);
  const reserved = { cpu: '250m', memory: '64Mi', pid: '10' };
  for (const owner of ['system', 'kube'])
    await hold({
      enforceNodeAllocatable: [`${owner}-reserved-compressible`],
      [`${owner}ReservedCgroup`]: root,
      [`${owner}Reserved`]: reserved,
    });
  assert.deepEqual(boundsOf(root), { ...before, weight: weight(256) });
  assert.deepEqual(events, [
    `Normal NodeAllocatableEnforced Updated limits on system reserved cgroup ${root}`,
    `Normal NodeAllocatableEnforced Updated limits on kube reserved cgroup ${root}`,
  ]);
});

test('groups that no level names are left alone, whether they are there or not', async () => {
  await hold({
    kubeReservedCgroup: root,
    kubeReserved: { memory: '64Mi' },
    systemReservedCgroup: '/missing',
  });
  assert.deepEqual(events, []);
});

test('a group that is not there is refused by name with what to do, told as an event, and not made', async () => {
  const fields = {
    enforceNodeAllocatable: ['kube-reserved'],
    kubeReservedCgroup: root,
    kubeReserved: { cpu: '1' },
  };
  await assert.rejects(
    hold(fields),
    new RegExp(
      `kubeReservedCgroup: Failed .* there is no control group ${root}; make that group before the kubelet starts.* or take "kube-reserved" from`,
    ),
  );
  assert.deepEqual(events, [
    `Warning FailedNodeAllocatableEnforcement Failed to enforce Kube Reserved Cgroup Limits on "${root}": there is no control group ${root}`,
  ]);
  for (const folder of foldersOf(foldersAt(layout, root)))
    assert.throws(() => readFileSync(join(folder, 'cgroup.procs')), { code: 'ENOENT' });
});

test('what the kernel refuses is an event and a refusal, too', async () => {
  createGroup(foldersAt(layout, root));
  await assert.rejects(
    hold({
      enforceNodeAllocatable: ['system-reserved'],
      systemReservedCgroup: root,
      systemReserved: { pid: '9000000' },
    }),
    /systemReservedCgroup: Failed to enforce System Reserved Cgroup Limits on ".*": EINVAL/,
  );
  assert.match(events.join(), /^Warning FailedNodeAllocatableEnforcement Failed to enforce System Reserved/);
});

/** Runs over a tree of cgroup v2 that is a folder of files, with what each of its groups has. */
async function withUnified(
  groups: Record<string, readonly string[]>,
  run: (tree: { layout: CgroupLayout; read(path: string): string }) => Promise<void>,
): Promise<void> {
  const unified = mkdtempSync(join(tmpdir(), 'wherry-cgroup-'));
  try {
    for (const [path, files] of Object.entries(groups)) {
      mkdirSync(join(unified, path), { recursive: true });
      for (const file of files) writeFileSync(join(unified, path, file), '');
    }
    const tree: CgroupLayout = { version: 'v2', controllers: new Map(), unified };
    await run({ layout: tree, read: (path) => readFileSync(join(unified, path), 'utf8') });
  } finally {
    rmSync(unified, { recursive: true });
  }
}
const allFiles = ['memory.max', 'cpu.weight', 'pids.max'];
const kubeFields = {
  enforceNodeAllocatable: ['kube-reserved'],
  kubeReserved: { cpu: '1', memory: '64Mi', pid: '0' },
};

test('on cgroup v2 a weight is written, and no process at all is one', () =>
  withUnified({ kube: allFiles }, async (tree) => {
    await hold({ ...kubeFields, kubeReservedCgroup: '/kube' }, { layout: tree.layout });
    const written = allFiles.map((file) => tree.read(`kube/${file}`));
    assert.deepEqual(written, [String(64 * mebibyte), '39', '1']);
  }));

test('a group without a controller that is needed is refused before anything is written', () =>
  withUnified({ kube: ['cpu.weight', 'pids.max'] }, async (tree) => {
    await assert.rejects(
      hold({ ...kubeFields, kubeReservedCgroup: '/kube' }, { layout: tree.layout }),
      /the control group \/kube lacks what it is held by, \S*\/kube\/memory\.max;/,
    );
    assert.equal(tree.read('kube/cpu.weight'), '');
  }));

for (const name of ['/a.slice/a-b.slice', 'a-b.slice', 'a-b'])
  test(`with systemd the group ${name} is the slice a-b.slice, and systemd keeps what it is held to`, () =>
    withUnified({ 'a.slice/a-b.slice': allFiles }, async (tree) => {
      const told: [string, UnitBounds][] = [];
      let isClosed = false;
      const systemd = {
        setBounds: (unit: string, bounds: UnitBounds) => Promise.resolve(void told.push([unit, bounds])),
        close: () => {
          isClosed = true;
        },
      };
      await hold(
        { ...kubeFields, kubeReservedCgroup: name },
        { layout: tree.layout, place: { cgroupDriver: 'systemd' }, systemd },
      );
      assert.deepEqual(told, [['a-b.slice', { CPUWeight: 39, MemoryMax: 64 * mebibyte, TasksMax: 1 }]]);
      assert.equal(tree.read('a.slice/a-b.slice/memory.max'), String(64 * mebibyte));
      assert.ok(isClosed);
    }));
