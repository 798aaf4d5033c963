import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, pod } from '../../../test/builders.ts';
import { resizeObjection } from './resize-objections.ts';

const swap = { isLimited: false, nodeMemoryBytes: 0, nodeSwapBytes: 0 } as never;
const sized = (cpu: string, memory: string, cpuLimit = cpu) => {
  const resources = { requests: { cpu, memory }, limits: { cpu: cpuLimit, memory } };
  return pod({ containers: [container('a', { resources })] });
};
const objection = (
  to: ReturnType<typeof sized>,
  cpuManagerPolicy: 'none' | 'static',
  memoryManagerPolicy: 'None' | 'Static',
) =>
  resizeObjection(to, sized('1', '1Gi'), { policies: { cpuManagerPolicy, memoryManagerPolicy }, swap })
    ?.reason;

test('a Guaranteed pod keeps what it was taken in with, where such pods have it to themselves', () => {
  assert.equal(objection(sized('2', '1Gi'), 'static', 'None'), 'guaranteed_pod_cpu_manager_static_policy');
  assert.equal(objection(sized('1', '2Gi'), 'none', 'Static'), 'guaranteed_pod_memory_manager_static_policy');
  assert.equal(objection(sized('2', '1Gi'), 'none', 'Static'), undefined);
  assert.equal(objection(sized('1000m', '1024Mi'), 'static', 'Static'), undefined);
  assert.equal(objection(sized('2', '2Gi', '3'), 'static', 'Static'), undefined);
});
