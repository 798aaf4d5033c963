import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeConfiguration } from '../configuration/decode-configuration.ts';
import type { MachineInfo } from './machine-info.ts';
import { limitsForAllPods, nodeAllocatable, refuseToReserveMore } from './node-capacity.ts';

const configuration = (more: object) =>
  decodeConfiguration({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    evictionHard: { 'memory.available': '24Mi' },
    ...more,
  }).configuration;

test('what pods may take of the disk is told in the largest unit that leaves no rest, as Go writes quantities', () => {
  const capacity = { cpu: '2', memory: '1024Ki', 'ephemeral-storage': '1025Ki' };
  const left = (more: object) => nodeAllocatable(capacity, configuration(more))['ephemeral-storage'];
  assert.equal(left({}), '1025Ki');
  assert.equal(left({ systemReserved: { 'ephemeral-storage': '1Ki' } }), '1Mi');
  assert.equal(left({ systemReserved: { 'ephemeral-storage': '1' } }), String(1025 * 1024 - 1));
});

test('pods may have all huge pages, and the memory that is in none', () => {
  const capacity = { cpu: '2', memory: '1048576Ki', 'hugepages-2Mi': '10Mi', 'hugepages-1Gi': '0' };
  const { memory, ...pages } = nodeAllocatable(capacity, configuration({}));
  assert.equal(memory, '990Mi');
  assert.deepEqual([pages['hugepages-2Mi'], pages['hugepages-1Gi']], ['10Mi', '0']);
});

test('what is kept back of the memory is so to the byte', () => {
  const capacity = { cpu: '2', memory: '1Mi' };
  const left = (more: object) =>
    nodeAllocatable(capacity, configuration({ evictionHard: {}, ...more })).memory;
  assert.equal(left({ systemReserved: { memory: '1' } }), String(2 ** 20 - 1));
  assert.equal(left({ evictionHard: { 'memory.available': '50%' } }), '512Ki');
  assert.equal(left({ systemReserved: { memory: '2Mi' } }), '0');
});

test('no more can be kept back of a resource than the machine has', () => {
  const capacity = { cpu: '2', memory: '1Gi', 'ephemeral-storage': '1Gi', pods: '110' };
  const refused = (more: object) => () =>
    refuseToReserveMore(capacity, configuration(more), { processesMax: 1_000 });
  assert.doesNotThrow(
    refused({ kubeReserved: { cpu: '1500m', pid: '1000' }, systemReserved: { cpu: '500m' } }),
  );
  assert.throws(
    refused({ kubeReserved: { memory: '1Gi' } }),
    /invalid Node Allocatable configuration\. Resource "memory" has a reservation of 1048Mi but capacity of 1Gi\. Expected capacity >= reservation\.$/,
  );
  assert.throws(
    refused({ kubeReserved: { cpu: '1.5' }, systemReserved: { cpu: '1' } }),
    /"cpu" .* of 2\.5 but/,
  );
  assert.throws(refused({ systemReserved: { pid: '1001' } }), /"pid"/);
  assert.throws(refused({ evictionHard: { 'nodefs.available': '2Gi' } }), /"ephemeral-storage"/);
});

test('all pods together have as many processes as the kernel does, without those that are reserved where that is enforced', () => {
  const machine = { cores: 2, memoryBytes: 2 ** 30, processesMax: 32_768 } as MachineInfo;
  const processes = (more: object) => limitsForAllPods(machine, configuration(more)).processes;
  const reserved = { kubeReserved: { pid: '1000' }, systemReserved: { pid: '768' } };
  assert.equal(processes({}), 32_768);
  assert.equal(processes(reserved), 31_000);
  assert.equal(processes({ ...reserved, enforceNodeAllocatable: ['none'] }), 32_768);
  assert.equal(processes({ kubeReserved: { pid: '1M' } }), 1);
});
