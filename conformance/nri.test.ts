/** Plug-ins on upstream's own stub (github.com/containerd/nri) judge the runtime's Node Resource Interface. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestNode, type TestNode } from '../packages/runtime/test/node.ts';
import { buildPlugIn, PlugInProcess } from './nri/plug-in-process.ts';

const socket = join('/tmp', `wherry-nri-${process.pid}`, 'nri.sock');
const requestMs = 1500;
let node: TestNode;
const running: PlugInProcess[] = [];

const start = async (answers: Record<string, unknown> = {}) => {
  const plugIn = await PlugInProcess.start(socket, answers);
  running.push(plugIn);
  return plugIn;
};

before(async () => {
  buildPlugIn();
  node = await startTestNode(35, { nriSocketPath: socket, nriTimes: { registrationMs: 5000, requestMs } });
});
afterEach(async () => {
  for (const plugIn of running.splice(0)) await plugIn.kill();
  await delay(100);
});
after(async () => {
  await node.close();
  rmSync(dirname(socket), { recursive: true });
});

const specOf = async (containerId: string) => {
  const { info } = await node.cri.runtime.containerStatus({ containerId, verbose: true });
  return JSON.parse(info.info ?? '{}').runtimeSpec;
};

test('a plug-in is told of every step of a pod, in order, and the socket is root’s alone', async () => {
  assert.equal(statSync(socket).mode & 0o777, 0o600);
  const plugIn = await start();
  const pod = await node.runPod();
  const id = await node.runScript(pod, 'sleep 1000');
  await node.cri.runtime.updateContainerResources({ containerId: id, linux: { cpuShares: 512 } });
  await node.cri.runtime.updatePodSandboxResources({ podSandboxId: pod, resources: { cpuShares: 700 } });
  await node.cri.runtime.stopContainer({ containerId: id, timeout: 0 });
  await node.cri.runtime.stopPodSandbox({ podSandboxId: pod });
  await node.cri.runtime.removePodSandbox({ podSandboxId: pod });
  assert.equal(
    plugIn.events(),
    'Configure Synchronize RunPodSandbox CreateContainer ValidateContainerAdjustment PostCreateContainer StartContainer ' +
      'PostStartContainer UpdateContainer PostUpdateContainer UpdatePodSandbox PostUpdatePodSandbox StopContainer ' +
      'StopPodSandbox RemoveContainer RemovePodSandbox',
  );
  const { container, pod: seen } = await plugIn.heard('CreateContainer');
  assert.equal(seen?.id, pod);
  assert.equal(container?.id, id);
  assert.deepEqual(container?.args, ['sh', '-c', 'sleep 1000']);
  assert.match(container?.linux?.cgroups_path ?? '', new RegExp(id));
});

test('what a plug-in adjusts is what the container has', async () => {
  const hook = join(node.folder, 'hook');
  writeFileSync(hook, `#!/bin/sh\ncat > ${node.folder}/hooked\n`, { mode: 0o755 });
  const shared = join(node.folder, 'tree', 'etc');
  await start({
    adjust: {
      annotations: { 'judge/says': 'yes' },
      mounts: [{ destination: '/judge', source: shared, type: 'bind', options: ['bind', 'ro'] }],
      env: [{ key: 'JUDGE', value: 'is here' }, { key: '-GONE' }],
      hooks: { create_runtime: [{ path: hook }] },
      rlimits: [{ type: 'RLIMIT_NOFILE', hard: 321, soft: 123 }],
      linux: {
        devices: [{ path: '/dev/judge', type: 'c', major: 1, minor: 5, file_mode: { value: 0o666 } }],
        resources: {
          memory: { limit: { value: 64 << 20 } },
          cpu: { shares: { value: 333 } },
          pids: { limit: 77 },
        },
        oom_score_adj: { value: 901 },
        sysctl: { 'net.ipv4.ip_unprivileged_port_start': '77' },
      },
    },
  });
  const pod = await node.runPod();
  const id = await node.runScript(pod, 'sleep 1000', { envs: [{ key: 'GONE', value: Buffer.from('not') }] });
  const inside = (script: string) => node.output(id, 'sh', '-c', script);
  assert.equal(await inside('echo "$JUDGE,$GONE"'), 'is here,\n');
  assert.match(await inside('cat /judge/group'), /^root:x:0:/);
  assert.match(await inside('touch /judge/x'), /Read-only/);
  assert.match(await inside('cat /proc/1/limits'), /Max open files +123 +321/);
  assert.equal(await inside('head -c 3 /dev/judge | wc -c'), '3\n');
  assert.equal(await inside('cat /proc/1/oom_score_adj'), '901\n');
  assert.equal(await inside('cat /proc/sys/net/ipv4/ip_unprivileged_port_start'), '77\n');
  assert.equal(JSON.parse(readFileSync(join(node.folder, 'hooked'), 'utf8')).id, id);
  const { status } = await node.cri.runtime.containerStatus({ containerId: id });
  assert.equal(status?.resources?.linux?.memoryLimitInBytes, 64 << 20);
  assert.equal(status?.resources?.linux?.cpuShares, 333);
  const spec = await specOf(id);
  assert.equal(spec.annotations['judge/says'], 'yes');
  assert.deepEqual(spec.linux.resources.pids, { limit: 77 });
  assert.equal(spec.linux.resources.memory.limit, 64 << 20);
});

test('plug-ins are asked in the order of their indices; of two that set the same none gets it, and both are named', async () => {
  const late = await start({ name: 'late', index: '90', adjust: { env: [{ key: 'WHO', value: 'late' }] } });
  const early = await start({
    name: 'early',
    index: '05',
    adjust: { env: [{ key: 'OTHER', value: 'early' }] },
  });
  const pod = await node.runPod();
  const id = await node.runScript(pod, 'sleep 1000');
  assert.equal(await node.output(id, 'sh', '-c', 'echo $OTHER $WHO'), 'early late\n');
  assert.ok((await late.heard('CreateContainer')).container?.env?.includes('OTHER=early'));
  assert.ok(!(await early.heard('CreateContainer')).container?.env?.includes('WHO=late'));
  await start({ name: 'third', index: '50', adjust: { env: [{ key: 'WHO', value: 'third' }] } });
  await assert.rejects(node.runScript(pod, 'true'), {
    code: 'FAILED_PRECONDITION',
    message:
      /^NRI plug-in "90-late": NRI plug-ins "50-third" and "90-late" both tried to set Env "WHO" of container/,
  });
  assert.match(early.events(), /CreateContainer StopContainer RemoveContainer$/);
});

test('a later plug-in may take away and replace what an earlier one set', async () => {
  await start({ name: 'a', index: '01', adjust: { env: [{ key: 'WHO', value: 'a' }] } });
  await start({ name: 'b', index: '02', adjust: { env: [{ key: '-WHO' }, { key: 'WHO', value: 'b' }] } });
  const id = await node.runScript(await node.runPod(), 'sleep 1000');
  assert.equal(await node.output(id, 'sh', '-c', 'echo $WHO'), 'b\n');
});

test('a field that is not acted on is refused by its name, and so is what a validator rejects', async () => {
  const pod = await node.runPod();
  const asks = await start({ adjust: { linux: { io_priority: { class: 1, priority: 1 } } } });
  await assert.rejects(node.runScript(pod, 'true'), {
    message: 'NRI plug-in "10-judge": linux.io_priority of an NRI plug-in is not acted on here',
  });
  await asks.kill();
  await delay(100);
  const validator = await start({ events: 'validatecontaineradjustment', reject: 'of no use' });
  await start({ name: 'asks', index: '20', adjust: { args: ['sleep', '5'] } });
  await assert.rejects(
    node.runScript(pod, 'true'),
    /NRI plug-in "10-judge" refuses the container: .*of no use/,
  );
  const { more } = await validator.heard('ValidateContainerAdjustment');
  const [owners] = Object.values(more.owners) as { simple: Record<string, string> }[];
  assert.deepEqual(owners?.simple, { 7: '20-asks' });
});

test('a plug-in that says no hinders a pod and a start, and its name is told', async () => {
  const plugIn = await start({ fail: 'RunPodSandbox' });
  await assert.rejects(node.runPod(), /NRI plug-in "10-judge": .*RunPodSandbox is not wanted/);
  assert.match(plugIn.events(), /RunPodSandbox StopPodSandbox RemovePodSandbox$/);
  await plugIn.kill();
  await delay(100);
  const pod = await node.runPod();
  await start({ fail: 'StartContainer' });
  await assert.rejects(node.runScript(pod, 'true'), /StartContainer is not wanted/);
});

test('a plug-in that is killed or hangs is dropped, and containers go on without it', async () => {
  const pod = await node.runPod();
  const dies = await start({ hangOn: 'CreateContainer' });
  const creating = node.runScript(pod, 'sleep 1000');
  await dies.heard('CreateContainer');
  const began = performance.now();
  await dies.kill();
  await creating;
  assert.ok(performance.now() - began < requestMs / 2);
  const hangs = await start({ hangOn: 'CreateContainer' });
  await node.runScript(pod, 'sleep 1000');
  await hangs.ended();
  const third = await node.runScript(pod, 'sleep 1000');
  assert.ok(!hangs.told.some(({ container }) => container?.id === third));
});

test('updates that a plug-in wants of its own, on another’s creation and on an update are done', async () => {
  const shares = async (containerId: string) =>
    (await node.cri.runtime.containerStatus({ containerId })).status?.resources?.linux?.cpuShares;
  const plugIn = await start({
    updateStarted: { cpu: { shares: { value: 444 } } },
    update: { cpu: { shares: { value: 555 } } },
  });
  const pod = await node.runPod();
  const first = await node.runScript(pod, 'sleep 1000');
  assert.deepEqual((await plugIn.heard('Updated')).more, { error: '<nil>', failed: 0 });
  assert.equal(await shares(first), 444);
  const second = await node.runScript(pod, 'sleep 1000');
  assert.equal(await shares(first), 555);
  await node.cri.runtime.updateContainerResources({ containerId: second, linux: { cpuShares: 666 } });
  assert.equal(await shares(second), 555);
});

test('after the runtime was restarted a plug-in that comes back is told of what there is, in several messages', async () => {
  const plugIn = await start();
  const pod = await node.runPod();
  const id = await node.runScript(pod, 'sleep 1000');
  const large = { 'judge/large': 'x'.repeat(250_000) };
  const pods = [pod];
  for (let count = 0; count < 20; count++) pods.push(await node.runPod({ annotations: large }));
  // As one that was killed leaves it.
  const bind = 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])';
  await node.restart(() => execFileSync('python3', ['-c', bind, socket]));
  await plugIn.ended();
  const again = await start({ updateSynced: { cpu: { shares: { value: 222 } } } });
  const { more } = await again.heard('Synchronize');
  assert.ok(pods.every((one) => more.pods.includes(one)));
  assert.ok(more.containers.includes(id));
  const shares = async () =>
    (await node.cri.runtime.containerStatus({ containerId: id })).status?.resources?.linux?.cpuShares;
  for (let tries = 0; tries < 200 && (await shares()) !== 222; tries++) await delay(50);
  assert.equal(await shares(), 222);
});
