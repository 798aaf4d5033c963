import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { startTestNode, type TestNode } from './node.ts';

suite('a container with CDI devices', () => {
  let root: string;
  let node: TestNode;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'wherry-devices-'));
    mkdirSync(join(root, 'driver'));
    writeFileSync(join(root, 'driver/library'), 'of the driver\n');
    const hook = join(root, 'hook');
    writeFileSync(hook, '#!/bin/sh\ncat > "$1"\necho "$WHO" >> "$1"\n', { mode: 0o755 });
    writeFileSync(
      join(root, 'vendor.yaml'),
      `cdiVersion: 0.7.0
kind: vendor.test/gpu
containerEdits:
  env: [DRIVER=1]
  mounts:
  - { hostPath: ${join(root, 'driver')}, containerPath: /usr/driver, options: [ro, nosuid, nodev, bind] }
  hooks:
  - { hookName: createRuntime, path: ${hook}, args: [hook, ${join(root, 'state')}], env: [WHO=vendor] }
devices:
- name: "0"
  containerEdits:
    env: [GPU=0]
    additionalGids: [44]
    deviceNodes:
    - { path: /dev/gpu0, type: c, major: 10, minor: 229, permissions: r }
- name: "1"
  containerEdits:
    env: [SECOND=1]
    deviceNodes:
    - { path: /dev/gpu1, hostPath: /dev/zero }
`,
    );
    node = await startTestNode(12, { cdiSpecDirs: [root] });
  });
  after(async () => {
    await node.close();
    rmSync(root, { recursive: true });
  });

  test('has their nodes, settings, mounts and groups, also for commands in it, and their hooks were run', async () => {
    const pod = await node.runPod();
    const id = await node.runScript(pod, 'sleep 1000', {
      cdiDevices: [{ name: 'vendor.test/gpu=0' }],
      annotations: { 'cdi.k8s.io/test_gpu': 'vendor.test/gpu=1,vendor.test/gpu=0' },
    });
    const inside = (script: string) => node.output(id, 'sh', '-c', script);
    assert.equal(await inside('echo $DRIVER $GPU $SECOND'), '1 0 1\n');
    assert.match(await inside('id'), /44/);
    assert.equal(await inside('cat /usr/driver/library'), 'of the driver\n');
    assert.match(await inside('touch /usr/driver/x'), /Read-only file system/);
    assert.match(await inside('ls -l /dev/gpu0'), /^crw.* 10, +229 .*\/dev\/gpu0/);
    assert.equal(await inside(': < /dev/gpu0'), '');
    assert.match(await inside(': > /dev/gpu0'), /Operation not permitted/);
    assert.equal(await inside('head -c 4 /dev/gpu1 | wc -c'), '4\n');
    const [state = '', who] = readFileSync(join(root, 'state'), 'utf8').split(/\n?(?=vendor)/);
    assert.equal(JSON.parse(state).id, id);
    assert.equal(who, 'vendor\n');
  });

  test('is not made where no file has the device, and leaves nothing', async () => {
    const pod = await node.runPod();
    const before = (await node.cri.runtime.listContainers()).containers.length;
    await assert.rejects(node.runScript(pod, 'true', { cdiDevices: [{ name: 'vendor.test/gpu=7' }] }), {
      code: 'FAILED_PRECONDITION',
      message: /^CDI device "vendor.test\/gpu=7": no file in .* describes it$/,
    });
    assert.equal((await node.cri.runtime.listContainers()).containers.length, before);
  });
});
