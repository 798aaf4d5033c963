import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { PodSandboxState } from '@wherry/cri';
import { mount, pinNamespaces, readMountInfo, unmount } from '@wherry/linux';
import { startTestNode, type TestNode } from './node.ts';

suite('a runtime that comes back', () => {
  let node: TestNode;
  before(async () => {
    node = await startTestNode(3);
  });
  after(() => node.close());

  test('clears what a crash left half-made, and touches nothing else', async () => {
    const pod = await node.runPod();
    const container = await node.runScript(pod, 'sleep 1000');
    const dataDir = join(node.folder, 'runtime');
    const strayPod = join(dataDir, 'sandboxes', 'f'.repeat(64));
    mkdirSync(join(strayPod, 'ns'), { recursive: true });
    mkdirSync(join(strayPod, 'shm'));
    mount({ target: join(strayPod, 'shm'), type: 'tmpfs' });
    pinNamespaces({ types: ['net', 'ipc', 'uts'], directory: join(strayPod, 'ns') });
    const strayContainer = join(dataDir, 'containers', 'e'.repeat(64));
    mkdirSync(join(strayContainer, 'rootfs'), { recursive: true });
    mount({ target: join(strayContainer, 'rootfs'), type: 'tmpfs' });
    await node.restart();
    for (let tries = 0; tries < 100 && (existsSync(strayPod) || existsSync(strayContainer)); tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(!existsSync(strayPod) && !existsSync(strayContainer));
    assert.ok(!readMountInfo().some(({ mountPoint }) => mountPoint.startsWith(strayPod)));
    assert.equal(await node.output(container, 'echo', 'untouched'), 'untouched\n');
  });

  test('knows that nothing which ran before the machine was restarted can run now', async () => {
    const pod = await node.runPod();
    const container = await node.runScript(pod, 'sleep 1000');
    await node.restart(() => {
      const path = join(node.folder, 'runtime/sandboxes', pod, 'record.json');
      const record = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ ...record, bootId: 'an earlier one' }));
    });
    const { status } = await node.cri.runtime.containerStatus({ containerId: container });
    assert.deepEqual([status?.state, status?.exitCode, status?.reason], [2, 255, 'Unknown']);
    assert.match(status?.message ?? '', /restarted/);
    const sandbox = await node.cri.runtime.podSandboxStatus({ podSandboxId: pod });
    assert.equal(sandbox.status?.state, PodSandboxState.SANDBOX_NOTREADY);
  });

  test('takes no more containers into a sandbox whose namespace somebody unmounted, and clears it', async () => {
    const pod = await node.runPod();
    const container = await node.runScript(pod, 'sleep 1000');
    unmount(join(node.folder, 'runtime/sandboxes', pod, 'ns/net'), { detach: true });
    await assert.rejects(
      node.runScript(pod, 'true', { metadata: { name: 'next' } }),
      /is not ready; run a new one/,
    );
    const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId: pod });
    assert.equal(status?.state, PodSandboxState.SANDBOX_NOTREADY);
    assert.equal(await node.output(container, 'echo', 'here'), 'here\n');
    await node.cri.runtime.stopPodSandbox({ podSandboxId: pod });
    await node.cri.runtime.removePodSandbox({ podSandboxId: pod });
    const [other, ended] = [await node.runPod(), await node.runPod()];
    await node.runScript(other, 'true');
    unmount(join(node.folder, 'runtime/sandboxes', ended, 'ns/ipc'), { detach: true });
    const told = await node.cri.runtime.podSandboxStatus({ podSandboxId: ended });
    assert.equal(told.status?.state, PodSandboxState.SANDBOX_NOTREADY);
  });

  test('gives no address twice and keeps host ports where they were', async () => {
    const portMappings = [{ hostPort: 24681, containerPort: 80 }];
    const pod = await node.runPod({ portMappings });
    const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId: pod });
    await node.restart();
    const next = await node.runPod();
    const other = await node.cri.runtime.podSandboxStatus({ podSandboxId: next });
    assert.notEqual(other.status?.network?.ip, status?.network?.ip);
    await assert.rejects(node.runPod({ portMappings }), /belongs to another pod/);
  });
});
