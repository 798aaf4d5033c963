/** What a node says that it and its pods take, on every page that monitoring reads. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testImage } from './image.ts';
import { eventually, podOf, TestNode, wherry } from './node.ts';

let node: TestNode;
const spinning =
  'head -c 300000 /dev/zero > /scratch/file; while true; do i=0; while [ $i -lt 999 ]; do i=$((i+1)); done; sleep 0.02; done';

before(async () => {
  node = await TestNode.start('figures');
  const mounts = [
    { name: 'scratch', mountPath: '/scratch' },
    { name: 'memory', mountPath: '/memory' },
  ];
  const busy = {
    ...{ image: testImage, imagePullPolicy: 'IfNotPresent', command: ['sh', '-c', spinning] },
    resources: { limits: { cpu: '100m', memory: '64Mi' } },
    readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 },
    volumeMounts: mounts,
  };
  const volumes = [
    { name: 'scratch', emptyDir: {} },
    { name: 'memory', emptyDir: { medium: 'Memory' } },
  ];
  await node.apply(podOf('busy', busy, { volumes }));
});
after(() => node?.remove());

const page = (path: string) => node.kubectlOk(['get', '--raw', `/api/v1/nodes/figures/proxy${path}`]);

/** Samples of a page by family: their labels and value. */
function samplesOf(text: string) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    return { name, labels, value: Number(value) };
  });
}

type Sample = ReturnType<typeof samplesOf>[number];
const figure = (samples: readonly Sample[], name: string, ...labels: string[]) =>
  samples.find((sample) => sample.name === name && labels.every((label) => sample.labels.includes(label)))
    ?.value;

describe('a node', () => {
  test('tells in its summary what it, its pods, their volumes and their logs take', async () => {
    const { node: machine, pods } = JSON.parse(await page('/stats/summary'));
    assert.deepEqual(
      machine.systemContainers.map(({ name }: { name: string }) => name),
      ['kubelet', 'pods'],
    );
    assert.ok(machine.network.interfaces.length > 0);
    assert.ok(machine.rlimit.curproc > 0 && machine.rlimit.curproc < machine.rlimit.maxpid);
    assert.ok(machine.runtime.imageFs.usedBytes > 0);
    const [busy] = pods;
    assert.equal(busy.podRef.name, 'busy');
    const [main] = busy.containers;
    assert.ok(main.cpu.usageCoreNanoSeconds > 0 && main.memory.workingSetBytes > 0);
    assert.ok(main.memory.availableBytes < 64 * 2 ** 20);
    assert.ok(main.rootfs.capacityBytes > 0 && main.logs.inodesUsed >= 1);
    assert.ok(Date.parse(main.startTime) >= Date.parse(busy.startTime));
    const volumes = new Map(busy.volume.map((volume: { name: string }) => [volume.name, volume]));
    assert.ok((volumes.get('scratch') as { usedBytes: number }).usedBytes >= 300_000);
    assert.equal((volumes.get('memory') as { capacityBytes: number }).capacityBytes, 64 * 2 ** 20);
    assert.ok(busy['ephemeral-storage'].usedBytes >= 300_000);
    assert.equal(busy.network.name, 'eth0');
  });

  test('leaves everything but processors and memory out of a summary where that is asked', async () => {
    const { node: machine, pods } = JSON.parse(await page('/stats/summary?only_cpu_and_memory=true'));
    assert.deepEqual(
      [machine.fs, machine.network, pods[0].volume, pods[0].network],
      Array(4).fill(undefined),
    );
    assert.ok(pods[0].containers[0].memory.workingSetBytes > 0);
  });

  test('counts the processor time of containers to the nanosecond, and says when it looked', async () => {
    const text = await page('/metrics/resource');
    const labels = ['container="main"', 'pod="busy"', 'namespace="default"'];
    const before = figure(samplesOf(text), 'container_cpu_usage_seconds_total', ...labels) ?? 0;
    assert.ok(before > 0);
    assert.match(text, /^container_cpu_usage_seconds_total\{.*\} [\d.]+ \d{13}$/m);
    assert.match(text, /^container_start_time_seconds\{.*\} [\d.]+$/m);
    assert.match(text, /^resource_scrape_error 0$/m);
    await eventually('more processor time', async () => {
      const samples = samplesOf(await page('/metrics/resource'));
      return (figure(samples, 'container_cpu_usage_seconds_total', ...labels) ?? 0) > before;
    });
  });

  test('has the families and labels of cAdvisor for dashboards', async () => {
    const samples = samplesOf(await page('/metrics/cadvisor'));
    const main = ['container="main"', 'pod="busy"', 'namespace="default"', `image="${testImage}"`];
    assert.equal(figure(samples, 'container_spec_memory_limit_bytes', ...main), 64 * 2 ** 20);
    assert.equal(figure(samples, 'container_spec_cpu_quota', ...main), 10_000);
    assert.equal(figure(samples, 'container_spec_cpu_period', ...main), 100_000);
    assert.ok((figure(samples, 'container_cpu_cfs_periods_total', ...main) ?? 0) > 0);
    assert.ok((figure(samples, 'container_memory_working_set_bytes', ...main) ?? 0) > 0);
    assert.ok((figure(samples, 'container_fs_limit_bytes', ...main) ?? 0) > 0);
    assert.ok((figure(samples, 'container_file_descriptors', ...main) ?? 0) >= 3);
    assert.ok(figure(samples, 'container_sockets', ...main) !== undefined);
    assert.ok((figure(samples, 'container_threads', ...main) ?? 0) > 0);
    assert.ok((figure(samples, 'container_ulimits_soft', 'ulimit="max_open_files"', ...main) ?? 0) > 0);
    const ofPod = ['container=""', 'pod="busy"', 'interface="eth0"'];
    assert.ok(figure(samples, 'container_network_receive_bytes_total', ...ofPod) !== undefined);
    assert.ok((figure(samples, 'machine_memory_bytes') ?? 0) > 2 ** 28);
    assert.ok((figure(samples, 'container_fs_usage_bytes', 'id="/"') ?? 0) > 0);
  });
});

