/** Limits, OOM kills and the basic life of a pod, on whichever cgroup version the machine has. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { eventually, podOf, scriptPod, TestNode } from './node.ts';
import { stretched } from './slowness.ts';

const isVersion2 = existsSync('/sys/fs/cgroup/cgroup.controllers');
const version = isVersion2 ? 'v2' : 'v1';
const timeoutMs = 300_000;

/** Files as a container sees its own limits. */
const files = isVersion2
  ? { memory: 'memory.max', cpu: 'cpu.max', pids: 'pids.max' }
  : { memory: 'memory/memory.limit_in_bytes', cpu: 'cpu/cpu.cfs_quota_us', pids: 'pids/pids.max' };

interface PodView {
  status: {
    phase: string;
    conditions?: { type: string; reason: string; message: string }[];
    containerStatuses?: {
      name: string;
      restartCount: number;
      state: { running?: object; terminated?: { exitCode: number; reason: string } };
      resources?: Record<'requests' | 'limits', Record<string, string> | undefined>;
      allocatedResources?: Record<string, string>;
    }[];
  };
}

describe(`a pod on cgroup ${version}`, { timeout: stretched(1_200_000) }, () => {
  let node: TestNode;

  before(async () => {
    node = await TestNode.start('resources');
  });

  after(() => node.remove());

  const kubectl = (...words: string[]) => node.kubectlOk(words, { timeoutMs });
  const view = async (name: string): Promise<PodView> =>
    JSON.parse(await kubectl('get', 'pod', name, '-o', 'json'));
  const finished = (name: string) =>
    eventually(
      `${name} has finished`,
      async () => {
        const { status } = await view(name);
        return (
          ['Succeeded', 'Failed'].includes(status.phase) && status.containerStatuses?.[0]?.state.terminated
        );
      },
      timeoutMs,
    );

  it('runs, answers exec, logs what it prints and is gone after delete', async () => {
    await node.apply(scriptPod('basic', 'echo started; sleep 100000'));
    assert.equal(await kubectl('logs', 'basic'), 'started\n');
    assert.equal(await kubectl('exec', 'basic', '--', 'echo', 'hello'), 'hello\n');
    const failed = await node.kubectl(['exec', 'basic', '--', 'sh', '-c', 'exit 42'], { timeoutMs });
    assert.equal(failed.code, 42);
    await kubectl('delete', 'pod', 'basic');
    assert.equal((await node.kubectl(['get', 'pod', 'basic'], { timeoutMs })).code, 1);
  });

  it('is held to its memory and cpu limits', async () => {
    const limits = { memory: '64Mi', cpu: '200m' };
    await node.apply(podOf('limited', { resources: { limits } }));
    const read = async (file: string) =>
      (await kubectl('exec', 'limited', '--', 'cat', `/sys/fs/cgroup/${file}`)).trim();
    assert.equal(await read(files.memory), String(64 * 1024 * 1024));
    assert.equal(await read(files.cpu), isVersion2 ? '20000 100000' : '20000');
  });

  it('says OOMKilled and 137 when it takes more memory than it may', async () => {
    const container = {
      command: ['sh', '-c', 'dd if=/dev/zero of=/dev/null bs=40M count=1'],
      resources: { limits: { memory: '15Mi' } },
    };
    const manifest = podOf('greedy', container, { restartPolicy: 'Never' });
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(manifest), timeoutMs });
    const { exitCode, reason } = await finished('greedy');
    assert.deepEqual([exitCode, reason], [137, 'OOMKilled']);
  });

  it('tells the exit code and the reason of a container that fails', async () => {
    const manifest = scriptPod('fails', 'exit 7', { restartPolicy: 'Never' });
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(manifest), timeoutMs });
    const { exitCode, reason } = await finished('fails');
    assert.deepEqual([exitCode, reason], [7, 'Error']);
  });

  it('gets other resources while it runs, with a restart only where it wants one', async () => {
    const sizes = (cpu: string, memory: string) => ({ requests: { cpu: '50m' }, limits: { cpu, memory } });
    const resizePolicy = [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }];
    const manifest = podOf('sized', { resources: sizes('100m', '64Mi') });
    const [calm = assert.fail()] = manifest.spec.containers;
    const fresh = { ...calm, name: 'fresh', resizePolicy };
    await node.apply({ ...manifest, spec: { ...manifest.spec, containers: [calm, fresh] } });
    const read = async (container: string, file: string) =>
      (await kubectl('exec', 'sized', '-c', container, '--', 'cat', `/sys/fs/cgroup/${file}`)).trim();
    const resize = (name: string, resources: object) => {
      const patch = JSON.stringify({ spec: { containers: [{ name, resources }] } });
      return kubectl('patch', 'pod', 'sized', '--subresource', 'resize', '-p', patch);
    };
    const settled = (name: string, memory: string) =>
      eventually(
        `${name} has ${memory}`,
        async () => {
          const { status } = await view('sized');
          const found = status.containerStatuses?.find((each) => each.name === name);
          const isUnderWay = status.conditions?.some(({ type }) => type.startsWith('PodResize'));
          const isThere = found?.state.running && found.resources?.limits?.['memory'] === memory;
          return isThere && !isUnderWay && found;
        },
        timeoutMs,
      );
    await resize(calm.name, sizes('200m', '128Mi'));
    assert.equal((await settled(calm.name, '128Mi')).restartCount, 0);
    assert.equal(await read(calm.name, files.memory), String(128 * 1024 * 1024));
    assert.equal(await read(calm.name, files.cpu), isVersion2 ? '20000 100000' : '20000');
    await resize(calm.name, sizes('100m', '96Mi'));
    assert.equal((await settled(calm.name, '96Mi')).restartCount, 0);
    assert.equal(await read(calm.name, files.memory), String(96 * 1024 * 1024));
    await resize('fresh', sizes('100m', '72Mi'));
    assert.equal((await settled('fresh', '72Mi')).restartCount, 1);
    assert.equal(await read('fresh', files.memory), String(72 * 1024 * 1024));
    const events = await kubectl('get', 'events', '--field-selector', 'involvedObject.name=sized');
    for (const reason of ['ResizeStarted', 'ResizeCompleted']) assert.match(events, new RegExp(reason));
  });

  it('holds all containers of a pod to what it declares as a whole, also when that changes', async () => {
    const whole = { limits: { cpu: '300m', memory: '64Mi' } };
    const manifest = podOf('whole', { resources: { requests: { cpu: '50m' } } }, { resources: whole });
    await node.apply(manifest);
    const read = async (file: string) =>
      (await kubectl('exec', 'whole', '--', 'cat', `/sys/fs/cgroup/${file}`)).trim();
    assert.equal(await read(files.memory), String(64 * 1024 * 1024));
    assert.equal(await read(files.cpu), isVersion2 ? '30000 100000' : '30000');
    const { spec, status } = JSON.parse(await kubectl('get', 'pod', 'whole', '-o', 'json'));
    assert.deepEqual(spec.resources.requests, { cpu: '50m', memory: '64Mi' });
    assert.equal(status.qosClass, 'Burstable');
    const patch = JSON.stringify({ spec: { resources: { limits: { cpu: '200m', memory: '96Mi' } } } });
    await kubectl('patch', 'pod', 'whole', '--subresource', 'resize', '-p', patch);
    await eventually('the pod has 96Mi', async () => {
      const { status: now } = JSON.parse(await kubectl('get', 'pod', 'whole', '-o', 'json'));
      return now.resources?.limits?.memory === '96Mi';
    });
    assert.equal(await read(files.memory), String(96 * 1024 * 1024));
    await kubectl('delete', 'pod', 'whole', '--now');
  });

  it('waits for resources that others have, and says so', async () => {
    const { status: machine } = JSON.parse(await kubectl('get', 'nodes', '-o', 'json')).items[0];
    const allCpus = Math.floor(1_000 * Number(machine.allocatable.cpu));
    const requests = (cpu: string) => ({ requests: { cpu } });
    await node.apply(podOf('taker', { resources: requests('200m') }));
    await node.apply(podOf('waiter', { resources: requests('50m') }));
    const resources = requests(`${allCpus - 100}m`);
    const [{ name } = assert.fail()] = podOf('waiter', {}).spec.containers;
    const patch = JSON.stringify({ spec: { containers: [{ name, resources }] } });
    await kubectl('patch', 'pod', 'waiter', '--subresource', 'resize', '-p', patch);
    const pending = await eventually(
      'the resize is deferred',
      async () => (await view('waiter')).status.conditions?.find(({ type }) => type === 'PodResizePending'),
      timeoutMs,
    );
    assert.equal(pending.reason, 'Deferred');
    assert.match(pending.message, /Node didn't have enough resource: cpu, requested: /);
    await kubectl('delete', 'pod', 'taker', 'sized', 'limited', '--now');
    await eventually(
      'the resize is granted',
      async () => {
        const { allocatedResources, resources: told } =
          (await view('waiter')).status.containerStatuses?.[0] ?? {};
        return allocatedResources?.['cpu'] === resources.requests.cpu && told?.requests?.['cpu'];
      },
      timeoutMs,
    );
  });

  it('makes room for a critical pod at the cost of one that is not', async () => {
    await kubectl('delete', 'pod', 'waiter', '--now', '--ignore-not-found');
    const { items } = JSON.parse(await kubectl('get', 'nodes', '-o', 'json'));
    const { metadata: machine, status: machineStatus } = items[0];
    const most = `${Math.floor(800 * Number(machineStatus.allocatable.cpu))}m`;
    const resources = { requests: { cpu: most } };
    await node.apply(podOf('filler', { resources }));
    const critical = podOf(
      'critical',
      { resources },
      { priorityClassName: 'system-node-critical', nodeName: machine.name },
    );
    await node.apply(critical);
    const { status } = await view('filler');
    const reasons = status.conditions?.map(({ type, reason }) => [type, reason]) ?? [];
    assert.equal(status.phase, 'Failed');
    assert.deepEqual(reasons.find(([type]) => type === 'DisruptionTarget')?.[1], 'TerminationByKubelet');
    assert.equal(await kubectl('get', 'pod', 'filler', '-o', 'jsonpath={.status.reason}'), 'Preempting');
    await kubectl('delete', 'pod', 'filler', 'critical', '--now');
  });

  it('makes room for a pod of higher priority, and says of whom', async () => {
    const holder = (name: string, more: object) => {
      const pod = scriptPod(name, 'sleep 100000', { terminationGracePeriodSeconds: 1, ...more });
      const [container = assert.fail()] = pod.spec.containers;
      const ports = [{ containerPort: 80, hostPort: 18_099 }];
      return { ...pod, spec: { ...pod.spec, containers: [{ ...container, ports }] } };
    };
    await kubectl('create', 'priorityclass', 'urgent', '--value=1000');
    await node.apply(holder('patient', {}));
    await node.apply(holder('urgent', { priorityClassName: 'urgent' }));
    assert.equal(await kubectl('get', 'pod', 'patient', '--ignore-not-found'), '');
    const events = await kubectl('get', 'events', '--field-selector=reason=Preempted', '-o', 'name');
    assert.match(events, /^event\/patient\./);
    const path = 'jsonpath={.status.nominatedNodeName}';
    assert.equal(await kubectl('get', 'pod', 'urgent', '-o', path), '');
  });

  it('keeps its pid when the monitor is killed, and its exit code is still found', async () => {
    const manifest = scriptPod(
      'survivor',
      'echo before; while [ ! -e /tmp/end ]; do sleep 0.1; done; echo after; exit 9',
      {
        restartPolicy: 'Never',
      },
    );
    await node.apply(manifest);
    process.kill(await node.pidOf('monitor'), 'SIGKILL');
    await node.up();
    await kubectl('exec', 'survivor', '--', 'touch', '/tmp/end');
    const { exitCode } = await finished('survivor');
    assert.equal(exitCode, 9);
    assert.equal(await kubectl('logs', 'survivor'), 'before\nafter\n');
  });
});
