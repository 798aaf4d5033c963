import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { OciSpec } from '../spec/oci-spec.ts';
import { withEdits } from './apply-edits.ts';
import { deviceFileFrom } from './device-file.ts';
import { DeviceFolders } from './device-folders.ts';
import { parseDeviceName, wantedDevices } from './device-name.ts';

const fileOf = (change: object, device: object = {}) =>
  JSON.stringify({
    cdiVersion: '0.6.0',
    kind: 'vendor.test/gpu',
    devices: [{ name: '0', containerEdits: { env: ['GPU=0'] }, ...device }],
    ...change,
  });

const spec = (): OciSpec => ({
  ociVersion: '1.0.2',
  process: { args: ['true'], cwd: '/', env: ['A=1', 'B=1'], user: { uid: 7, gid: 8, additionalGids: [5] } },
  root: { path: '/', readonly: false },
  mounts: [{ destination: '/lib/x', source: '/own', options: [] }],
  linux: {
    ...{ namespaces: [], devices: [], cgroupsPath: '/', maskedPaths: [], readonlyPaths: [] },
    resources: { devices: [{ allow: false, access: 'rwm' }] },
  },
});

/** The configuration that a container gets by a file's only device. */
const appliedTo = (text: string) => {
  const { edits, devices } = deviceFileFrom(text);
  return withEdits(spec(), [edits, ...devices.values()]);
};

test('names of devices are VENDOR/CLASS=NAME', () => {
  for (const name of ['vendor.com/gpu=0', 'v/c=GPU-1:2.3_4', 'nvidia.com/gpu=all'])
    assert.ok(parseDeviceName(name), name);
  for (const name of ['gpu=0', '/dev/null', 'v/c', 'v/c=', '1v/c=0', 'v/c=-', 'v/c/d=0', 'v-/c=0', 'v/c=a b'])
    assert.equal(parseDeviceName(name), undefined, name);
});

test('devices are asked for by field and annotations, each once, and not where a pod has users of its own', () => {
  const config = {
    cdiDevices: [{ name: 'v.test/c=1' }],
    annotations: { 'cdi.k8s.io/x': 'v.test/c=0,v.test/c=1', other: 'x' },
  };
  assert.deepEqual(wantedDevices(config, { hasOwnUsers: false }), ['v.test/c=1', 'v.test/c=0']);
  assert.throws(() => wantedDevices(config, { hasOwnUsers: true }), {
    code: 'INVALID_ARGUMENT',
    message: /^config.cdiDevices: "v.test\/c=1" cannot be had in a pod with a user namespace of its own/,
  });
  assert.deepEqual(wantedDevices({ cdiDevices: [], annotations: {} }, { hasOwnUsers: true }), []);
});

test('a file is refused by the field that is wrong', () => {
  const wrong: [string, RegExp][] = [
    [fileOf({ cdiVersion: '9.0.0' }), /^Error: cdiVersion: "9.0.0": want one of 0.3.0/],
    [fileOf({ kind: 'gpu' }), /^Error: kind: "gpu": want VENDOR\/CLASS/],
    [fileOf({ devices: [] }), /^Error: devices: there is none/],
    [fileOf({ extra: 1 }), /^Error: extra: no field of CDI is called so/],
    [fileOf({}, { name: 'a b' }), /^Error: devices\[0\]\.name: "a b"/],
    [fileOf({}, { containerEdits: { envs: [] } }), /^Error: devices\[0\]\.containerEdits\.envs: no field/],
    [fileOf({ containerEdits: { env: ['=1'] } }), /^Error: containerEdits\.env: "=1": want NAME=VALUE/],
    [
      fileOf({ containerEdits: { deviceNodes: [{ path: 'dev' }] } }),
      /^Error: containerEdits\.deviceNodes\[0\]\.path: "dev": want an absolute path/,
    ],
    [
      fileOf({ containerEdits: { deviceNodes: [{ path: '/dev/a', hostPath: 'b' }] } }),
      /deviceNodes\[0\]\.hostPath: "b": want an absolute path/,
    ],
    [
      fileOf({ containerEdits: { deviceNodes: [{ path: '/dev/a', permissions: 'x' }] } }),
      /permissions: "x": want some of r, w and m, or none/,
    ],
    [
      fileOf({ containerEdits: { hooks: [{ hookName: 'later', path: '/x' }] } }),
      /hookName: "later": want one/,
    ],
    [
      fileOf({ containerEdits: { mounts: [{ hostPath: '/x' }] } }),
      /mounts\[0\]\.containerPath: it is missing/,
    ],
    [fileOf({ containerEdits: { netDevices: [] } }), /netDevices: this runtime moves no network interfaces/],
    [fileOf({ containerEdits: { intelRdt: {} } }), /intelRdt: this runtime does not/],
    ['- a', /^Error: the file: want an object/],
    ['{', /^Error: it is no YAML/],
  ];
  for (const [text, words] of wrong) assert.throws(() => deviceFileFrom(text), words, text);
});

