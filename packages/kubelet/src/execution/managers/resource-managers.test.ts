import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { until } from '../../../test/node-bench.ts';
import { device, SamplePlugIn } from '../../../test/sample-plug-in.ts';
import { configurationFields, type KubeletConfiguration } from '../../configuration/configuration.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import type { MachineTopology } from '../../ground/topology/machine-topology.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { formatCpuSet } from '../../pod/cpu-set.ts';
import { assembleCpus } from '../cpus/assemble.ts';
import { idsOf } from '../devices/device-grants.ts';
import { DeviceManager } from '../devices/device-manager.ts';
import { assembleMemory } from '../memory/assemble.ts';
import type { AllocationRequest } from '../topology/hints.ts';
import { MemoryNodes } from '../topology/memory-nodes.ts';
import { topologyRules } from '../topology/topology-options.ts';
import { Turns } from '../topology/turns.ts';
import { managersFigures } from './managers-figures.ts';
import { ResourceManagers } from './resource-managers.ts';

const gibibyte = 2 ** 30;
const resource = 'example.com/gpu';

/** Two sockets, each a memory node of two cores. */
const machine: MachineTopology = {
  sockets: 2,
  nodes: [0, 1].map((id) => ({
    id,
    memoryBytes: gibibyte,
    hugePages: [],
    distances: id === 0 ? [10, 20] : [20, 10],
    cores: [0, 1].map((core) => ({ socket: id, threads: [id * 2 + core], uncoreCache: undefined })),
  })),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'managers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The managers of a kubelet on that machine; `pods` are those that are there. */
function managersWith(more: Partial<KubeletConfiguration> = {}, of = machine) {
  const configuration: KubeletConfiguration = {
    ...configurationFields.initial,
    cpuManagerPolicy: 'static',
    reservedSystemCPUs: '0',
    memoryManagerPolicy: 'Static',
    reservedMemory: [{ numaNode: 0, limits: { memory: '128Mi' } }],
    topologyManagerPolicy: 'single-numa-node',
    ...more,
  };
  const [clock, turns, nodes, metrics] = [
    new FakeClock(),
    new Turns(),
    new MemoryNodes(of),
    new MetricsRegistry(),
  ];
  const logger = createLogger('kubelet', { write() {} });
  const figures = managersFigures(metrics);
  const ground = {
    ...{ configuration, metrics, logger },
    topology: of,
    paths: new NodePaths({ rootDir: folder, podLogsDir: folder }),
    reservedMilliCpu: 1_000,
    reservedBytes: new Map([['memory', 2 ** 27]]),
  };
  const pods = new Set<string>();
  const devices = new DeviceManager({
    ...{ folder, clock, nodes, turns, logger },
    durations: metrics.histogram('durations', ''),
    onChanged() {},
    onPodChanged() {},
  });
  const cpus = assembleCpus(ground, { nodes, alignment: figures.alignment });
  const memory = assembleMemory(ground, nodes);
  const managers = new ResourceManagers({
    ...{ devices, cpus, memory, turns, figures, clock },
    rules: topologyRules(configuration, nodes),
    scope: configuration.topologyManagerScope,
    isActive: (uid) => pods.has(uid),
    onShared() {},
  });
  managers.settle();
  const request: AllocationRequest = { isStarting: false, isRunning: () => false, isPast: () => false };
  const admit = async (taken: AssignedPod, about: Partial<AllocationRequest> = {}) => {
    pods.add(taken.metadata.uid);
    await managers.allocate(taken, { ...request, ...about });
  };
  return { managers, devices, cpus, memory, metrics, admit, pods, [Symbol.dispose]: () => devices.close() };
}

function asking(uid: string, cpu: string, memory = '64Mi', gpus = 0): AssignedPod {
  const amounts = { cpu, memory, ...(gpus > 0 ? { [resource]: String(gpus) } : {}) };
  const resources = { requests: amounts, limits: amounts };
  return pod({ containers: [container('a', { resources })] }, { name: uid, uid });
}

test('devices, processors and memory of a container are of one memory node, whichever has them all', async () => {
  using bench = managersWith();
  await using plugIn = new SamplePlugIn({ folder, resource, devices: [device('far', 1), device('near', 0)] });
  await plugIn.listen();
  await bench.devices.sources.connect(resource, plugIn.endpoint, AbortSignal.timeout(5_000));
  await until(() => bench.devices.allocatable.length === 2);
  // Node 0 has one processor left that may be given away.
  await bench.admit(asking('p', '2', '64Mi', 1));
  assert.equal(formatCpuSet(bench.cpus.exclusiveOf('p', 'a') ?? new Set()), '2-3');
  assert.deepEqual(
    bench.devices.grantsOf('p', 'a').map(({ grant }) => [...idsOf(grant)]),
    [['far']],
  );
  assert.deepEqual(
    bench.memory.blocksOf('p', 'a').map(({ nodes }) => nodes),
    [[1]],
  );
  const where = bench.managers.placementOf(asking('p', '2'), container('a'));
  assert.deepEqual(where, { cpusetCpus: '2-3', cpusetMems: '1' });
  assert.deepEqual(bench.managers.placementOf(asking('q', '2'), container('a')), { cpusetCpus: '0-1' });
  await bench.admit(asking('q', '1', '64Mi', 1));
  assert.deepEqual(
    bench.devices.grantsOf('q', 'a').map(({ grant }) => [...idsOf(grant)]),
    [['near']],
  );
});

test('a pod that does not fit one memory node is refused, and leaves nothing behind', async () => {
  using bench = managersWith();
  await assert.rejects(bench.admit(asking('p', '3')), {
    reason: 'TopologyAffinityError',
    message: 'Resources cannot be allocated with Topology locality',
  });
  assert.equal(bench.cpus.exclusiveOf('p', 'a'), undefined);
  const page = bench.metrics.render();
  assert.match(page, /kubelet_topology_manager_admission_errors_total 1/);
  assert.match(page, /compute_resources_failure_count\{.*boundary="numa_node".*\} 1/);
});

test('what a pod had is free when it is gone, and not before', async () => {
  using bench = managersWith({ topologyManagerPolicy: 'best-effort' });
  await bench.admit(asking('p', '3'));
  await assert.rejects(bench.admit(asking('q', '1')), { reason: 'UnexpectedAdmissionError' });
  bench.pods.delete('p');
  await bench.admit(asking('q', '3'));
  assert.equal(formatCpuSet(bench.cpus.exclusiveOf('q', 'a') ?? new Set()), '1-3');
});

test('a kubelet that starts anew knows what containers have, also those that none would be given by now', async () => {
  const options = { cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' } };
  {
    using before = managersWith(options);
    await before.admit(asking('p', '2', '768Mi'));
  }
  using bench = managersWith(options);
  await bench.admit(asking('p', '2', '768Mi'), { isStarting: true, isRunning: () => true });
  assert.equal(formatCpuSet(bench.cpus.exclusiveOf('p', 'a') ?? new Set()), '2-3');
});

test('memory of an init container is free once a later container was made, and is not given anew at a restart', async () => {
  const small = { requests: { cpu: '500m', memory: '64Mi' }, limits: { cpu: '500m', memory: '64Mi' } };
  const large = { requests: { cpu: '500m', memory: '800Mi' }, limits: { cpu: '500m', memory: '800Mi' } };
  const main = container('main', { resources: small });
  const taken = pod({ initContainers: [container('init', { resources: large })], containers: [main] });
  const { uid } = taken.metadata;
  {
    using bench = managersWith();
    await bench.admit(taken);
    assert.equal(bench.memory.blocksOf(uid, 'init').length, 1);
    bench.managers.started(taken, main);
    assert.deepEqual(bench.memory.blocksOf(uid, 'init'), []);
    for (const name of ['x', 'y']) await bench.admit(asking(name, '500m', '700Mi'));
  }
  using again = managersWith();
  for (const name of ['x', 'y']) again.pods.add(name);
  await again.admit(taken, { isStarting: true, isPast: (name) => name === 'init' });
  assert.deepEqual(again.memory.blocksOf(uid, 'init'), []);
  assert.equal(again.memory.blocksOf(uid, 'main').length, 1);
});

test('a record of another policy, of another machine or changed by hand is refused by its name', async () => {
  const path = join(folder, 'cpu_manager_state');
  {
    using bench = managersWith();
    await bench.admit(asking('p', '1'));
  }
  assert.throws(
    () => managersWith({ cpuManagerPolicy: 'none' }),
    /cpu_manager_state.*policy "none".*remove the file/s,
  );
  const smaller = { ...machine, nodes: machine.nodes.slice(0, 1), sockets: 1 };
  assert.throws(() => managersWith({}, smaller), /has the processors 0-1, the record tells of 0-3/);
  const { writeFileSync } = await import('node:fs');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"1"', '"2"'));
  assert.throws(() => managersWith(), /checkpoint is corrupted/);
});

test('what the configuration asks for and the machine can not do is named', () => {
  const refused = (more: Partial<KubeletConfiguration>, why: RegExp) =>
    assert.throws(() => managersWith(more), why);
  refused({ cpuManagerPolicyOptions: { fast: 'true' } }, /cpuManagerPolicyOptions has "fast"/);
  refused({ cpuManagerPolicyOptions: { 'full-pcpus-only': 'yes' } }, /give true or false/);
  refused({ cpuManagerPolicyOptions: { 'align-by-socket': 'true' } }, /CPUManagerPolicyAlphaOptions/);
  refused({ topologyManagerPolicyOptions: { x: '1' } }, /topologyManagerPolicyOptions has "x"/);
  refused({ topologyManagerPolicyOptions: { 'max-allowable-numa-nodes': '2' } }, /at least 8/);
  refused({ reservedMemory: [{ numaNode: 7, limits: { memory: '128Mi' } }] }, /memory node 7/);
  refused({ reservedMemory: [{ numaNode: 0, limits: { memory: '64Mi' } }] }, /the two must be the same/);
});
