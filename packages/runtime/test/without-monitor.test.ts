import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ContainerState, NamespaceMode, PodSandboxState } from '@wherry/cri';
import { isAlive } from '@wherry/linux';
import { startTestNode, type TestNode } from './node.ts';

suite('a runtime whose monitor is gone', () => {
  let node: TestNode;
  before(async () => {
    node = await startTestNode(15, {}, { apart: true });
  });
  after(() => node.close());

  async function eventually(what: string, look: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 500; tries++) {
      if (await look()) return;
      await delay(20);
    }
    throw new Error(`${what}: not within 10 s`);
  }

  const runtimeReady = async () => {
    const { status } = await node.cri.runtime.status();
    return status?.conditions.find(({ type }) => type === 'RuntimeReady');
  };
  const listed = async (id: string) =>
    (await node.cri.runtime.listContainers({ filter: { id } })).containers[0]?.state;
  const becomes = (ready: boolean) =>
    eventually(`RuntimeReady ${ready}`, async () => (await runtimeReady())?.status === ready);

  test('says so: RuntimeReady is false until one is back', async () => {
    await becomes(true);
    await node.monitor?.kill();
    await becomes(false);
    const condition = await runtimeReady();
    assert.equal(condition?.reason, 'MonitorNotReady');
    assert.match(condition?.message ?? '', /monitor\.sock/);
    await node.startMonitor();
    await becomes(true);
  });

  test('tells a living container as running, and one that ended as unknown until its exit code is there', async () => {
    const pod = await node.runPod();
    const living = await node.runScript(pod, 'sleep 1000');
    const ending = await node.runScript(pod, 'sleep 1; exit 42');
    const { info } = await node.cri.runtime.containerStatus({ containerId: ending, verbose: true });
    const { pid, startTicks } = JSON.parse(info['info'] ?? '{}');
    await node.monitor?.kill();
    await becomes(false);
    await eventually('the end', async () => !isAlive({ pid, startTicks }));
    assert.equal(await listed(living), ContainerState.CONTAINER_RUNNING);
    assert.equal(await listed(ending), ContainerState.CONTAINER_UNKNOWN);
    await assert.rejects(node.cri.runtime.containerStatus({ containerId: ending }), { code: 'UNAVAILABLE' });
    await node.startMonitor();
    await becomes(true);
    assert.equal((await node.ended(ending)).exitCode, 42);
    await node.cri.runtime.removePodSandbox({ podSandboxId: pod });
  });

  test('a stop signal that could not be delivered is delivered by the next try', async () => {
    const pod = await node.runPod();
    const script = 'trap "exit 7" TERM; echo ready; while true; do sleep 0.1; done';
    const id = await node.runScript(pod, script, { logPath: 'trap.log' });
    await eventually('the trap', async () => node.log('trap.log').includes('ready'));
    await node.monitor?.kill();
    await becomes(false);
    await assert.rejects(node.cri.runtime.stopContainer({ containerId: id, timeout: 5 }), {
      code: 'UNAVAILABLE',
    });
    await node.startMonitor();
    await becomes(true);
    await node.cri.runtime.stopContainer({ containerId: id, timeout: 5 });
    assert.equal((await node.ended(id)).exitCode, 7);
    await node.cri.runtime.removePodSandbox({ podSandboxId: pod });
  });

  for (const isThere of [true, false]) {
    const when = isThere ? 'under its eyes' : 'while it is gone';
    test(`a pod whose shared process namespace loses its holder ${when} is not ready any more`, async () => {
      const shared = { linux: { securityContext: { namespaceOptions: { pid: NamespaceMode.POD } } } };
      const podSandboxId = await node.runPod(shared);
      const { status, info } = await node.cri.runtime.podSandboxStatus({ podSandboxId, verbose: true });
      assert.equal(status?.state, PodSandboxState.SANDBOX_READY);
      if (!isThere) await node.monitor?.kill();
      process.kill(JSON.parse(info['info'] ?? '{}').pid, 'SIGKILL');
      if (!isThere) await node.startMonitor();
      await eventually('not ready', async () => {
        const now = await node.cri.runtime.podSandboxStatus({ podSandboxId });
        return now.status?.state === PodSandboxState.SANDBOX_NOTREADY;
      });
      await node.cri.runtime.removePodSandbox({ podSandboxId });
    });
  }
});
