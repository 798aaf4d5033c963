import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ContainerState } from '@wherry/cri';
import { detectCgroups, foldersAt, processesOf } from '@wherry/linux';
import { HeldOciRuntime } from '../../monitor/test/held-oci-runtime.ts';
import { startTestNode, type TestNode } from './node.ts';

suite('stopping while a start is under way', () => {
  let node: TestNode;
  let oci: HeldOciRuntime;
  let pod: string;
  let containerId: string;
  let count = 0;
  before(async () => {
    const ociRuntime = (folder: string) => {
      oci = new HeldOciRuntime(folder);
      return oci.program;
    };
    node = await startTestNode(14, {}, { ociRuntime });
  });
  after(() => node.close());

  beforeEach(async () => {
    pod = await node.runPod();
    const config = {
      metadata: { name: `late${++count}`, attempt: 0 },
      image: { image: 'box' },
      command: ['sleep', '1000'],
    };
    ({ containerId } = await node.cri.runtime.createContainer({ podSandboxId: pod, config }));
  });

  const stateOf = async () => (await node.cri.runtime.containerStatus({ containerId })).status?.state;
  const processes = () => processesOf(foldersAt(detectCgroups(), join(`/${node.bridgeName}`, containerId)));

  /** Runs `call` while the container's start is held, which goes on once the call has had time to overtake it. */
  async function whileStarting(call: () => Promise<unknown>): Promise<void> {
    oci.hold('run', 'before');
    const started = Promise.allSettled([node.cri.runtime.startContainer({ containerId })]);
    await oci.reached('run', 'before');
    let over = false;
    const called = call().finally(() => {
      over = true;
    });
    await delay(200);
    const hasOvertaken = over;
    oci.release('run', 'before');
    await called;
    await started;
    assert.equal(hasOvertaken, false, 'the call did not wait for the start');
  }

  test('StopContainer waits for the start and then ends the container', async () => {
    await whileStarting(() => node.cri.runtime.stopContainer({ containerId, timeout: 0 }));
    assert.equal(await stateOf(), ContainerState.CONTAINER_EXITED);
    assert.deepEqual(processes(), []);
  });

  test('RemoveContainer leaves no process of it', async () => {
    await whileStarting(() => node.cri.runtime.removeContainer({ containerId }));
    await assert.rejects(stateOf(), { code: 'NOT_FOUND' });
    assert.deepEqual(processes(), []);
  });

  test('StopPodSandbox ends what is being started', async () => {
    await whileStarting(() => node.cri.runtime.stopPodSandbox({ podSandboxId: pod }));
    assert.equal(await stateOf(), ContainerState.CONTAINER_EXITED);
    assert.deepEqual(processes(), []);
  });

  test('RemovePodSandbox leaves no process of it', async () => {
    await whileStarting(() => node.cri.runtime.removePodSandbox({ podSandboxId: pod }));
    assert.deepEqual(processes(), []);
  });

  test('a container cannot be started in a pod that is being stopped', async () => {
    const config = { metadata: { name: 'second', attempt: 0 }, image: { image: 'box' }, command: ['true'] };
    const second = await node.cri.runtime.createContainer({ podSandboxId: pod, config });
    await whileStarting(async () => {
      const stopped = node.cri.runtime.stopPodSandbox({ podSandboxId: pod });
      await delay(100);
      await assert.rejects(node.cri.runtime.startContainer({ containerId: second.containerId }), {
        code: 'FAILED_PRECONDITION',
      });
      await stopped;
    });
  });
});