describe('the metrics API', () => {
  test('lets kubectl top, and ours, tell nodes, pods and containers apart, by selector too', async () => {
    assert.match(await node.kubectlOk(['top', 'node']), /^figures +\d+m +\d+% +\d+Mi/m);
    assert.match(await node.kubectlOk(['top', 'pod', '--containers']), /^busy +main +\d+m +\d+Mi/m);
    const own = await wherry(['top', 'pods', '--containers', '--kubeconfig', node.kubeconfig]);
    assert.match(own.stdout, /^busy +main +\d+m +\d+Mi/m);
    const { stdout, stderr } = await node.kubectl(['top', 'pod', '-l', 'app=other']);
    assert.doesNotMatch(stdout + stderr, /busy/);
  });

  test('gives wherry top the words that kubectl top prints', async () => {
    const lines = [
      ['node'],
      ['node', '--show-capacity', '--no-headers'],
      ['pod', 'busy'],
      ['pod', '--containers', '--sort-by=cpu', '--sum'],
      ['pod', '-A', '--sort-by=memory', '--no-headers'],
      ['pod', '-l', 'app=other'],
    ];
    // What is taken changes between two looks.
    const shape = (text: string) => text.replace(/\d+(m|%|Mi)(?= |$)/gm, '0$1').replace(/ +/g, ' ');
    for (const line of lines) {
      const theirs = await node.kubectl(['top', ...line]);
      const ours = await wherry(['top', ...line, '--kubeconfig', node.kubeconfig]);
      assert.equal(shape(ours.stdout), shape(theirs.stdout).replace(/ +$/gm, ''), line.join(' '));
      assert.equal(ours.stderr, theirs.stderr, line.join(' '));
    }
  });

  test('says what a container took over which time, as an object and as a table', async () => {
    const path = '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/busy';
    const { containers, window, metadata } = JSON.parse(await node.kubectlOk(['get', '--raw', path]));
    assert.match(containers[0].usage.cpu, /^\d+n$/);
    assert.match(window, /^[\d.]+s$/);
    assert.equal(metadata.labels.app, 'busy');
    assert.match(await node.kubectlOk(['get', 'nodes.metrics.k8s.io']), /^NAME +CPU +MEMORY +WINDOW/);
    const { stderr } = await node.kubectl(['get', 'pods.metrics.k8s.io', 'nobody']);
    assert.match(stderr, /NotFound/);
  });

  test('is for those whom a role lets read it', async () => {
    const as = ['--as', 'somebody'];
    const refused = await node.kubectl(['top', 'pod', ...as]);
    assert.match(refused.stderr, /pods.metrics.k8s.io is forbidden/);
    const rule = ['--verb=get,list', '--resource=pods.metrics.k8s.io'];
    await node.kubectlOk(['create', 'role', 'reader', ...rule]);
    await node.kubectlOk(['create', 'rolebinding', 'reader', '--role=reader', '--user=somebody']);
    await eventually('the role', async () => (await node.kubectl(['top', 'pod', ...as])).code === 0);
  });
});
