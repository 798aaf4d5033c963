import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerStats } from '@wherry/cri';
import { container } from '../../../test/builders.ts';
import type { ContainerResize } from '../plan/pod-actions.ts';
import { memoryObjections } from './memory-objections.ts';

const resize = (from: number, to: number): ContainerResize => {
  const amounts = { cpuRequest: 0, cpuLimit: 0, memoryRequest: 0 };
  return {
    containerId: 'id',
    container: container('a'),
    current: { ...amounts, memoryLimit: from },
    desired: { ...amounts, memoryLimit: to },
  };
};
const usage = (bytes: number) => async () => ({
  stats: [
    { attributes: { id: 'id' }, memory: { usageBytes: { value: bytes } } } as unknown as ContainerStats,
  ],
});
const group = (bytes: number | undefined) => ({ memoryUsageBytes: () => bytes });

test('a limit does not fall below what is in use, of a container or of the pod', async () => {
  await assert.rejects(
    memoryObjections({ resizes: [resize(100, 50)], pod: { limit: 60, group: group(70) }, usage: usage(50) }),
    {
      message:
        'cannot decrease memory limits: [attempting to set pod memory limit (60) below current usage (70), ' +
        'attempting to set container "a" memory limit (50) below current usage (50)]',
    },
  );
  await assert.rejects(
    memoryObjections({ resizes: [resize(0, 50)], pod: undefined, usage: async () => ({ stats: [] }) }),
    /cannot decrease memory limits: missing container "a" memory usage$/,
  );
});

test('what grows, or falls to more than is in use, is not objected to', async () => {
  await memoryObjections({ resizes: [resize(100, 51)], pod: undefined, usage: usage(50) });
  await memoryObjections({ resizes: [resize(50, 100)], pod: undefined, usage: () => assert.fail('asked') });
});