test('edits change a configuration: later settings win, mounts take the place of others, groups are added once', () => {
  const { process, mounts, linux, hooks } = appliedTo(
    fileOf(
      {
        containerEdits: {
          env: ['B=2', 'C=3'],
          mounts: [{ hostPath: '/host', containerPath: '/lib/x', options: ['ro', 'bind'] }],
          hooks: [{ hookName: 'createContainer', path: '/usr/bin/hook', args: ['hook', 'a'], timeout: 5 }],
        },
      },
      {
        containerEdits: {
          additionalGids: [0, 5, 44],
          deviceNodes: [
            { path: '/dev/one', hostPath: '/dev/null' },
            { path: '/dev/two', type: 'c', major: 240, minor: 3, fileMode: 0o640, uid: 1, permissions: 'r' },
            { path: '/dev/three', hostPath: '/dev/zero', permissions: 'none' },
          ],
        },
      },
    ),
  );
  assert.deepEqual(process.env, ['A=1', 'B=2', 'C=3']);
  assert.deepEqual(process.user.additionalGids, [5, 44]);
  assert.deepEqual(mounts, [
    { destination: '/lib/x', source: '/host', type: undefined, options: ['ro', 'bind'] },
  ]);
  assert.deepEqual(hooks, {
    createContainer: [{ path: '/usr/bin/hook', args: ['hook', 'a'], env: undefined, timeout: 5 }],
  });
  assert.deepEqual(linux.devices, [
    { path: '/dev/one', type: 'c', major: 1, minor: 3, fileMode: 0o666, uid: 7, gid: 8 },
    { path: '/dev/two', type: 'c', major: 240, minor: 3, fileMode: 0o640, uid: 1, gid: 8 },
    { path: '/dev/three', type: 'c', major: 1, minor: 5, fileMode: 0o666, uid: 7, gid: 8 },
  ]);
  assert.deepEqual(linux.resources.devices, [
    { allow: false, access: 'rwm' },
    { allow: true, type: 'c', major: 1, minor: 3, access: 'rwm' },
    { allow: true, type: 'c', major: 240, minor: 3, access: 'r' },
  ]);
});

test('a device node that the machine does not have is refused', () => {
  const node = (deviceNode: object) => () =>
    appliedTo(fileOf({ containerEdits: { deviceNodes: [deviceNode] } }));
  assert.throws(node({ path: '/dev/none-such' }), /"\/dev\/none-such" is no device node of this machine/);
  assert.throws(node({ path: '/etc/passwd' }), /is no device node/);
  assert.throws(node({ path: '/dev/null', type: 'b' }), /is of type c, not b/);
});

suite('folders of devices', () => {
  let root: string;
  let folders: DeviceFolders;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'wherry-cdi-'));
    for (const name of ['etc', 'run']) mkdirSync(join(root, name));
    folders = new DeviceFolders([join(root, 'etc'), join(root, 'run'), join(root, 'none')]);
  });
  after(() => rmSync(root, { recursive: true }));

  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  const env = async (...devices: string[]) => (await folders.editsOf(devices)).flatMap((edits) => edits.env);

  test('are read in JSON and YAML, each time; common edits come once, and later folders go first', async () => {
    write('etc/a.json', fileOf({ containerEdits: { env: ['ALL=1'] } }));
    write(
      'etc/b.yaml',
      'cdiVersion: 0.5.0\nkind: vendor.test/nic\ndevices:\n- name: x\n  containerEdits:\n    env: [NIC=x]\n',
    );
    assert.deepEqual(await env('vendor.test/gpu=0', 'vendor.test/nic=x'), ['ALL=1', 'GPU=0', 'NIC=x']);
    write('run/a.json', fileOf({}, { containerEdits: { env: ['GPU=later'] } }));
    assert.deepEqual(await env('vendor.test/gpu=0'), ['GPU=later']);
    rmSync(join(root, 'run/a.json'));
    assert.deepEqual(await env('vendor.test/gpu=0'), ['ALL=1', 'GPU=0']);
  });

  test('refuse a device that no file has, and tell of files that they cannot read; others are not harmed', async () => {
    write('etc/broken.json', '{"kind": 1}');
    await assert.rejects(env('vendor.test/gpu=9'), {
      code: 'FAILED_PRECONDITION',
      message:
        /^CDI device "vendor.test\/gpu=9": no file in .*etc, .*run, .*none describes it; .*broken.json: cdiVersion: it is missing/,
    });
    assert.deepEqual(await env('vendor.test/gpu=0'), ['ALL=1', 'GPU=0']);
    write('etc/large.json', ' '.repeat(1024 * 1024 + 1));
    await assert.rejects(env('vendor.test/gpu=9'), /large.json: it is larger than 1048576 bytes/);
    execFileSync('mkfifo', [join(root, 'etc/pipe.json')]);
    await assert.rejects(env('vendor.test/gpu=9'), /pipe.json: it is no regular file/);
  });

  test('refuse a device that two files of one folder have', async () => {
    write('etc/again.yaml', fileOf({}));
    await assert.rejects(env('vendor.test/gpu=0'), /both .*a.json and .*again.yaml describe it/);
  });
});
