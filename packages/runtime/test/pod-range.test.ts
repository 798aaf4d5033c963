import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { startRuntime } from '../src/index.ts';
import { startTestNode } from './node.ts';

const asked = (podCidr: string) => ({ runtimeConfig: { networkConfig: { podCidr } } });

suite('UpdateRuntimeConfig', () => {
  test('names the range of pods where none was given, also for the next start, until pods live in it', async () => {
    const node = await startTestNode(9, { podCidr: undefined });
    const addressOf = async (podSandboxId: string) =>
      (await node.cri.runtime.podSandboxStatus({ podSandboxId })).status?.network?.ip;
    const bridge = () =>
      execFileSync('ip', ['-o', 'addr', 'show', 'dev', node.bridgeName], { encoding: 'utf8' });
    try {
      await node.cri.runtime.updateRuntimeConfig(asked('10.85.9.0/25, fd00:85:9::/64'));
      assert.match(bridge(), /inet 10\.85\.9\.1\/25 /);
      assert.match(bridge(), /inet6 fd00:85:9::1\/128 /);
      assert.equal(bridge().trim().split('\n').length, 2, 'the old address is gone');
      await node.restart();
      const pod = await node.runPod();
      assert.match((await addressOf(pod)) ?? '', /^10\.85\.9\.\d+$/);
      const container = await node.runScript(pod, 'sleep 1000');
      assert.match(
        await node.output(container, 'ping', '-c', '1', '-W', '2', '10.85.9.1'),
        /1 packets received/,
      );
      await node.cri.runtime.updateRuntimeConfig(asked('10.85.10.0/24'));
      assert.match((await addressOf(await node.runPod())) ?? '', /^10\.85\.9\.\d+$/);
    } finally {
      await node.close();
    }
  });

  test('is waited for where the range is the kubelet’s to name: no pod has another address', async () => {
    const node = await startTestNode(9, { podCidr: 'kubelet' });
    const network = async () => {
      const { status } = await node.cri.runtime.status({});
      return status?.conditions.find(({ type }) => type === 'NetworkReady');
    };
    try {
      assert.equal((await network())?.status, false);
      assert.match((await network())?.message ?? '', /kubelet has not named the range of pods yet/);
      await assert.rejects(node.runPod(), { code: 'UNAVAILABLE' });
      await node.cri.runtime.updateRuntimeConfig(asked('10.85.9.0/24'));
      assert.equal((await network())?.status, true);
      await node.restart();
      const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId: await node.runPod() });
      assert.match(status?.network?.ip ?? '', /^10\.85\.9\.\d+$/);
    } finally {
      await node.close();
    }
  });

  test('changes nothing where a range was given, and refuses what is none', async () => {
    const node = await startTestNode(9);
    try {
      await node.cri.runtime.updateRuntimeConfig(asked('10.85.10.0/24'));
      await node.cri.runtime.updateRuntimeConfig({});
      const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId: await node.runPod() });
      assert.match(status?.network?.ip ?? '', /^10\.85\.9\.\d+$/);
      const refused = node.cri.runtime.updateRuntimeConfig(asked('ten dot something'));
      await assert.rejects(refused, { code: 'INVALID_ARGUMENT' });
    } finally {
      await node.close();
    }
  });
});

test('packets of the built-in network are as large as the option says, on both ends of every cable and on the bridge', async () => {
  const node = await startTestNode(9, { podMtu: 1400 });
  const mtuOf = (...words: string[]) =>
    JSON.parse(execFileSync('ip', ['-j', ...words], { encoding: 'utf8' })).map(
      ({ mtu }: { mtu: number }) => mtu,
    );
  try {
    const pod = await node.runPod();
    assert.deepEqual(mtuOf('link', 'show', 'master', node.bridgeName), [1400]);
    assert.deepEqual(mtuOf('link', 'show', 'dev', node.bridgeName), [1400]);
    const container = await node.runScript(pod, 'sleep 1000');
    assert.equal(await node.output(container, 'cat', '/sys/class/net/eth0/mtu'), '1400\n');
  } finally {
    await node.close();
  }
  const tooSmall = startRuntime({ dataDir: '/nowhere', monitorSocketPath: '/nowhere', podMtu: 100 });
  await assert.rejects(tooSmall, /pod MTU 100: want 576 to 65535 bytes/);
});
