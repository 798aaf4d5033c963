import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { formatCpuSet } from '../../pod/cpu-set.ts';
import { CpuTopology } from './cpu-topology.ts';
import { cpusOf, readMachineTopology } from './machine-topology.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'topology-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
}

/** Two sockets of a node each, four cores of two threads each, two cores to a cache; the threads of a core are 8 apart. */
function putMachine(): void {
  put('cpu/online', '0-15');
  for (const node of [0, 1]) {
    put(`node/node${node}/meminfo`, `Node ${node} MemTotal:       1048576 kB`);
    put(`node/node${node}/distance`, node === 0 ? '10 21' : '21 10');
    put(`node/node${node}/hugepages/hugepages-2048kB/nr_hugepages`, '8');
  }
  for (let cpu = 0; cpu < 16; cpu += 1) {
    const core = cpu % 8;
    const node = core < 4 ? 0 : 1;
    put(`node/node${node}/cpu${cpu}/uevent`, '');
    put(`cpu/cpu${cpu}/topology/core_id`, String(core % 4));
    put(`cpu/cpu${cpu}/topology/physical_package_id`, String(node));
    for (const [index, level, map] of [
      ['index0', 1, '0101'],
      ['index3', 3, '0303'],
    ] as const) {
      put(`cpu/cpu${cpu}/cache/${index}/level`, String(level));
      put(`cpu/cpu${cpu}/cache/${index}/id`, String(Math.floor(core / 2)));
      put(`cpu/cpu${cpu}/cache/${index}/shared_cpu_map`, map);
    }
  }
}

test('sockets, memory nodes, cores, threads and shared caches are found', () => {
  putMachine();
  const machine = readMachineTopology(folder);
  assert.equal(machine.sockets, 2);
  const [first, second] = machine.nodes;
  assert.deepEqual([first?.memoryBytes, first?.distances], [2 ** 30, [10, 21]]);
  assert.deepEqual(first?.hugePages, [{ sizeBytes: 2 ** 21, count: 8 }]);
  assert.deepEqual(second?.cores, [
    { socket: 1, threads: [4, 12], uncoreCache: 2 },
    { socket: 1, threads: [5, 13], uncoreCache: 2 },
    { socket: 1, threads: [6, 14], uncoreCache: 3 },
    { socket: 1, threads: [7, 15], uncoreCache: 3 },
  ]);
  const topology = new CpuTopology(machine);
  assert.deepEqual([topology.cpusPerCore, topology.cpusPerSocket, topology.cpusPerUncore], [2, 8, 4]);
});

test('processors that are off are left out', () => {
  putMachine();
  put('cpu/online', '0-6,8-15');
  const machine = readMachineTopology(folder);
  assert.equal(formatCpuSet(cpusOf(machine)), '0-6,8-15');
  assert.deepEqual(machine.nodes[1]?.cores.at(-1)?.threads, [15]);
});

test('a kernel without memory nodes has one for each socket', () => {
  putMachine();
  rmSync(join(folder, 'node'), { recursive: true });
  const { nodes } = readMachineTopology(folder);
  assert.deepEqual(
    nodes.map(({ id, cores }) => [id, cores.length]),
    [
      [0, 4],
      [1, 4],
    ],
  );
  assert.deepEqual([nodes[0]?.memoryBytes, nodes[0]?.distances], [0, undefined]);
});

test('of a machine that tells nothing there is nothing', () => {
  assert.deepEqual(readMachineTopology(folder), { nodes: [], sockets: 0 });
});

test('this machine has the processors that its kernel lists', () => {
  const cpus = cpusOf(readMachineTopology());
  assert.ok(cpus.size > 0);
});
